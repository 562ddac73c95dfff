/* Rows as CSV: what a reader of RFC 4180 makes of them is what the database has. */
#include "cli/fleet/csv.h"
#include "cli/fleet/database.h"
#include "tests/support/fleet_base.h"
#include "tests/support/unit.h"

/* Prints the rows of a statement, which the caller frees. */
static char *printed(const char *sql)
{
	FILE *real = stdout;
	sqlite3 *db = fleet_base("");
	sqlite3_stmt *stmt = NULL;
	struct err err = { 0 };
	char *out = NULL;
	size_t size;
	bool ok;

	assert_true(database_prepare(db, sql, &stmt, &err));
	stdout = open_memstream(&out, &size);
	assert_non_null(stdout);
	ok = csv_print(stmt, &err);
	fclose(stdout);
	stdout = real;
	statement_finalize(&stmt);
	database_close(&db);
	assert_true(ok);
	return out;
}

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
	char *out = printed(row->sql);

	assert_string_equal(out, row->expected);
	free(out);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD_ROWS(&s, rows, is_printed);
	return suite_run(&s, "csv");
}
