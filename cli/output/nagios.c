#include "nagios.h"

#include <stdio.h>
#include <string.h>

#include "../../agent/engine/journal/unfinished.h"
#include "../../agent/host/cleanup.h"
#include "print.h"
#include "rates_text.h"
#include "totals_text.h"

void print_nagios_text(char *text)
{
	for (char *bar = text; (bar = strchr(bar, '|'));)
		*bar = '/';
	print_clean(stdout, text);
}

static void print_outcome(const struct cli *c, const struct verify_run *r, bool example)
{
	_free_ char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (to) {
		if (r->unmet.count)
			fprintf(to, "%s, ", r->unmet.first.text);
		print_totals(to, r, c->opt.sample_for_s, ", ", example);
		if (verify_fails_by_strict(&r->totals, r->worst, c->opt.strict))
			fputs(", fails because of --strict", to);
	}
	*c->output_lost = *c->output_lost || !to || fclose(to) != 0;
	if (text)
		print_nagios_text(text);
}

int print_nagios(const struct cli *c, const struct verify_run *r)
{
	const struct verify_totals *n = &r->totals;
	struct nagios_state state = nagios_state_of_word(verify_word(n, r->worst, c->opt.strict));
	bool left = c->h && unfinished_is_left(c->h), is_bad = state.code;

	if (left && !state.code)
		state = nagios_state_of_word(WORD_WARNING);
	printf("LOSSLESSCTL %s - %s", state.word,
	       left ? "a run is incomplete (`losslessctl rollback --list`), " : "");
	print_outcome(c, r, is_bad);
	printf("|drift=%zu;;0 unknown=%zu ports=%zu critical=%zu;;0 warnings=%zu;0",
	       n->settings[STATUS_DRIFT], verify_totals_unknown(n), n->ports, n->critical,
	       n->warnings);
	if (c->opt.sample_for_s)
		printf(" symptoms=%zu", verify_totals_symptoms(n));
	print_rates_perfdata(&r->ports);
	printf("\n");
	return state.code;
}

int print_nagios_failure(const struct err *err)
{
	char text[sizeof(err->where) + sizeof(err->text) + 2];

	snprintf(text, sizeof(text), "%s%s%s", err->where, err->where[0] ? ": " : "", err->text);
	fputs("LOSSLESSCTL UNKNOWN - ", stdout);
	print_nagios_text(text);
	putchar('\n');
	return nagios_state_of_word(WORD_UNKNOWN).code;
}
