/* Tests of the summary: its sentence, the parts of its bar, and the number of silent hosts. */
#include "cli/fleet/page/page_section.h"
#include "tests/support/fleet_base.h"
#include "tests/support/unit.h"

/* Hosts `first` to `last`, seen at a time, with a verdict: "'drift'". */
#define HOSTS(first, last, at, verdict) \
	"INSERT INTO reports SELECT n, 'id' || n, 'verify', '" at \
	"', 'state', 'h' || n, NULL, '1', " \
	"NULL, NULL, NULL, " verdict \
	", NULL, 2, 0, 0 FROM (WITH RECURSIVE c (n) AS (SELECT " #first \
	" UNION ALL SELECT n + 1 FROM c WHERE n < " #last ") SELECT n FROM c);" \
	"INSERT INTO latest_reports SELECT host_id, aspect, report_id, observed_at FROM reports " \
	"WHERE report_id BETWEEN " #first " AND " #last ";"
#define NEW "2026-11-24T10:00:00Z"
#define OLD "2026-11-20T10:00:00Z"

#define FIGURE(class, word, n) "<div class=" class "><dt>" word "</dt><dd>" n "</dd></div>"

static struct drawing drawn;

static const char *draw(const char *sql)
{
	struct err err = { 0 };

	drawing_open(&drawn, fleet_base(sql));
	if (!page_summary_write(&drawn.page, &err))
		fail_msg("%s", err.text);
	drawing_close(&drawn);
	return drawn.text;
}

static const struct summary_row {
	const char *sentence, *sql, *expected;
} rows[] = {
	{ "no host is no share", "", "<b>0</b> of <b>0</b> hosts are in sync</p>" },
	{ "one host is a host", HOSTS(1, 1, NEW, "'in_sync'"),
	  "<b>1</b> of <b>1</b> host is in sync <span>100 %</span>" },
	{ "a share has two digits", HOSTS(1, 2, NEW, "'in_sync'") HOSTS(3, 3, NEW, "'drift'"),
	  "<b>2</b> of <b>3</b> hosts are in sync <span>66.66 %</span>" },
	{ "no share of a fleet that drifts is 100 %",
	  HOSTS(1, 19999, NEW, "'in_sync'") HOSTS(20000, 20001, NEW, "'drift'"),
	  "<b>19,999</b> of <b>20,001</b> hosts are in sync <span>99.99 %</span>" },
	{ "one host of a large fleet is no rounding error",
	  HOSTS(1, 29999, NEW, "'in_sync'") HOSTS(30000, 30000, NEW, "'drift'"),
	  "<span>99.99 %</span>" },
	{ "a host without a verdict was never verified", HOSTS(1, 1, NEW, "NULL"),
	  FIGURE("unknown", "never verified", "1") },
	{ "a symptom is bad", HOSTS(1, 2, NEW, "'symptom'"), FIGURE("bad", "symptom", "2") },
	{ "ports are counted", HOSTS(1, 3, NEW, "'in_sync'"), FIGURE("none", "ports", "6") },
	{ "a host that was seen is not silent", HOSTS(1, 3, NEW, "'in_sync'"),
	  FIGURE("none", "silent", "0") },
	{ "a host that was not seen for long is silent", HOSTS(1, 3, OLD, "'in_sync'"),
	  FIGURE("bad", "silent", "3") },
	{ "a host of the inventory that never reported is silent",
	  HOSTS(1, 3, NEW, "'in_sync'") "INSERT INTO inventory VALUES ('h1'), ('x')",
	  FIGURE("bad", "silent", "1") },
	{ "a silent host counts once, by name in the inventory",
	  HOSTS(1, 3, OLD, "'in_sync'") "INSERT INTO inventory VALUES ('h1')",
	  FIGURE("bad", "silent", "3") },
	{ "a silent host counts once, by id in the inventory",
	  HOSTS(1, 3, OLD, "'in_sync'") "INSERT INTO inventory VALUES ('id1')",
	  FIGURE("bad", "silent", "3") },
	{ "a verdict from outside ends no element", HOSTS(1, 1, NEW, "'<b>'"),
	  FIGURE("unknown", "&lt;b&gt;", "1") },
};

static void is_written(void **state)
{
	const struct summary_row *row = *state;

	if (!strstr(draw(row->sql), row->expected))
		fail_msg("no %s in %s", row->expected, drawn.text);
	drawing_free(&drawn);
}

static void parts_of_the_bar_stand_side_by_side_from_the_right(void **state)
{
	const char *text = draw(HOSTS(1, 5, NEW, "'in_sync'") HOSTS(6, 8, NEW, "'drift'")
					HOSTS(9, 10, NEW, "'symptom'"));

	(void)state;
	assert_non_null(strstr(text, "<rect class=bad x=800.0 width=200.0 height=16 />"
				     "<rect class=bad x=500.0 width=300.0 height=16 />"));
	drawing_free(&drawn);
}

static void a_part_of_one_host_can_be_seen(void **state)
{
	const char *text =
		draw(HOSTS(1, 9999, NEW, "'in_sync'") HOSTS(10000, 10000, NEW, "'drift'"));

	(void)state;
	assert_non_null(strstr(text, "<rect class=bad x=996.0 width=4.0 height=16 />"));
	drawing_free(&drawn);
}

static void a_fleet_without_hosts_has_no_bar(void **state)
{
	(void)state;
	assert_int_equal(count_of(draw(""), "<svg"), 0);
	drawing_free(&drawn);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD_ROWS(&s, rows, is_written);
	SUITE_ADD(&s, parts_of_the_bar_stand_side_by_side_from_the_right);
	SUITE_ADD(&s, a_part_of_one_host_can_be_seen);
	SUITE_ADD(&s, a_fleet_without_hosts_has_no_bar);
	return suite_run(&s, "page_summary");
}
