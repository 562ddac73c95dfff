#include "verify.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../policy/util/oom.h"
#include "../../host/cleanup.h"
#include "../../monitor/symptom.h"
#include "../engine.h"
#include "../job_environment.h"
#include "../journal/lost_settings.h"
#include "../target/preflight.h"
#include "drift_cause.h"

setting_set advice_settings(struct features all)
{
	setting_set set = 0;

	for (size_t i = 0; i < all.count; i++)
		if (all.list[i]->is_advice)
			set |= all.list[i]->owns;
	return set;
}

lint_set advice_lints(struct features all, lint_set findings)
{
	setting_set advised = advice_settings(all);

	for (size_t i = 0; i < LINTS_MAX; i++)
		if ((findings & LINT(i)) && !lint_at(i)->of_host &&
		    (lint_reads(lint_at(i)) & ~advised))
			findings &= ~LINT(i);
	return findings;
}

static setting_set not_in_sync(struct features all, const struct target *t)
{
	return advice_settings(all) & config_diff(&t->task.desired, &t->seen.actual) &
	       t->seen.actual.has;
}

static bool is_known(struct features features, const struct targets *all, size_t at,
		     unsigned setting)
{
	const struct config *desired = &all->list[at].task.desired;

	for (size_t i = 0; i < at; i++)
		if ((not_in_sync(features, &all->list[i]) & SETTING(setting)) &&
		    !(config_diff(desired, &all->list[i].task.desired) & SETTING(setting)))
			return true;
	return false;
}

setting_set advice_new(struct features features, const struct targets *all, size_t at)
{
	setting_set set = not_in_sync(features, &all->list[at]);

	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if ((set & SETTING(k)) && is_known(features, all, at, k))
			set &= ~SETTING(k);
	return set;
}

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

void port_reports_free(struct port_reports *a)
{
	free(a->refusals);
	free(a->list);
}

/*
 * Finds what an apply would refuse now, in copies of the targets. Guards that depend on the session
 * and on traffic are not asked: the next apply may come by another way.
 */
static bool foresee_apply(const struct engine *e, const struct targets *all, struct targets *ret,
			  struct err *err)
{
	struct engine quiet = *e;

	quiet.h = NULL;
	quiet.warn = NULL;
	ret->list = calloc(all->count + 1, sizeof(*ret->list));
	if (!ret->list)
		return err_no_memory(err);
	for (; ret->count < all->count; ret->count++) {
		struct target *t = &ret->list[ret->count];

		*t = all->list[ret->count];
		task_plan(&t->task, observation_features(&t->seen), &t->seen.actual);
		preflight(&quiet, t);
	}
	bonds_check(ret);
	return true;
}

/* Copies why an apply of each port would be refused. */
static bool copy_refusals(const struct targets *foreseen, struct port_reports *ret, struct err *err)
{
	size_t total = 0;

	for (size_t i = 0; i < foreseen->count; i++)
		total += foreseen->list[i].refusals_count;
	ret->refusals = calloc(total + 1, sizeof(*ret->refusals));
	if (!ret->refusals)
		return err_no_memory(err);
	total = 0;
	for (size_t i = 0; i < foreseen->count; i++) {
		const struct target *t = &foreseen->list[i];

		memcpy(&ret->refusals[total], t->refusals,
		       t->refusals_count * sizeof(*ret->refusals));
		ret->list[i].refusals = &ret->refusals[total];
		ret->list[i].refusals_count = t->refusals_count;
		total += t->refusals_count;
	}
	return true;
}

static void find_lints(struct port_report *a)
{
	struct lint_input in = target_lint_input(a->target);

	a->findings = findings_of(&in, 0);
}

static size_t count_findings(const struct port_report *a, enum severity s)
{
	return (size_t)__builtin_popcountll(
		findings_of_severity(a->findings & ~a->repeated, a->target->severities, s));
}

bool port_reports_make(const struct engine *e, const struct targets *all, const struct peer *peers,
		       const struct counted *counted, struct port_reports *ret, struct err *err)
{
	const struct features features = e->backends->features;
	_targets_ struct targets foreseen = { NULL, 0 };
	lint_set known = 0;

	ret->list = calloc(all->count + 1, sizeof(*ret->list));
	if (!ret->list)
		return err_no_memory(err);
	if (!foresee_apply(e, all, &foreseen, err) || !copy_refusals(&foreseen, ret, err))
		return false;
	for (size_t i = 0; i < all->count; i++) {
		struct port_report *a = &ret->list[ret->count++];

		a->target = &all->list[i];
		a->count = items_of(e, a->target, &foreseen.list[i], peers ? &peers[i] : NULL,
				    a->items);
		if (counted)
			a->rates = &counted[i].rates;
		if (counted)
			a->count += items_of_counted(&counted[i], a->items + a->count);
		find_lints(a);
		a->host_advice = advice_new(features, all, i);
		a->repeated = a->findings & known;
		known |= advice_lints(features, a->findings);
	}
	return true;
}

enum status port_report_status(const struct port_report *a)
{
	enum status worst = judge_findings(a->findings, a->target->severities);

	if (a->target->refusals_count)
		worst = worse_status(worst, STATUS_UNKNOWN);
	for (size_t i = 0; i < a->count; i++)
		worst = worse_status(worst, a->items[i].status);
	return worst;
}

static void count_item(struct verify_totals *n, const struct item *i)
{
	bool counts = !i->of_host || (i->status != STATUS_OK && i->status != STATUS_ADVICE);

	if (i->kind == ITEM_SYMPTOM)
		n->counted[i->status]++;
	else if (counts)
		n->settings[i->status]++;
}

struct verify_totals port_reports_total(const struct port_reports *all)
{
	struct verify_totals n = { .ports = all->count };

	for (size_t i = 0; i < all->count; i++) {
		const struct port_report *a = &all->list[i];

		assert(a->target);
		n.settings[STATUS_UNKNOWN] += a->target->refusals_count;
		n.critical += count_findings(a, SEVERITY_CRITICAL);
		n.warnings += count_findings(a, SEVERITY_WARNING);
		n.advised += (size_t)__builtin_popcountll(a->host_advice);
		for (size_t k = 0; k < a->count; k++)
			count_item(&n, &a->items[k]);
	}
	for (int s = 0; s < STATUS_COUNT; s++)
		n.items += s == STATUS_SKIPPED ? 0 : n.settings[s];
	return n;
}

enum status verify_totals_worst(const struct verify_totals *n)
{
	enum status floor = n->critical	  ? STATUS_DRIFT
			    : n->warnings ? STATUS_WARNING
			    : n->advised  ? STATUS_ADVICE
					  : STATUS_OK;

	for (int s = STATUS_COUNT - 1; s > (int)floor; s--)
		if (n->settings[s] || n->counted[s])
			return (enum status)s;
	return floor;
}

bool verify_fails_by_strict(const struct verify_totals *n, enum status worst, bool strict)
{
	return strict && verify_totals_warnings(n) &&
	       status_words[status_word(worst)].severity != SEVERITY_CRITICAL;
}

enum word verify_word(const struct verify_totals *n, enum status worst, bool strict)
{
	return verify_fails_by_strict(n, worst, strict) ? WORD_CRITICAL : status_word(worst);
}

size_t verify_totals_warnings(const struct verify_totals *n)
{
	return n->warnings + n->advised + n->counted[STATUS_WARNING];
}

size_t verify_totals_symptoms(const struct verify_totals *n)
{
	return n->counted[STATUS_ADVICE] + n->counted[STATUS_WARNING] + n->counted[STATUS_SYMPTOM];
}

size_t verify_totals_unknown(const struct verify_totals *n)
{
	return n->settings[STATUS_UNKNOWN] + n->settings[STATUS_UNSUPPORTED] +
	       n->counted[STATUS_UNKNOWN];
}

void verify_run_free(struct verify_run *r)
{
	port_reports_free(&r->ports);
	free(r->counted);
	free(r->peers);
	targets_free(&r->targets);
	inventory_free(&r->inventory);
}

bool verify_find_ports(const struct engine *e, struct verify_run *r, struct err *err)
{
	if (!inventory_read(e, &e->selection, &r->inventory, err) ||
	    !targets_choose(e, r->policy, &r->inventory, &r->targets, err))
		return false;
	r->unmet = unmet_find(e, r->policy, &r->inventory, true);
	return true;
}

bool verify_observe(const struct engine *e, struct verify_run *r, struct err *err)
{
	for (size_t i = 0; i < r->targets.count; i++) {
		struct target *t = &r->targets.list[i];

		if (!target_observe(e, t, err))
			return false;
		if (e->h)
			lost_settings_reveal(e->h, &t->task.port, &t->seen);
	}
	if (e->captured)
		return e->captured->read_peers(e->captured, &r->targets, &r->peers, err);
	return e->backends->read_peers(e->h, &r->targets, e->listen_s, &r->peers, err);
}

bool verify_count(const struct engine *e, struct verify_run *r, unsigned seconds, struct err *err)
{
	return counter_check_run(e, seconds, &r->policy->thresholds, &r->targets, &r->counted, err);
}

bool verify_judge(const struct engine *e, struct verify_run *r, struct err *err)
{
	if (!port_reports_make(e, &r->targets, r->peers, r->counted, &r->ports, err))
		return false;
	r->totals = port_reports_total(&r->ports);
	r->worst = verify_totals_worst(&r->totals);
	if (r->unmet.count)
		r->worst = worse_status(r->worst, STATUS_UNKNOWN);
	return true;
}

void verify_add_environment(struct verify_run *r, const struct environment_verdict *v)
{
	r->environment = v;
	r->totals.critical += environment_verdict_count(v, SEVERITY_CRITICAL);
	r->totals.warnings += environment_verdict_count(v, SEVERITY_WARNING);
	r->worst = worse_status(r->worst, environment_verdict_worst(v));
}
