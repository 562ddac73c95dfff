/* Tests of curves in one line of text. */
#include <math.h>
#include <string.h>

#include "cli/watch/live.h"
#include "tests/support/unit.h"

#define N (double)NAN

static const struct row {
	const char *sentence;
	unsigned width, count;
	double top;
	bool utf8;
	double values[10];
	const char *text;
} rows[] = {
	{ "every level has its block", 8, 8, 7, true, { 0, 1, 2, 3, 4, 5, 6, 7 }, "▁▂▃▄▅▆▇█" },
	{ "every level has its letter",
	  9,
	  9,
	  8,
	  false,
	  { 0, 1, 2, 3, 4, 5, 6, 7, 8 },
	  ".:-=+*#%@" },
	{ "a little is more than zero", 3, 3, 100, true, { 0, 0.001, 0 }, "▁▂▁" },
	{ "only the top is the highest", 2, 2, 100, true, { 99.9, 85 }, "█▇" },
	{ "what is not known is blank, and no zero", 3, 3, 100, true, { 0, N, 0 }, "▁ ▁" },
	{ "what is not known is blank in letters, too", 3, 3, 100, false, { 100, N, 0 }, "@ ." },
	{ "what was not yet is blank", 5, 2, 100, true, { 100, 0 }, "   █▁" },
	{ "nothing at all is blank", 4, 0, 100, true, { 0 }, "    " },
	{ "the newest is at the right and the oldest goes",
	  3,
	  5,
	  8,
	  false,
	  { 8, 8, 0, 1, 8 },
	  ".:@" },
	{ "without a top the most that is shown is the top", 2, 2, 0, false, { 5, 2.5 }, "@+" },
	{ "what is no longer shown is no top", 2, 3, 0, false, { 1000, 8, 1 }, "@:" },
	{ "all zero without a top is low", 2, 2, 0, true, { 0, 0 }, "▁▁" },
	{ "more than the top is as high as the top", 1, 1, 100, true, { 250 }, "█" },
	{ "less than nothing is zero", 1, 1, 100, true, { -5 }, "▁" },
	{ "no width is no text", 0, 2, 100, true, { 1, 2 }, "" },
};

static void that_is_the_curve(void **s)
{
	const struct row *row = *s;
	struct curve c = { .count = 0 };
	char buf[SPARKLINE_MAX];

	for (unsigned i = 0; i < row->count; i++)
		curve_add(&c, row->values[i]);
	assert_string_equal(sparkline(&c, row->width, row->top, row->utf8, buf), row->text);
}

static void a_curve_forgets_its_beginning(void **s)
{
	struct curve c = { .count = 0 };
	char buf[SPARKLINE_MAX];

	(void)s;
	for (unsigned i = 0; i < CURVE_MAX + 7; i++)
		curve_add(&c, i == 6 ? 100 : 0);
	assert_int_equal(c.count, CURVE_MAX);
	sparkline(&c, 2 * CURVE_MAX, 100, true, buf);
	assert_int_equal(strlen(buf), SPARKLINE_MAX - 1);
	assert_null(strstr(buf, "█"));
	curve_add(&c, 100);
	sparkline(&c, 1, 100, true, buf);
	assert_string_equal(buf, "█");
}

int main(void)
{
	static struct suite suite;

	SUITE_ADD_ROWS(&suite, rows, that_is_the_curve);
	SUITE_ADD(&suite, a_curve_forgets_its_beginning);
	return suite_run(&suite, "sparkline");
}
