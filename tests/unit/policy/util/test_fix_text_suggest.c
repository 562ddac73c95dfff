#include <string.h>

#include "policy/util/fix_text.h"
#include "tests/support/unit.h"

static const char *const words[] = { "mtu",	  "pfc",   "priorities", "cable_m",
				     "bandwidth", "trust", "dscp" };

static const struct suggest_row {
	const char *sentence, *typed, *best;
} rows[] = {
	{ "a missing letter is found", "prioritis", "priorities" },
	{ "a letter too many is found", "priorritieses", "priorities" },
	{ "a wrong letter is found", "priarities", "priorities" },
	{ "two letters swapped are one slip", "mut", "mtu" },
	{ "two pairs swapped are two slips", "badnwidht", "bandwidth" },
	{ "another ending is found", "cable_km", "cable_m" },
	{ "upper case is found", "Trust", "trust" },
	{ "a word is nearest to itself", "dscp", "dscp" },
	{ "what resembles nothing gets no suggestion", "umbrella", NULL },
	{ "an empty word gets no suggestion", "", NULL },
	{ "one letter does not become a word of three", "x", NULL },
	{ "two letters are no slip of two others", "v3", NULL },
	{ "two letters in upper case are found", "MT", NULL },
	{ "a word of four with two other letters gets no suggestion", "pxcm", NULL },
	{ "the beginning of a word is found", "prio", "priorities" },
	{ "a short word never becomes one that shares no letter", "zqx", NULL },
	{ "the nearest wins over the first that would do", "dscpp", "dscp" },
};

static void the_nearest_is_offered(void **s)
{
	const struct suggest_row *row = *s;
	struct suggestion near = suggest_for(row->typed);

	for (size_t i = 0; i < COUNT(words); i++)
		suggest_offer(&near, words[i]);
	if (!row->best)
		assert_null(near.best);
	else if (!near.best)
		fail_msg("nothing is suggested for %s", row->typed);
	else
		assert_string_equal(near.best, row->best);
}

static void the_order_of_the_candidates_does_not_matter(void **s)
{
	struct suggestion near = suggest_for("priority");

	(void)s;
	for (size_t i = COUNT(words); i-- > 0;)
		suggest_offer(&near, words[i]);
	assert_string_equal(near.best, "priorities");
}

static void of_two_that_are_as_near_the_first_wins(void **s)
{
	struct suggestion near = suggest_for("pause.x");

	(void)s;
	suggest_offer(&near, "pause.rx");
	suggest_offer(&near, "pause.tx");
	assert_string_equal(near.best, "pause.rx");
}

static void swapping_neighbours_costs_one_and_other_slips_one_each(void **s)
{
	struct suggestion near = suggest_for("mut");

	(void)s;
	suggest_offer(&near, "mtu");
	assert_int_equal(near.distance, 1);
	near = suggest_for("banwidht");
	suggest_offer(&near, "bandwidth");
	assert_int_equal(near.distance, 2);
}

static void a_word_longer_than_any_is_harmless(void **s)
{
	char lots[5000];
	struct suggestion near;

	(void)s;
	memset(lots, 'm', sizeof(lots));
	lots[sizeof(lots) - 1] = '\0';
	near = suggest_for(lots);
	for (size_t i = 0; i < COUNT(words); i++)
		suggest_offer(&near, words[i]);
	assert_null(near.best);
}

static void words_at_the_limit_of_the_table_are_compared(void **s)
{
	char typed[49], known[49];
	struct suggestion near;

	(void)s;
	memset(typed, 'a', 48);
	memset(known, 'a', 48);
	typed[48] = known[48] = '\0';
	known[47] = 'b';
	near = suggest_for(typed);
	suggest_offer(&near, known);
	assert_ptr_equal(near.best, known);
	assert_int_equal(near.distance, 1);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, the_nearest_is_offered);
	SUITE_ADD(&s, the_order_of_the_candidates_does_not_matter);
	SUITE_ADD(&s, of_two_that_are_as_near_the_first_wins);
	SUITE_ADD(&s, swapping_neighbours_costs_one_and_other_slips_one_each);
	SUITE_ADD(&s, a_word_longer_than_any_is_harmless);
	SUITE_ADD(&s, words_at_the_limit_of_the_table_are_compared);
	return suite_run(&s, "suggest");
}
