/* Tests of bars by day: they stand on the line, add up to the hosts, and stay in the picture. */
#include <math.h>

#include "cli/fleet/page/page_section.h"
#include "tests/support/fleet_base.h"
#include "tests/support/unit.h"

#define BASE 176.0 /* y of zero hosts; the top of the picture is 12 */
#define TOP  12.0

/* A drift of `setting` on hosts `first` to `last` on a day of November. */
#define DRIFT(day, first, last, setting) \
	"INSERT INTO reports SELECT 100 * " #day " + n, 'h' || n || '" #day "', 'verify', " \
	"'2026-11-" #day "T12:00:00Z', 'state', 'h', NULL, '1', NULL, NULL, NULL, 'drift', NULL, " \
	"1, 1, 0 FROM (WITH RECURSIVE c (n) AS (SELECT " #first " UNION ALL SELECT n + 1 FROM c " \
	"WHERE n < " #last ") SELECT n FROM c);" \
	"INSERT INTO setting_reports SELECT report_id, 'p', '" setting "', 'drift', 0, '1', '2' " \
	"FROM reports WHERE report_id BETWEEN 100 * " #day " + " #first " AND 100 * " #day \
	" + " #last ";"

static struct drawing drawn;

static const char *draw(const char *sql)
{
	static const struct page_section section = { .title = "Drift" };
	struct err err = { 0 };

	drawing_open(&drawn, fleet_base(sql));
	if (!page_chart_drift(&drawn.page, &section, &err))
		fail_msg("%s", err.text);
	drawing_close(&drawn);
	return drawn.text;
}

struct bar {
	int series;
	double x, y, width, height;
};

static size_t read_bars(const char *text, struct bar *bars, size_t most)
{
	size_t n = 0;

	for (; n < most && (text = strstr(text, "<rect class=series")); text++, n++)
		assert_int_equal(sscanf(text,
					"<rect class=series%d x=%lf y=%lf width=%lf height=%lf>",
					&bars[n].series, &bars[n].x, &bars[n].y, &bars[n].width,
					&bars[n].height),
				 5);
	return n;
}

static void is_near(double a, double b)
{
	if (fabs(a - b) > 0.11)
		fail_msg("%f is not %f", a, b);
}

static void a_fleet_without_drift_has_no_chart(void **state)
{
	(void)state;
	assert_string_equal(draw(""), "");
	drawing_free(&drawn);
}

/* Nine hosts are below a line of 10; three of them are a third of the bar. */
static void bars_of_a_day_pile_up(void **state)
{
	static const int hosts[] = { 5, 3, 1 };
	struct bar bars[4];
	const char *text = draw(DRIFT(20, 1, 5, "mtu") DRIFT(20, 11, 13, "trust")
					DRIFT(20, 21, 21, "link.fec"));
	double top = BASE;

	(void)state;
	assert_int_equal(read_bars(text, bars, COUNT(bars)), 3);
	for (size_t i = 0; i < 3; i++) {
		is_near(bars[i].height, (BASE - TOP) * hosts[i] / 10);
		is_near(bars[i].y + bars[i].height, top);
		top = bars[i].y;
	}
	assert_non_null(strstr(text, "aria-label=\"Drift, up to 9 a day\""));
	assert_non_null(strstr(text, "2026-11-20 · mtu: 5 hosts"));
	drawing_free(&drawn);
}

static void bars_of_many_days_do_not_touch(void **state)
{
	struct bar bars[4];
	const char *text =
		draw(DRIFT(01, 1, 1, "mtu") DRIFT(29, 1, 1, "mtu") DRIFT(30, 1, 1, "mtu"));

	(void)state;
	assert_int_equal(read_bars(text, bars, COUNT(bars)), 3);
	assert_true(bars[1].x + bars[1].width < bars[2].x);
	drawing_free(&drawn);
}

static void a_day_without_drift_keeps_its_place(void **state)
{
	struct bar bars[4];
	const char *text =
		draw(DRIFT(20, 1, 1, "mtu") DRIFT(21, 1, 1, "mtu") DRIFT(24, 1, 1, "mtu"));

	(void)state;
	assert_int_equal(read_bars(text, bars, COUNT(bars)), 3);
	is_near(bars[2].x - bars[1].x, 3 * (bars[1].x - bars[0].x));
	for (size_t i = 0; i < 3; i++) {
		assert_true(bars[i].x > 52 && bars[i].x + bars[i].width < 960);
		is_near(bars[i].height, BASE - TOP);
	}
	drawing_free(&drawn);
}

static void five_settings_have_a_name_and_the_others_have_one(void **state)
{
	const char *text = draw(DRIFT(20, 1, 7, "a") DRIFT(20, 11, 16, "b") DRIFT(20, 21, 25, "c")
					DRIFT(20, 31, 34, "d") DRIFT(20, 41, 43, "e")
						DRIFT(20, 51, 52, "f") DRIFT(20, 61, 61, "<g>"));

	(void)state;
	assert_int_equal(count_of(text, "<li "), 6);
	assert_int_equal(count_of(text, "<rect "), 6);
	assert_non_null(strstr(text, "<li class=series1>a</li>"));
	assert_non_null(strstr(text, "<li class=series6>other</li>"));
	assert_non_null(strstr(text, "other: 3 hosts"));
	drawing_free(&drawn);
}

static void days_before_the_scope_are_left_out(void **state)
{
	static const struct page_section section = { .title = "Drift" };
	struct err err = { 0 };

	(void)state;
	drawing_open(&drawn, fleet_base(DRIFT(20, 1, 1, "mtu") DRIFT(21, 1, 1, "mtu")));
	drawn.scope.since = "2026-11-21T23:00:00Z";
	assert_true(page_chart_drift(&drawn.page, &section, &err));
	drawing_close(&drawn);
	assert_int_equal(count_of(drawn.text, "<rect "), 1);
	assert_non_null(strstr(drawn.text, "<title>2026-11-21"));
	drawing_free(&drawn);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, a_fleet_without_drift_has_no_chart);
	SUITE_ADD(&s, bars_of_a_day_pile_up);
	SUITE_ADD(&s, bars_of_many_days_do_not_touch);
	SUITE_ADD(&s, a_day_without_drift_keeps_its_place);
	SUITE_ADD(&s, five_settings_have_a_name_and_the_others_have_one);
	SUITE_ADD(&s, days_before_the_scope_are_left_out);
	return suite_run(&s, "page_chart");
}
