#include "port_report.h"

#include <errno.h>
#include <stdlib.h>

#include "../policy/util/oom.h"
#include "advice.h"
#include "output/port_diff.h"

const struct status_word status_words[STATUS_COUNT] = {
	[STATUS_OK] = { "ok", "ok", "OK", EXIT_AS_WISHED, 0 },
	[STATUS_ADVICE] = { "advice", "ok", "OK", EXIT_AS_WISHED, 0 },
	[STATUS_WARNING] = { "advice", "ok", "WARNING", EXIT_AS_WISHED, 1 },
	[STATUS_UNSUPPORTED] = { "unsupported", "unknown", "UNKNOWN", EXIT_CANNOT_TELL, 3 },
	[STATUS_UNKNOWN] = { "unknown", "unknown", "UNKNOWN", EXIT_CANNOT_TELL, 3 },
	[STATUS_SYMPTOM] = { "symptom", "symptom", "CRITICAL", EXIT_DIFFERS, 2 },
	[STATUS_DRIFT] = { "drift", "drift", "CRITICAL", EXIT_DIFFERS, 2 },
};

/* The words for a warning under --strict. */
static const struct status_word strict_word = { "advice", "ok", "CRITICAL", EXIT_DIFFERS, 2 };

void port_reports_free(struct port_reports *a)
{
	free(a->list);
}

static void judge_findings(struct port_report *a)
{
	struct lint_input in = target_lint_input(a->target);

	a->findings = findings_of(&in, 0);
}

static size_t count_findings(const struct port_report *a, enum severity s)
{
	return (size_t)__builtin_popcountll(
		findings_of_severity(a->findings & ~a->repeated, a->target->severities, s));
}

bool port_reports_make(struct port_reports *ret, struct host *h, const struct targets *all,
		       const struct counterpart *found, const struct counted *counted,
		       struct err *err)
{
	lint_set known = 0;

	ret->list = calloc(all->count + 1, sizeof(*ret->list));
	if (!ret->list)
		return err_no_memory(err);
	for (size_t i = 0; i < all->count; i++) {
		struct port_report *a = &ret->list[ret->count++];

		a->target = &all->list[i];
		a->count = items_of(h, a->target, &found[i], &a->peer, a->items);
		if (counted)
			a->rates = &counted[i].rates;
		if (counted)
			a->count += items_of_counted(&counted[i], a->items + a->count);
		judge_findings(a);
		a->host_advice = advice_new(all, i);
		a->repeated = a->findings & known;
		known |= advice_lints(a->findings);
	}
	return true;
}

/* A finding is about what the port has: an error is as bad as a setting that drifted. */
static enum status status_of_findings(const struct port_report *a)
{
	const struct severities *s = a->target->severities;

	if (findings_of_severity(a->findings, s, SEVERITY_ERROR))
		return STATUS_DRIFT;
	return findings_of_severity(a->findings, s, SEVERITY_WARNING) ? STATUS_WARNING : STATUS_OK;
}

enum status port_report_status(const struct port_report *a)
{
	enum status worst = status_of_findings(a);

	if (a->target->refusals_count && worst < STATUS_UNKNOWN)
		worst = STATUS_UNKNOWN;
	for (size_t i = 0; i < a->count; i++)
		if (a->items[i].status > worst)
			worst = a->items[i].status;
	return worst;
}

struct verify_totals port_reports_total(const struct port_reports *all, bool strict)
{
	struct verify_totals n = { .ports = all->count, .strict = strict };

	for (size_t i = 0; i < all->count; i++) {
		const struct port_report *a = &all->list[i];

		n.settings[STATUS_UNKNOWN] += a->target->refusals_count;
		n.errors += count_findings(a, SEVERITY_ERROR);
		n.warnings += count_findings(a, SEVERITY_WARNING);
		n.advised += (size_t)__builtin_popcountll(a->host_advice);
		for (size_t k = 0; k < a->count; k++)
			if (a->items[k].kind == ITEM_SYMPTOM)
				n.counted[a->items[k].status]++;
			else
				n.settings[a->items[k].status]++;
	}
	for (int s = 0; s < STATUS_COUNT; s++)
		n.items += n.settings[s];
	return n;
}

enum status verify_totals_worst(const struct verify_totals *n)
{
	enum status floor = n->errors ? STATUS_DRIFT : n->warnings ? STATUS_WARNING : STATUS_OK;

	for (int s = STATUS_COUNT - 1; s > (int)floor; s--)
		if (n->settings[s] || n->counted[s])
			return (enum status)s;
	return floor;
}

const struct status_word *verify_totals_word(const struct verify_totals *n, enum status worst)
{
	if (n->strict && verify_totals_warnings(n) && status_words[worst].exit_code != EXIT_DIFFERS)
		return &strict_word;
	return &status_words[worst];
}

size_t verify_totals_warnings(const struct verify_totals *n)
{
	return n->warnings + n->advised + n->counted[STATUS_WARNING];
}

size_t verify_totals_symptoms(const struct verify_totals *n)
{
	return n->counted[STATUS_ADVICE] + n->counted[STATUS_WARNING] + n->counted[STATUS_SYMPTOM];
}

size_t verify_totals_unclear(const struct verify_totals *n)
{
	return n->settings[STATUS_UNKNOWN] + n->settings[STATUS_UNSUPPORTED] +
	       n->counted[STATUS_UNKNOWN];
}

struct setup *port_reports_setups(const struct port_reports *all)
{
	struct setup *setups = oom_calloc(all->count + 1, sizeof(*setups));

	for (size_t i = 0; setups && i < all->count; i++)
		setups[i] = (struct setup){ all->list[i].target->task.port.id.name,
					    &all->list[i].target->seen.actual };
	return setups;
}
