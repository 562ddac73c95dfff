/* Tests of rows as JSON and as a table: values, escapes, and where a table is cut. */
#include "cli/fleet/database.h"
#include "cli/fleet/rows.h"
#include "tests/support/fleet_base.h"
#include "tests/support/unit.h"

#define DIGEST "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const struct printed_row {
	const char *sentence, *sql, *expected;
} objects[] = {
	{ "no row is no line", "SELECT 1 AS a WHERE 0", "" },
	{ "each row is an object on its line", "SELECT 1 AS a, 'x' AS b UNION SELECT 2, 'y'",
	  "{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":\"y\"}\n" },
	{ "each type is that of JSON", "SELECT NULL AS a, 0.5 AS b, '' AS c, '7' AS d",
	  "{\"a\":null,\"b\":0.5,\"c\":\"\",\"d\":\"7\"}\n" },
	{ "the largest number is exact", "SELECT 9223372036854775807 AS a",
	  "{\"a\":9223372036854775807}\n" },
	{ "bytes that are not UTF-8 become a question mark", "SELECT CAST(x'61ff' AS TEXT) AS a",
	  "{\"a\":\"a?\"}\n" },
	{ "a control character is escaped", "SELECT char(27) AS a", "{\"a\":\"\\u001B\"}\n" },
};

static void is_printed_as_json(void **state)
{
	const struct printed_row *row = *state;
	char *out = fleet_base_printed(row->sql, rows_print_json);

	assert_string_equal(out, row->expected);
	free(out);
}

static size_t counted;

static bool print_table(sqlite3_stmt *stmt, struct err *err)
{
	return rows_print_table(stmt, NULL, 0, &counted, err);
}

static bool print_two_below_a_title(sqlite3_stmt *stmt, struct err *err)
{
	return rows_print_table(stmt, "Title", 2, &counted, err);
}

static const struct printed_row tables[] = {
	{ "no row is no heading", "SELECT 1 AS a WHERE 0", "" },
	{ "a heading has blanks", "SELECT 'x' AS host_count", "host count\nx\n" },
	{ "texts stand at the left, numbers at the right",
	  "SELECT 'a' AS t, 1 AS n, 'x' AS u UNION SELECT 'bcd', 100, 'y'",
	  "t      n  u\na      1  x\nbcd  100  y\n" },
	{ "NULL is unknown, and an empty text none", "SELECT NULL AS a, '' AS b, 'x' AS c",
	  "      a  b     c\nunknown  none  x\n" },
	{ "one text makes a column of numbers one of texts",
	  "SELECT 100 AS n, 1 AS o UNION ALL SELECT 'x', 2", "n    o\n100  1\nx    2\n" },
	{ "so does one above the numbers", "SELECT 'xyz' AS n, 1 AS o UNION ALL SELECT 5, 2",
	  "n    o\nxyz  1\n5    2\n" },
	{ "a digest is known by its beginning", "SELECT '" DIGEST "' AS a", "a\n0123456789ab\n" },
	{ "a text as long as a digest is whole", "SELECT 'x' || SUBSTR('" DIGEST "', 2) AS a",
	  "a\nx123456789abcdef0123456789abcdef012345.."
	  "\n" },
	{ "a newline breaks no table", "SELECT 'a' || char(10) || 'b' AS a", "a\na\\x0ab\n" },
	{ "an escape reaches no terminal", "SELECT char(27) || '[2J' AS a", "a\n\\x1b[2J\n" },
	{ "a letter of two bytes is one column",
	  "SELECT 'gpü' AS a, 'x' AS b UNION SELECT 'gpux', 'y'", "a     b\ngpux  y\ngpü   x\n" },
	{ "the widest column is cut", "SELECT 'short' AS a, PRINTF('%060d', 0) AS b",
	  "a      b\nshort  0000000000000000000000000000000..\n" },
	{ "a cut keeps letters whole", "SELECT REPLACE(PRINTF('%060d', 0), '0', 'ü') AS a",
	  "a\nüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü..\n" },
	{ "many columns keep eight each",
	  "SELECT '0123456789' AS a, '0123456789' AS b, '0123456789' AS c, '0123456789' AS d, "
	  "'0123456789' AS e",
	  "a         b         c         d         e\n"
	  "012345..  012345..  012345..  012345..  012345..\n" },
};

static void is_printed_as_a_table(void **state)
{
	const struct printed_row *row = *state;
	char *out = fleet_base_printed(row->sql, print_table);

	assert_string_equal(out, row->expected);
	free(out);
}

static void rows_beyond_the_most_are_counted_alone(void **state)
{
	char *out = fleet_base_printed("SELECT 1 AS a UNION SELECT 2 UNION SELECT 3333",
				       print_two_below_a_title);

	(void)state;
	assert_string_equal(out, "Title\n  a\n  1\n  2\n");
	assert_int_equal(counted, 3);
	free(out);
}

static void a_title_without_rows_is_left_out(void **state)
{
	char *out = fleet_base_printed("SELECT 1 AS a WHERE 0", print_two_below_a_title);

	(void)state;
	assert_string_equal(out, "");
	assert_int_equal(counted, 0);
	free(out);
}

static void all_rows_of_a_long_table_are_printed(void **state)
{
	char *out = fleet_base_printed("WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 "
				       "FROM c WHERE n < 1000) SELECT n FROM c",
				       print_table);

	(void)state;
	assert_int_equal(counted, 1000);
	assert_int_equal(count_of(out, "\n"), 1001);
	assert_non_null(strstr(out, "\n1000\n"));
	free(out);
}

static bool read_list(sqlite3_stmt *stmt, struct err *err)
{
	json_t *list = NULL;
	bool ok = rows_to_json(stmt, &list, err);

	if (ok)
		json_dumpf(list, stdout, JSON_COMPACT);
	else
		printf("%s", list ? "half a list" : err->text);
	json_decref(list);
	return true;
}

static const struct printed_row lists[] = {
	{ "a list of no rows is empty", "SELECT 1 AS a WHERE 0", "[]" },
	{ "a list has each row", "SELECT 1 AS a UNION SELECT 2", "[{\"a\":1},{\"a\":2}]" },
	{ "a row that fails leaves no half of a list",
	  "SELECT 1 AS a UNION ALL SELECT ABS(-9223372036854775808)", "integer overflow" },
};

static void is_listed(void **state)
{
	const struct printed_row *row = *state;
	char *out = fleet_base_printed(row->sql, read_list);

	assert_string_equal(out, row->expected);
	free(out);
}

static bool fail_in_a_table(sqlite3_stmt *stmt, struct err *err)
{
	return !print_table(stmt, err) && err->kind == ERR_SYSTEM;
}

static void a_table_with_a_row_that_fails_is_not_printed(void **state)
{
	char *out = fleet_base_printed("SELECT 1 AS a UNION ALL SELECT ABS(-9223372036854775808)",
				       fail_in_a_table);

	(void)state;
	assert_string_equal(out, "");
	free(out);
}

int main(void)
{
	struct suite s = { .count = 0 };

	setenv("COLUMNS", "40", 1);
	SUITE_ADD_ROWS(&s, objects, is_printed_as_json);
	SUITE_ADD_ROWS(&s, tables, is_printed_as_a_table);
	SUITE_ADD_ROWS(&s, lists, is_listed);
	SUITE_ADD(&s, rows_beyond_the_most_are_counted_alone);
	SUITE_ADD(&s, a_title_without_rows_is_left_out);
	SUITE_ADD(&s, all_rows_of_a_long_table_are_printed);
	SUITE_ADD(&s, a_table_with_a_row_that_fails_is_not_printed);
	return suite_run(&s, "rows");
}
