#include "item.h"

#include <stdio.h>
#include <string.h>

#include "../../monitor/symptom.h"
#include "drift_cause.h"
#include "judge.h"

static const char *why(const struct target *t, unsigned setting, enum status s)
{
	const struct reason *r = observation_reason(&t->seen, setting);

	if (s == STATUS_SKIPPED)
		return target_skip_why(t, setting);
	if (s == STATUS_DRIFT || s == STATUS_ADVICE)
		return settings[setting].why;
	return r && s != STATUS_OK ? r->text : NULL;
}

static const char *fix_of_drift(const struct target *t, const struct feature *f, unsigned setting)
{
	if (f->readonly_hint || target_owner(t, setting))
		return NULL; /* in item.needs */
	return "run `losslessctl apply` to repair it";
}

/* Returns the refusal of the setting, or else the first one of its port; NULL: there is none. */
static const struct refusal *refusal_of(const struct target *foreseen, const char *setting)
{
	const struct refusal *all = foreseen->refusals;

	for (size_t i = 0; i < foreseen->refusals_count; i++)
		if (strcmp(all[i].setting, setting) == 0)
			return &all[i];
	return foreseen->refusals_count ? all : NULL;
}

/* True of a setting that apply writes, as far as its feature and its owner go. */
static bool is_written(const struct engine *e, const struct target *t, unsigned setting)
{
	return observation_feature(&t->seen, e->backends->features, setting)->write &&
	       !target_owner(t, setting);
}

/* True if the setting with this path has an item that says why apply refuses it. */
static bool has_own_reason(const struct engine *e, const struct target *t, setting_set differing,
			   const char *path)
{
	const struct setting *k = setting_find(path);

	return k && (differing & SETTING(k - settings)) &&
	       is_written(e, t, (unsigned)(k - settings));
}

/*
 * Notes that apply would refuse to write the setting: it writes nothing of a port that it refuses.
 * The reason stands at the setting that it is about, if that one is to be written as well.
 */
static void judge_apply(const struct engine *e, const struct target *t,
			const struct target *foreseen, setting_set differing, struct item *item)
{
	const struct refusal *r = refusal_of(foreseen, item->name);

	if (!r)
		return;
	item->is_refused = true;
	item->fix = NULL;
	if (strcmp(r->setting, item->name) == 0)
		snprintf(item->likely_cause, sizeof(item->likely_cause), "%.255s", r->why);
	else if (has_own_reason(e, t, differing, r->setting))
		return;
	else
		snprintf(item->likely_cause, sizeof(item->likely_cause),
			 "apply refuses the port: %.24s: %.200s", r->setting, r->why);
	snprintf(item->needs, sizeof(item->needs), "%s", r->fix);
}

static const char *fix(const struct target *t, const struct feature *f, unsigned setting,
		       enum status s)
{
	const struct reason *r = observation_reason(&t->seen, setting);

	if (s == STATUS_DRIFT || s == STATUS_ADVICE)
		return fix_of_drift(t, f, setting);
	if (s == STATUS_UNSUPPORTED)
		return "list the setting under \"optional\" if ports may lack it";
	return r && r->fix[0] && s > STATUS_SKIPPED ? r->fix : NULL;
}

static struct item item_of_setting(const struct engine *e, const struct target *t,
				   const struct target *foreseen, const struct judgement *j,
				   unsigned setting)
{
	enum status s = judge_status(j, setting);
	const struct feature *f = observation_feature(&t->seen, e->backends->features, setting);
	struct item item = {
		.name = settings[setting].path,
		.status = s,
		.of_host = f->is_advice,
		.about = SETTING(setting),
		.desired = &t->task.desired,
		.actual = &t->seen.actual,
		.source = f->source,
		.why = why(t, setting, s),
		.fix = fix(t, f, setting, s),
		.owner = target_owner(t, setting),
		.is_read_only = !f->write,
	};

	target_origin(t, setting, item.origin);
	if ((f->readonly_hint || item.owner) && (s == STATUS_DRIFT || s == STATUS_ADVICE))
		target_readonly_fix(t, f, setting, item.needs);
	if (s == STATUS_DRIFT && !item.owner)
		cause_by_settings(e, t, f, item.likely_cause);
	if (is_written(e, t, setting) && (s == STATUS_DRIFT || (t->seen.missing & item.about)))
		judge_apply(e, t, foreseen, j->differing, &item);
	return item;
}

bool item_is_unwritable(const struct item *i)
{
	return i->kind == ITEM_SETTING &&
	       (i->owner || i->is_refused || i->is_read_only || (i->about & UNWRITABLE_SETTINGS));
}

const char *item_why(const struct item *i)
{
	return i->likely_cause[0] ? i->likely_cause : i->why;
}

const char *item_fix(const struct item *i)
{
	return i->needs[0] ? i->needs : i->fix;
}

static struct item item_of_peer(const struct target *t, const struct peer *peer, enum agreement a)
{
	static const char *const names[] = {
		[AGREE_PFC] = "peer.pfc", [AGREE_ETS] = "peer.ets", [AGREE_APP] = "peer.app"
	};
	static const enum status statuses[] = {
		[PEER_STATUS_AGREES] = STATUS_OK,
		[PEER_STATUS_DIFFERS_ALLOWED] = STATUS_OK,
		[PEER_STATUS_UNKNOWN] = STATUS_UNKNOWN,
		[PEER_STATUS_DIFFERS] = STATUS_DRIFT,
	};
	const struct peer_agreement *g = &peer->agreed[a];

	return (struct item){
		.name = names[a],
		.status = statuses[g->status],
		.kind = ITEM_PEER,
		.about = g->about,
		.desired = &t->seen.actual,
		.actual = &peer->config,
		.source = peer->source,
		.why = g->why[0] ? g->why : NULL,
		.fix = g->fix,
	};
}

size_t items_of(const struct engine *e, const struct target *t, const struct target *foreseen,
		const struct peer *peer, struct item ret[ITEMS_MAX])
{
	struct judgement j = judge_settings(e->backends->features, t);
	size_t count = 0;

	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if ((t->task.desired.has | t->skipped) & SETTING(i))
			ret[count++] = item_of_setting(e, t, foreseen, &j, i);
	for (enum agreement a = 0; peer && a < AGREE_COUNT; a++)
		if (t->must_agree & (1u << a))
			ret[count++] = item_of_peer(t, peer, a);
	return count;
}

static struct item item_of_symptom(const struct active_symptom *c)
{
	struct item item = {
		.name = c->symptom->name,
		.status = judge_symptom(c->severity),
		.kind = ITEM_SYMPTOM,
		.source = "counters",
		.why = c->text,
		.fix = c->symptom->next,
		.severity = severity_name(c->severity),
	};

	snprintf(item.origin, sizeof(item.origin), "%s", symptom_origin_name(c->origin));
	return item;
}

static struct item item_not_judged(const struct active_symptom *c)
{
	return (struct item){
		.name = c->symptom->name,
		.status = STATUS_SKIPPED,
		.kind = ITEM_SYMPTOM,
		.source = "counters",
		.why = c->text,
	};
}

size_t items_of_counted(const struct counted *n, struct item ret[SYMPTOMS_MAX + 1])
{
	size_t count = 0;

	for (size_t i = 0; i < n->count; i++)
		if (n->active_symptoms[i].severity != SEVERITY_IGNORE)
			ret[count++] = item_of_symptom(&n->active_symptoms[i]);
	for (size_t i = 0; i < n->not_judged_count; i++)
		if (n->not_judged[i].severity != SEVERITY_IGNORE)
			ret[count++] = item_not_judged(&n->not_judged[i]);
	if (n->unknown[0])
		ret[count++] = (struct item){
			.name = "symptoms",
			.status = STATUS_UNKNOWN,
			.kind = ITEM_SYMPTOM,
			.source = "counters",
			.why = n->unknown,
		};
	return count;
}
