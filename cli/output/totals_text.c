#include "totals_text.h"

#include "../../agent/engine/job_environment.h"

#include "print.h"

/* In reading order. */
enum part {
	PART_DRIFTED,
	PART_UNKNOWN,
	PART_CRITICAL,
	PART_WARNINGS,
	PART_ADVISED,
	PART_SYMPTOMS,
	PART_UNMET,
	PART_ENVIRONMENT,
	PART_COUNT
};

static const struct {
	const char *one, *more;
} words[PART_COUNT] = {
	[PART_DRIFTED] = { "drifted", "drifted" },
	[PART_UNKNOWN] = { "unknown or unsupported", "unknown or unsupported" },
	[PART_CRITICAL] = { "critical finding", "critical findings" },
	[PART_WARNINGS] = { "warning", "warnings" },
	[PART_ADVISED] = { "host setting advised", "host settings advised" },
	[PART_SYMPTOMS] = { "symptom", "symptoms" },
	[PART_UNMET] = { "rule unmet", "rules unmet" },
	[PART_ENVIRONMENT] = { "environment unknown", "environments unknown" },
};

static size_t count_of(const struct verify_run *r, enum part p)
{
	const struct verify_totals *n = &r->totals;
	const size_t counts[PART_COUNT] = {
		[PART_DRIFTED] = n->settings[STATUS_DRIFT],
		[PART_UNKNOWN] = verify_totals_unknown(n),
		[PART_CRITICAL] = n->critical,
		[PART_WARNINGS] = n->warnings,
		[PART_ADVISED] = n->advised,
		[PART_SYMPTOMS] = verify_totals_symptoms(n),
		[PART_UNMET] = r->unmet.count,
		[PART_ENVIRONMENT] =
			r->environment ? environment_verdict_unknown(r->environment) : 0,
	};

	return counts[p];
}

/* One entry of the worst status: operators read its name on a pager. */
struct example {
	const char *port, *name; /* "ens1f0np0", or the file of an environment; "mtu" */
	enum part part;
};

static enum part part_of(const struct item *i)
{
	if (i->status == STATUS_UNKNOWN || i->status == STATUS_UNSUPPORTED)
		return PART_UNKNOWN;
	if (i->kind == ITEM_SYMPTOM)
		return PART_SYMPTOMS;
	return i->status == STATUS_DRIFT ? PART_DRIFTED : PART_ADVISED;
}

static bool find_item(const struct port_report *a, enum status worst, struct example *ret)
{
	for (size_t i = 0; i < a->count; i++)
		if (a->items[i].status == worst) {
			ret->name = a->items[i].name;
			ret->part = part_of(&a->items[i]);
			return true;
		}
	if (worst != STATUS_UNKNOWN || !a->target->refusals_count)
		return false;
	ret->name = a->target->refusals[0].setting;
	ret->part = PART_UNKNOWN;
	return true;
}

static bool find_finding(const struct port_report *a, enum status worst, struct example *ret)
{
	bool is_critical = worst == STATUS_DRIFT;
	lint_set found = findings_of_severity(a->findings, a->target->severities,
					      is_critical ? SEVERITY_CRITICAL : SEVERITY_WARNING);

	if (!found || (!is_critical && worst != STATUS_WARNING))
		return false;
	ret->name = lint_at((size_t)__builtin_ctzll(found))->name;
	ret->part = is_critical ? PART_CRITICAL : PART_WARNINGS;
	return true;
}

static bool is_of_status(const struct environment_verdict *v, const struct environment_item *item,
			 enum status s)
{
	enum severity severity = environment_item_severity(v, item);

	return s == STATUS_UNKNOWN ? item->is_unknown
	       : s == STATUS_DRIFT ? severity == SEVERITY_CRITICAL
				   : s == STATUS_WARNING && severity == SEVERITY_WARNING;
}

static bool find_in_environment(const struct environment_verdict *v, enum status worst,
				struct example *ret)
{
	static const enum part parts[STATUS_COUNT] = { [STATUS_UNKNOWN] = PART_ENVIRONMENT,
						       [STATUS_DRIFT] = PART_CRITICAL,
						       [STATUS_WARNING] = PART_WARNINGS };

	if (v && worst == STATUS_UNKNOWN && v->unknown.kind) {
		*ret = (struct example){ v->unknown.where, v->unknown.text, PART_ENVIRONMENT };
		return true;
	}
	for (size_t i = 0; v && i < v->report.count; i++) {
		const struct environment_item *item = &v->report.items[i];

		if (!is_of_status(v, item, worst))
			continue;
		*ret = (struct example){ item->source ? item->source->label : "",
					 variables[item->variable].name, parts[worst] };
		return true;
	}
	return false;
}

/* Prefers items, which are more urgent than findings. */
static bool find_example(const struct verify_run *r, struct example *ret)
{
	bool (*const finders[])(const struct port_report *, enum status,
				struct example *) = { find_item, find_finding };

	for (size_t f = 0; f < sizeof(finders) / sizeof(finders[0]); f++)
		for (size_t i = 0; i < r->ports.count; i++)
			if (finders[f](&r->ports.list[i], r->worst, ret)) {
				ret->port = r->ports.list[i].target->task.port.id.name;
				return true;
			}
	return find_in_environment(r->environment, r->worst, ret);
}

static void print_part(FILE *to, enum part p, size_t n)
{
	fprintf(to, "%zu %s", n, n == 1 ? words[p].one : words[p].more);
}

void print_totals(FILE *to, const struct verify_run *r, unsigned seconds, const char *sep,
		  bool example)
{
	const struct verify_totals *n = &r->totals;
	struct example e = { .part = PART_COUNT };

	if (example && find_example(r, &e)) {
		size_t count = count_of(r, e.part);

		print_part(to, e.part, count);
		print_outside(to, " (%s%s%s%s)%s", e.port, e.port[0] ? " " : "", e.name,
			      count > 1 ? ", ..." : "", sep);
	}
	fprintf(to, "%zu of %zu setting%s on %zu port%s in sync", n->settings[STATUS_OK], n->items,
		n->items == 1 ? "" : "s", n->ports, n->ports == 1 ? "" : "s");
	for (enum part p = 0; p < PART_COUNT; p++) {
		bool sampled = p == PART_SYMPTOMS && seconds;

		if (p == e.part || (!count_of(r, p) && !sampled))
			continue;
		fputs(sep, to);
		print_part(to, p, count_of(r, p));
		if (sampled)
			fprintf(to, " in %u s", seconds);
	}
}

void print_strict_causes(FILE *to, const struct verify_totals *n)
{
	const struct {
		enum part part;
		size_t count;
	} causes[] = { { PART_WARNINGS, n->warnings },
		       { PART_SYMPTOMS, n->counted[STATUS_WARNING] },
		       { PART_ADVISED, n->advised } };
	const char *sep = "";

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (causes[i].count) {
			fputs(sep, to);
			print_part(to, causes[i].part, causes[i].count);
			sep = ", ";
		}
}
