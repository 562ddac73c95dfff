/* Tests of rows as a table: each kind of cell, the counts, and where the table is cut. */
#include "cli/fleet/page/page_section.h"
#include "tests/support/fleet_base.h"
#include "tests/support/unit.h"

static struct drawing drawn;
static struct page_count counted;

static const char *draw_section(const struct page_section *section)
{
	struct err err = { 0 };

	counted = (struct page_count){ 0 };
	drawing_open(&drawn, fleet_base(""));
	if (!page_table_write(&drawn.page, section, &counted, &err))
		fail_msg("%s", err.text);
	drawing_close(&drawn);
	return drawn.text;
}

static const char *draw(const char *sql)
{
	const struct page_section section = {
		.title = "Title",
		.view = "view",
		.empty = "Nothing.",
		.sql = sql,
	};

	return draw_section(&section);
}

static const struct expected_cell {
	const char *sentence, *sql, *expected;
} cells[] = {
	{ "a text is plain", "SELECT 'a<b' AS host", "<td class=\"plain\">a&lt;b</td>" },
	{ "an empty text is none", "SELECT '' AS pfc",
	  "<td class=\"code\" data-value=\"\">none</td>" },
	{ "NULL is a dash", "SELECT NULL AS port", "<td class=null>–</td>" },
	{ "NULL has the word of its column", "SELECT NULL AS last_seen_at",
	  "<td class=null>never</td>" },
	{ "a verdict has a level", "SELECT 'in_sync' AS verdict",
	  "<td class=good data-value=\"in_sync\">in sync</td>" },
	{ "a verdict of a later version is unknown", "SELECT 'x\"y' AS verdict",
	  "<td class=unknown data-value=\"x&quot;y\">x&quot;y</td>" },
	{ "a time is cut to the minute", "SELECT '2026-11-24T10:00:01Z' AS observed_at",
	  "<td class=time data-value=\"2026-11-24T10:00:01Z\">2026-11-24 10:00</td>" },
	{ "a hash is cut", "SELECT '0123456789abcdef0' AS state_hash",
	  "<td class=code data-value=\"0123456789abcdef0\">0123456789…</td>" },
	{ "zero is soft", "SELECT 0 AS host_count", "<td class=\"number zero\">0</td>" },
	{ "a large number keeps its value", "SELECT 1000 AS host_count",
	  "<td class=number data-value=1000>1,000</td>" },
	{ "a small share is not nothing", "SELECT 0 AS percent",
	  "class=part width=1 height=8 /></svg>&lt;1 %</td>" },
	{ "a share has its number", "SELECT 60 AS percent", "60 %</td>" },
	{ "a flag is yes", "SELECT 1 AS contested", "<td class=bad data-value=1>yes</td>" },
	{ "a name leads to what is known of it", "SELECT 'a' AS example_host",
	  "<th scope=col data-column=example_host data-subject=host>example host</th>" },
};

static void is_drawn(void **state)
{
	const struct expected_cell *row = *state;

	if (!strstr(draw(row->sql), row->expected))
		fail_msg("no %s in %s", row->expected, drawn.text);
	drawing_free(&drawn);
}

static void a_table_without_rows_is_a_sentence(void **state)
{
	(void)state;
	assert_string_equal(draw("SELECT 1 AS a WHERE 0"), "<p class=empty>Nothing.</p>\n");
	assert_int_equal(counted.rows, 0);
	drawing_free(&drawn);
}

static void what_is_not_known_is_no_good_news(void **state)
{
	static const struct basis none = { .known = "reports", .nothing = "no `ready`" };
	static const struct basis some = { "(SELECT 1)", "", "(SELECT 1)", "other hosts" };
	struct page_section section = {
		.title = "Title",
		.view = "view",
		.empty = "Good.",
		.basis = &none,
		.sql = "SELECT 1 AS a WHERE 0",
	};

	(void)state;
	assert_string_equal(draw_section(&section),
			    "<p class=\"plain empty\">No <code>ready</code>.</p>\n");
	drawing_free(&drawn);
	section.basis = &some;
	section.sql = "SELECT 1 AS a";
	assert_non_null(strstr(draw_section(&section),
			       "</table></div>\n<p class=\"plain empty\">Other hosts: 1.</p>"));
	drawing_free(&drawn);
}

static void a_long_table_is_cut_and_counted_whole(void **state)
{
	const char *text = draw("WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c "
				"WHERE n < 1000) SELECT n AS host, iif(n % 2, 'drift', 'in_sync') "
				"AS verdict FROM c");

	(void)state;
	assert_int_equal(count_of(text, "<tr><td"), PAGE_ROWS_MOST);
	assert_int_equal(counted.rows, 1000);
	assert_int_equal(counted.trouble, 500);
	drawing_free(&drawn);
}

static void a_row_of_a_section_about_trouble_is_trouble(void **state)
{
	static const struct page_section section = {
		.title = "Title",
		.view = "view",
		.sql = "SELECT 'a' AS host",
		.is_trouble = true,
	};

	(void)state;
	draw_section(&section);
	assert_int_equal(counted.trouble, 1);
	drawing_free(&drawn);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD_ROWS(&s, cells, is_drawn);
	SUITE_ADD(&s, a_table_without_rows_is_a_sentence);
	SUITE_ADD(&s, what_is_not_known_is_no_good_news);
	SUITE_ADD(&s, a_long_table_is_cut_and_counted_whole);
	SUITE_ADD(&s, a_row_of_a_section_about_trouble_is_trouble);
	return suite_run(&s, "page_table");
}
