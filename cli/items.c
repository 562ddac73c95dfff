#include "items.h"

#include <stdio.h>

#include "../agent/engine/preflight.h"
#include "backends.h"

static const struct feature *speaker(const struct target *t, unsigned setting)
{
	return observation_speaker(&t->seen, all_backends.features, setting);
}

static enum status judge(const struct target *t, unsigned setting)
{
	if (t->skipped & SETTING(setting))
		return STATUS_OK;
	if (t->seen.unsupported & SETTING(setting))
		return STATUS_UNSUPPORTED;
	if (!(t->seen.actual.has & SETTING(setting)))
		return STATUS_UNKNOWN;
	if (!(config_diff(&t->task.desired, &t->seen.actual) & SETTING(setting)))
		return STATUS_OK;
	return speaker(t, setting)->is_advice ? STATUS_ADVICE : STATUS_DRIFT;
}

static const char *why(const struct target *t, unsigned setting, enum status s)
{
	const struct reason *r = observation_reason(&t->seen, setting);

	if (t->skipped & SETTING(setting))
		return target_skip_why(t, setting);
	if (s == STATUS_DRIFT || s == STATUS_ADVICE)
		return settings[setting].why;
	return r && s != STATUS_OK ? r->text : NULL;
}

static const char *fix_of_drift(const struct target *t, unsigned setting)
{
	const char *others = preflight_others_mend(t, setting),
		   *readonly_hint = speaker(t, setting)->readonly_hint;

	return readonly_hint ? readonly_hint : others ? others : "losslessctl apply sets it again";
}

/* A setting that apply would refuse as things are: why, and what has to be done first. */
static void judge_apply(const struct target *t, const struct feature *f, struct item *item)
{
	struct config end = config_overlay(&t->seen.actual, &t->task.desired);
	struct err err = { 0 };

	if (!f->accepts ||
	    f->accepts(&t->task.port, &t->capabilities, &t->seen.actual, &end, &err) || !err.fix[0])
		return;
	snprintf(item->likely_cause, sizeof(item->likely_cause), "%s", err.text);
	snprintf(item->needs, sizeof(item->needs), "%s; then `losslessctl apply`", err.fix);
}

static const char *fix(const struct target *t, unsigned setting, enum status s)
{
	const struct reason *r = observation_reason(&t->seen, setting);

	if (s == STATUS_DRIFT || s == STATUS_ADVICE)
		return fix_of_drift(t, setting);
	if (s == STATUS_UNSUPPORTED)
		return "list it under \"optional\" if the port may lack it";
	return r && r->fix[0] && s != STATUS_OK ? r->fix : NULL;
}

static struct item item_of_setting(struct host *h, const struct target *t, unsigned setting)
{
	enum status s = judge(t, setting);
	const struct feature *f = speaker(t, setting);
	struct item item = {
		.name = settings[setting].path,
		.status = s,
		.skipped = t->skipped & SETTING(setting),
		.about = SETTING(setting),
		.desired = &t->task.desired,
		.actual = &t->seen.actual,
		.source = f->source,
		.why = why(t, setting, s),
		.fix = fix(t, setting, s),
	};

	if (s == STATUS_DRIFT && f->likely_cause)
		f->likely_cause(h, &t->task.port, &t->task.desired, &t->seen.actual,
				item.likely_cause);
	if (s == STATUS_DRIFT)
		judge_apply(t, f, &item);
	return item;
}

const char *item_why(const struct item *i)
{
	return i->likely_cause[0] ? i->likely_cause : i->why;
}

const char *item_fix(const struct item *i)
{
	return i->needs[0] ? i->needs : i->fix;
}

static struct item item_of_peer(const struct target *t, const struct counterpart *n,
				const struct config *peer, enum agreement a)
{
	static const char *const names[] = { "peer.pfc", "peer.ets", "peer.app" };
	static const enum status statuses[] = {
		[PEER_STATUS_AGREES] = STATUS_OK,
		[PEER_STATUS_DIFFERS_ALLOWED] = STATUS_OK,
		[PEER_STATUS_UNKNOWN] = STATUS_UNKNOWN,
		[PEER_STATUS_DIFFERS] = STATUS_DRIFT,
	};
	const struct peer_comparison *g = &n->agreed[a];

	return (struct item){
		.name = names[a],
		.status = statuses[g->peer_status],
		.kind = ITEM_PEER,
		.about = agreement_settings(a),
		.desired = &t->seen.actual,
		.actual = peer,
		.source = n->seen.source,
		.why = g->peer_reason ? g->text : NULL,
		.fix = g->peer_reason ? g->peer_reason->fix : NULL,
	};
}

bool asks_for_peer(const struct target *t)
{
	return t->must_agree != 0;
}

size_t items_of(struct host *h, const struct target *t, const struct counterpart *n,
		struct config *peer, struct item ret[ITEMS_MAX])
{
	size_t count = 0;

	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if ((t->task.desired.has | t->skipped) & SETTING(i))
			ret[count++] = item_of_setting(h, t, i);
	if (!n)
		return count;
	*peer = n->seen.heard ? lldp_to_config(&n->seen.peer) : (struct config){ 0 };
	for (enum agreement a = 0; a < AGREE_COUNT; a++)
		if (t->must_agree & (1u << a))
			ret[count++] = item_of_peer(t, n, peer, a);
	return count;
}

static struct item item_of_symptom(const struct active_symptom *c, const char *name)
{
	static const enum status statuses[] = {
		[SYMPTOM_IGNORE] = STATUS_OK,
		[SYMPTOM_INFO] = STATUS_ADVICE,
		[SYMPTOM_WARNING] = STATUS_WARNING,
		[SYMPTOM_CRITICAL] = STATUS_SYMPTOM,
	};

	return (struct item){
		.name = name,
		.status = statuses[c->severity],
		.kind = ITEM_SYMPTOM,
		.source = "counters",
		.why = c->text,
		.fix = c->symptom->next,
		.look = symptom_origin_name(c->origin),
		.severity = symptom_severity_name(c->severity),
	};
}

size_t items_of_counted(const struct counted *n, struct item ret[SYMPTOMS_MAX + 1])
{
	size_t count = 0;

	for (size_t i = 0; i < n->count; i++)
		if (n->active_symptoms[i].severity != SYMPTOM_IGNORE)
			ret[count++] = item_of_symptom(&n->active_symptoms[i], n->names[i]);
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
