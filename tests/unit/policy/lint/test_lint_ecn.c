/* Tests of the lints of ECN, CNPs and DCQCN. */
#include <string.h>

#include "policy/lint/lint.h"
#include "policy/model/setting.h"
#include "tests/support/lint_rows.h"
#include "tests/support/unit.h"
#include "tests/unit/policy/lint/rows_ecn.h"

/* Messages for particular configs. */
static const struct lint_text_row texts[] = {
	{ "a rule without particulars says what it always says",
	  "{'host': {'tcp_ecn': 0}}",
	  "host-tcp-ecn-disabled",
	  "TCP on this host ignores ECN",
	  { 0 } },
	{ "every DCQCN parameter beyond its range is named, with the range",
	  "{'dcqcn': {'rpg_threshold': 32, 'rpg_ai_rate_mbps': 0, 'rpg_hai_rate_mbps': 50}}",
	  "dcqcn-outside-documented-range",
	  "outside what is documented: dcqcn.rpg_threshold (1 to 31), dcqcn.rpg_ai_rate_mbps (1 to "
	  "131071)",
	  { 0 } },
	{ "the program is named",
	  DCQCN,
	  "dcqcn-replaced",
	  "doca_spcx_cc runs another congestion control in this port's adapter: DCQCN settings "
	  "have no effect",
	  { .congestion_program = "doca_spcx_cc" } },
};

/* The lint must cover every setting that accepts values above its documented range. */
static void every_documented_range_is_judged(void **s)
{
	const struct capabilities none = { 0 };
	const struct lint *r;
	size_t i;

	(void)s;
	for (i = 0; (r = lint_at(i)) && strcmp(r->name, "dcqcn-outside-documented-range") != 0; i++)
		;
	for (size_t k = 0; k < SETTING_COUNT; k++) {
		struct config c = { .has = SETTING(k) };

		if (!settings[k].documented_max || settings[k].documented_max >= settings[k].max)
			continue;
		setting_set_element(&settings[k], &c, 0, settings[k].documented_max);
		assert_false(lint_fails(r, &c, &none));
		setting_set_element(&settings[k], &c, 0, (int64_t)settings[k].documented_max + 1);
		if (!lint_fails(r, &c, &none))
			fail_msg("%s", settings[k].path);
	}
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, ecn_rows, lint_breaks_exactly);
	SUITE_ADD_ROWS(&s, texts, lint_says);
	for (size_t i = 0; i < COUNT(ecn_ports); i++)
		suite_add(&s, ecn_ports[i].row.sentence, lint_port_breaks_exactly, &ecn_ports[i]);
	SUITE_ADD(&s, every_documented_range_is_judged);
	return suite_run(&s, "lint_ecn");
}
