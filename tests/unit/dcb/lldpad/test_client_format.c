/* Tests of writing ETS and PFC in lldpad's syntax. */
#include <string.h>

#include "dcb/lldpad/client.h"
#include "policy/model/config.h"
#include "tests/support/unit.h"

static const struct words_row {
	const char *sentence;
	uint8_t tsa[PRIOS], bandwidth[PRIOS];
	const char *tcbw, *words; /* NULL: refused, or not written */
} words[] = {
	{ "shares of ETS classes are said",
	  { TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_STRICT, TSA_ETS },
	  { 50, 0, 0, 50 },
	  "50,0,0,50,0,0,0,0",
	  "0:ets,1:ets,2:ets,3:ets,4:ets,5:ets,6:strict,7:ets" },
	{ "shares of other classes are not",
	  { TSA_STRICT, TSA_ETS },
	  { 100, 100, 100 },
	  "0,100,0,0,0,0,0,0",
	  "0:strict,1:ets,2:strict,3:strict,4:strict,5:strict,6:strict,7:strict" },
	{ "without ETS no shares are said, which lldpad would not take",
	  { TSA_STRICT },
	  { 0 },
	  NULL,
	  "0:strict,1:strict,2:strict,3:strict,4:strict,5:strict,6:strict,7:strict" },
	{ "every algorithm has its word",
	  { TSA_CBS, TSA_VENDOR, TSA_CBS, TSA_CBS, TSA_CBS, TSA_CBS, TSA_CBS, TSA_CBS },
	  { 0 },
	  NULL,
	  "0:cb_shaper,1:vendor,2:cb_shaper,3:cb_shaper,4:cb_shaper,5:cb_shaper,6:cb_shaper,"
	  "7:cb_shaper" },
	{ "shares that add up to less are refused", { TSA_ETS, TSA_ETS }, { 50, 49 }, NULL, NULL },
	{ "shares that are not said at all are refused", { TSA_ETS }, { 0 }, NULL, NULL },
};

static const char *value_of(const struct lldpad_args *a, const char *name)
{
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->list[i].name, name) == 0)
			return a->list[i].value;
	return NULL;
}

static void ets_in_words(void **s)
{
	static const uint8_t prio_tc[PRIOS] = { 7, 6, 5, 4, 3, 2, 1, 0 };
	const struct words_row *row = *s;
	struct lldpad_args a = { .count = 0 };
	struct err err = { 0 };

	if (!lldpad_args_add_ets(&a, prio_tc, row->tsa, row->bandwidth, &err)) {
		assert_null(row->words);
		assert_int_equal(a.count, 0);
		return;
	}
	assert_string_equal(value_of(&a, "tsa"), row->words);
	assert_string_equal(value_of(&a, "up2tc"), "0:7,1:6,2:5,3:4,4:3,5:2,6:1,7:0");
	if (row->tcbw)
		assert_string_equal(value_of(&a, "tcbw"), row->tcbw);
	else
		assert_null(value_of(&a, "tcbw"));
	assert_false(a.overflowed);
}

static void pfc_in_words(void **s)
{
	static const struct {
		uint8_t mask;
		const char *words;
	} rows[] = { { 0, "none" }, { 1 << 3, "3" }, { 0x81, "0,7" }, { 0xff, "0,1,2,3,4,5,6,7" } };

	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct lldpad_args a = { .count = 0 };

		lldpad_args_add_pfc(&a, rows[i].mask);
		assert_string_equal(value_of(&a, "enabled"), rows[i].words);
	}
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, words, ets_in_words);
	SUITE_ADD(&s, pfc_in_words);
	return suite_run(&s, "format");
}
