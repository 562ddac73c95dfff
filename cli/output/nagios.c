#include "nagios.h"

#include <stdio.h>

#include "print.h"
#include "rates_text.h"
#include "status_words.h"
#include "totals_text.h"

int print_nagios(const struct cli *c, const struct verify_run *r)
{
	const struct verify_totals *n = &r->totals;
	const struct status_word *word = status_word_of_run(n, r->worst, c->opt.strict);

	printf("LOSSLESSCTL %s - ", word->nagios);
	if (r->unmet.count)
		print_outside(stdout, "%s, ", r->unmet.first.text);
	print_totals(stdout, r, c->opt.sample_for_s, ", ", word->nagios_code);
	if (verify_fails_by_strict(n, r->worst, c->opt.strict))
		fputs(", fails because of --strict", stdout);
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
