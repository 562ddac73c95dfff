/* Tests of rows as CSV: a reader of RFC 4180 gets what the database has. */
#include "cli/fleet/rows.h"
#include "tests/support/fleet_base.h"
#include "tests/support/unit.h"

static const struct row {
	const char *sentence, *sql, *expected;
} rows[] = {
	{ "a view without rows has its columns", "SELECT 1 AS a, 2 AS b WHERE 0", "a,b\n" },
	{ "NULL and an empty text are empty", "SELECT NULL AS a, '' AS b, 0 AS c", "a,b,c\n,,0\n" },
	{ "a comma is quoted", "SELECT '[3,4]' AS a", "a\n\"[3,4]\"\n" },
	{ "a quote is doubled", "SELECT '\"dscp\"' AS a", "a\n\"\"\"dscp\"\"\"\n" },
	{ "a heading is quoted as well", "SELECT 1 AS 'a,b'", "\"a,b\"\n1\n" },
	{ "a newline is spelled out", "SELECT char(10) || 'x' AS a", "a\n\"\\x0ax\"\n" },
	{ "control characters are spelled out", "SELECT char(9, 27) AS a", "a\n\\x09\\x1b\n" },
	{ "a formula is a text like another", "SELECT '=1+1' AS a, '-2' AS b, '@x' AS c",
	  "a,b,c\n=1+1,-2,@x\n" },
	{ "each row is a line", "SELECT 1 AS a UNION SELECT 2", "a\n1\n2\n" },
};

static void is_printed(void **state)
{
	const struct row *row = *state;
	char *out = fleet_base_printed(row->sql, csv_print);

	assert_string_equal(out, row->expected);
	free(out);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD_ROWS(&s, rows, is_printed);
	return suite_run(&s, "csv");
}
