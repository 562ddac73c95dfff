/* Tests of grids above the tables: a cell is of its row and column, with the worst verdict. */
#include "cli/fleet/page/page_section.h"
#include "tests/support/fleet_base.h"
#include "tests/support/unit.h"

#define LINK(port, pfc, switch_pfc) \
	"INSERT INTO links VALUES (1, 'h', '" port "', 's', 's', 'p', 'agrees', " pfc \
	", " switch_pfc ");"
#define PROBE(at, from, to, direction, verdict) \
	"INSERT INTO probe_runs VALUES (1, '2026-11-24T0" #at ":00:00Z', '" from "', 'p', '" to \
	"', 'p', 'verbs', '" direction "', '" verdict "');"

typedef bool grid_write(const struct page *, const struct page_section *, struct err *);

static struct drawing drawn;

static const char *draw(grid_write *write, const char *sql)
{
	static const struct page_section section = { .title = "Title" };
	struct err err = { 0 };

	drawing_open(&drawn, fleet_base(sql));
	if (!write(&drawn.page, &section, &err))
		fail_msg("%s", err.text);
	drawing_close(&drawn);
	return drawn.text;
}

static const struct grid_row {
	const char *sentence;
	grid_write *write;
	const char *sql, *expected;
} rows[] = {
	{ "equal lists agree, with the number of links", page_grid_pfc,
	  LINK("a", "'3'", "'3'") LINK("b", "'3'", "'3'"),
	  "<td class=good title=\"3 → 3: agrees\">2<" },
	{ "other lists differ", page_grid_pfc, LINK("a", "'3'", "'3,4'"),
	  "<td class=bad title=\"3 → 3,4: differs\">1<" },
	{ "no priority is a list like another", page_grid_pfc, LINK("a", "''", "'3'"),
	  "<td class=bad title=\"none → 3: differs\">1<" },
	{ "an unknown list of the switch is unknown", page_grid_pfc, LINK("a", "'3'", "NULL"),
	  "<td class=unknown title=\"3 → unknown: unknown\">1<" },
	{ "two unknown lists do not agree", page_grid_pfc, LINK("a", "NULL", "NULL"),
	  "<td class=unknown title=\"unknown → unknown: unknown\">1<" },
	{ "a pair that no link has is empty", page_grid_pfc,
	  LINK("a", "'3'", "'3'") LINK("b", "'4'", "'4'"),
	  "<th scope=row>4</th><td></td><td class=good" },
	{ "a list from outside ends no attribute", page_grid_pfc, LINK("a", "'\"<b>'", "'3'"),
	  "title=\"&quot;&lt;b&gt; → 3: differs\"" },
	{ "a long name is cut", page_grid_probes,
	  PROBE(1, "0123456789012345678901234567890123456789X", "b", "data", "in_class"),
	  "<th scope=row>0123456789012345678901234567890123456789…</th>" },
	{ "a pair in class is good", page_grid_probes, PROBE(1, "a", "b", "data", "in_class"),
	  "<td class=good title=\"a → b: in class\"><" },
	{ "a fault is worse than a pair in class", page_grid_probes,
	  PROBE(1, "a", "b", "data", "in_class")
		  PROBE(1, "a", "b", "acknowledgements", "wrong_map"),
	  "<td class=bad title=\"a → b: wrong map\"><" },
	{ "a fault is worse than what was not measured", page_grid_probes,
	  PROBE(1, "a", "b", "data", "rewritten")
		  PROBE(1, "a", "b", "acknowledgements", "masked_by_traffic"),
	  "<td class=bad title=\"a → b: rewritten\"><" },
	{ "a fault is worse than a path that is not there", page_grid_probes,
	  PROBE(1, "a", "b", "data", "wrong_map") PROBE(1, "a", "b", "", "unsupported"),
	  "<td class=bad title=\"a → b: wrong map\"><" },
	{ "what was not measured is worse than a pair in class", page_grid_probes,
	  PROBE(1, "a", "b", "data", "in_class") PROBE(1, "a", "b", "acknowledgements", "no_class"),
	  "<td class=unknown title=\"a → b: no class\"><" },
	{ "the newest probe counts", page_grid_probes,
	  PROBE(1, "a", "b", "data", "lost") PROBE(2, "a", "b", "data", "in_class"),
	  "<td class=good title=\"a → b: in class\"><" },
};

static void is_drawn(void **state)
{
	const struct grid_row *row = *state;

	if (!strstr(draw(row->write, row->sql), row->expected))
		fail_msg("no %s in %s", row->expected, drawn.text);
	drawing_free(&drawn);
}

static void a_fleet_without_pairs_has_no_grid(void **state)
{
	(void)state;
	assert_string_equal(draw(page_grid_pfc,
				 "INSERT INTO links VALUES (1, 'h', 'p', NULL, NULL, "
				 "NULL, 'unknown', '3', NULL)"),
			    "");
	drawing_free(&drawn);
	assert_string_equal(draw(page_grid_probes, ""), "");
	drawing_free(&drawn);
}

/* Each row has the columns of the headings, though few of their pairs were probed. */
static void a_large_fleet_has_a_corner_of_the_grid(void **state)
{
	const char *text = draw(page_grid_probes,
				"INSERT INTO probe_runs WITH RECURSIVE c (n) AS (SELECT 100 UNION "
				"ALL SELECT n + 1 FROM c WHERE n < 139) SELECT 1, "
				"'2026-11-24T01:00:00Z', 'a' || n, 'p', 'b' || n, 'p', 'verbs', "
				"'data', 'in_class' FROM c");

	(void)state;
	assert_int_equal(count_of(text, "<th scope=row>"), 32);
	assert_int_equal(count_of(text, "<th scope=col><span>"), 32);
	assert_int_equal(count_of(text, "<td"), 32 * 32);
	assert_int_equal(count_of(text, "<td class=good"), 32);
	assert_int_equal(count_of(text, "<tr>"), 33);
	assert_int_equal(count_of(text, "</tr>"), 33);
	assert_non_null(strstr(text, "a131 → b131: in class"));
	assert_null(strstr(text, "a132"));
	drawing_free(&drawn);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD_ROWS(&s, rows, is_drawn);
	SUITE_ADD(&s, a_fleet_without_pairs_has_no_grid);
	SUITE_ADD(&s, a_large_fleet_has_a_corner_of_the_grid);
	return suite_run(&s, "page_grid");
}
