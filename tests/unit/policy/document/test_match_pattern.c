/* Tests of the patterns that a policy has for speeds and versions. */
#include <string.h>

#include "policy/document/match.h"
#include "tests/support/unit.h"

static const struct span_row {
	const char *sentence, *text;
	uint32_t min, max; /* max 0: refused */
	const char *told;
} spans[] = {
	{ "at least", ">=100000", 100000, UINT32_MAX, ">=100000" },
	{ "more than", ">40000", 40001, UINT32_MAX, ">=40001" },
	{ "at most", "<=40000", 1, 40000, "<=40000" },
	{ "less than", "<40000", 1, 39999, "<=39999" },
	{ "from to", "25000..50000", 25000, 50000, "25000..50000" },
	{ "from to the same", "7..7", 7, 7, "7" },
	{ "a bare number is no span", "40000", 0, 0, NULL },
	{ "nothing is no span", "", 0, 0, NULL },
	{ "a sign alone is no span", ">=", 0, 0, NULL },
	{ "a unit is no number", ">=100G", 0, 0, NULL },
	{ "a blank is no number", ">= 100000", 0, 0, NULL },
	{ "a negative number is none", ">=-1", 0, 0, NULL },
	{ "from more to less is empty", "50000..25000", 0, 0, NULL },
	{ "less than 1 is empty", "<1", 0, 0, NULL },
	{ "0 is no speed", ">=0", 0, 0, NULL },
	{ "three dots are no span", "1...2", 0, 0, NULL },
	{ "an end is needed", "1..", 0, 0, NULL },
	{ "ten digits are too many", ">=1000000000", 0, 0, NULL },
};

static void is_that_span(void **s)
{
	const struct span_row *row = *s;
	uint32_t min = 0, max = 0;
	char text[SPAN_TEXT_MAX];
	bool ok = span_from_text(row->text, &min, &max);

	assert_int_equal(ok, row->max != 0);
	if (!ok)
		return;
	assert_int_equal(min, row->min);
	assert_int_equal(max, row->max);
	assert_string_equal(span_to_text(min, max, text), row->told);
}

static const struct version_row {
	const char *sentence, *pattern, *version;
	bool holds;
} versions[] = {
	{ "the same is at least", ">=28.39", "28.39", true },
	{ "numbers that are not named do not count", ">=28.39", "28.39.1002", true },
	{ "nor are they more", ">28.39", "28.39.1002", false },
	{ "nor too many", "<=28.39", "28.39.1002", true },
	{ "a later one is at least", ">=28.39", "28.41.1000", true },
	{ "numbers are compared as numbers", ">=28.9", "28.41.1000", true },
	{ "an earlier one is not", ">=28.39", "28.38.1900", false },
	{ "the first number counts most", ">=28.39", "32.1.0", true },
	{ "what a version lacks counts as 0", ">=28.39.1", "28.39", false },
	{ "0 of it is there", ">=28.39.0", "28.39", true },
	{ "less is less", "<28.39", "28.38.1900", true },
	{ "the same is not less", "<28.39", "28.39.1", false },
	{ "the board behind it does not count", ">=28.39.1002", "28.39.1002 (MT_0000000834)",
	  true },
};

static void holds_or_not(void **s)
{
	const struct version_row *row = *s;

	assert_true(version_is_comparison(row->pattern) && version_is_well_formed(row->pattern));
	assert_int_equal(version_satisfies(row->pattern, row->version), row->holds);
}

static const struct sound_row {
	const char *sentence, *pattern;
	bool sound;
} sounds[] = {
	{ "one number is valid", ">=28", true },  { "four are", "<1.2.3.4", true },
	{ "none is not", ">=", false },		  { "a dot at the end is not", ">=28.", false },
	{ "two dots are not", ">=28..1", false }, { "a letter is not", ">=28.x", false },
	{ "a star is not", ">=28.*", false },	  { "ten digits are not", ">=1234567890", false },
};

static void is_sound_or_not(void **s)
{
	const struct sound_row *row = *s;

	assert_int_equal(version_is_well_formed(row->pattern), row->sound);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, spans, is_that_span);
	SUITE_ADD_ROWS(&s, versions, holds_or_not);
	SUITE_ADD_ROWS(&s, sounds, is_sound_or_not);
	return suite_run(&s, "pattern");
}
