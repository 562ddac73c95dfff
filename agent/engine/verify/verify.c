#include "verify.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../../policy/util/oom.h"
#include "../../host/cleanup.h"
#include "../../monitor/symptom.h"
#include "../engine.h"
#include "../job_environment.h"
#include "../journal/lost_settings.h"
#include "../target/preflight.h"
#include "drift_cause.h"
#include "judge.h"

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
	r->unmet = unmet_find(e, r->policy, &r->inventory, !r->has_no_policy);
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

bool port_report_is_idle(const struct port_report *a)
{
	size_t i = 0;

	while (i < a->count && a->items[i].status == STATUS_SKIPPED)
		i++;
	return i == a->count && !a->target->refusals_count;
}

/* If the ports have none of the settings, nothing is verified: silence would look like health. */
static void note_skipped(struct verify_run *r)
{
	struct err *err = &r->unmet.first;

	if (r->has_no_policy || r->unmet.count || !r->ports.count)
		return;
	for (size_t i = 0; i < r->ports.count; i++)
		if (!port_report_is_idle(&r->ports.list[i]))
			return;
	r->unmet.count = 1;
	err_record(err, ERR_UNKNOWN, ENODATA,
		   "each setting of these ports is skipped: nothing was verified");
	err_fix(err, "verify --all has the reasons; with --firmware it queries firmware.*");
	err_in(err, "%s", r->policy->source);
}

bool verify_judge(const struct engine *e, struct verify_run *r, struct err *err)
{
	if (!port_reports_make(e, &r->targets, r->peers, r->counted, &r->ports, err))
		return false;
	r->totals = port_reports_total(&r->ports);
	note_skipped(r);
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
