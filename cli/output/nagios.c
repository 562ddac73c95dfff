#include "nagios.h"

#include <stdio.h>

#include "print.h"
#include "rates_text.h"
#include "status_words.h"

/* Returns the name of the first item or finding of the worst status; NULL: none. */
static const char *first_as_bad(const struct port_report *a, enum status worst)
{
	enum severity s = worst == STATUS_DRIFT ? SEVERITY_ERROR : SEVERITY_WARNING;
	lint_set found = findings_of_severity(a->findings, a->target->severities, s);

	for (size_t i = 0; i < a->count; i++)
		if (a->items[i].status == worst)
			return a->items[i].name;
	if (found && (worst == STATUS_DRIFT || worst == STATUS_WARNING))
		return lint_at((size_t)__builtin_ctzll(found))->name;
	return NULL;
}

/* Names one item of the worst status, because operators read this line on a pager. */
static void name_worst(const struct port_reports *all, enum status worst)
{
	for (size_t i = 0; i < all->count; i++) {
		const char *name = first_as_bad(&all->list[i], worst);

		if (!name)
			continue;
		print_outside(stdout, "%s %s, ", all->list[i].target->task.port.id.name, name);
		return;
	}
}

/* Prints ", 2 symptoms"; nothing if n is 0. */
static void print_count(size_t n, const char *one, const char *more)
{
	if (n)
		printf(", %zu %s%s", n, one, n == 1 ? "" : more);
}

int print_nagios(const struct cli *c, const struct verify_run *r)
{
	const struct verify_totals *n = &r->totals;
	const struct status_word *word = status_word_of_run(n, r->worst, c->opt.strict);

	printf("LOSSLESSCTL %s - ", word->nagios);
	if (r->unmet.count)
		print_outside(stdout, "%s, ", r->unmet.first.text);
	if (word->nagios_code)
		name_worst(&r->ports, r->worst);
	printf("%zu of %zu settings on %zu port%s in sync", n->settings[STATUS_OK], n->items,
	       n->ports, n->ports == 1 ? "" : "s");
	print_count(n->errors, "error finding", "s");
	print_count(n->warnings, "warning", "s");
	print_count(n->advised, "advisory", "");
	if (c->opt.sample_for_s)
		printf(", %zu symptom%s in %u s", verify_totals_symptoms(n),
		       verify_totals_symptoms(n) == 1 ? "" : "s", c->opt.sample_for_s);
	printf("|drift=%zu;;0 unknown=%zu ports=%zu errors=%zu;;0 warnings=%zu;0",
	       n->settings[STATUS_DRIFT], verify_totals_unknown(n), n->ports, n->errors,
	       n->warnings);
	if (c->opt.sample_for_s)
		printf(" symptoms=%zu", verify_totals_symptoms(n));
	print_rates_perfdata(&r->ports);
	printf("\n");
	return word->nagios_code;
}

int print_nagios_failure(const struct err *err)
{
	print_outside(stdout, "LOSSLESSCTL UNKNOWN - %s%s%s", err->where, err->where[0] ? ": " : "",
		      err->text);
	putchar('\n');
	return status_words[STATUS_UNKNOWN].nagios_code;
}
