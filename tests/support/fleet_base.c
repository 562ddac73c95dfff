#include "tests/support/fleet_base.h"

#include "cli/fleet/database.h"
#include "tests/support/unit.h"

sqlite3 *fleet_base(const char *sql)
{
	struct err err = { 0 };
	sqlite3 *db;

	if (!database_open(":memory:", DATABASE_WRITE, &db, &err) || !database_run(db, sql, &err))
		fail_msg("%s", err.text);
	return db;
}

int64_t fleet_base_number(sqlite3 *db, const char *sql)
{
	_statement_ sqlite3_stmt *stmt = NULL;
	struct err err = { 0 };
	bool row;

	if (!database_prepare(db, sql, &stmt, &err) || !database_step(stmt, &row, &err))
		fail_msg("%s", err.text);
	return sqlite3_column_int64(stmt, 0);
}

char *fleet_base_printed(const char *sql, rows_print *print)
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
	ok = print(stmt, &err);
	fclose(stdout);
	stdout = real;
	statement_finalize(&stmt);
	database_close(&db);
	assert_true(ok);
	return out;
}

void drawing_open(struct drawing *d, sqlite3 *db)
{
	*d = (struct drawing){
		.scope = { .now = "2026-11-24T12:00:00Z", .silent_before = "2026-11-23T12:00:00Z" },
	};
	d->page = (struct page){ open_memstream(&d->text, &d->size), db, &d->scope };
	assert_non_null(d->page.out);
}

void drawing_close(struct drawing *d)
{
	assert_int_equal(fclose(d->page.out), 0);
}

void drawing_free(struct drawing *d)
{
	free(d->text);
	database_close(&d->page.db);
}

size_t count_of(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}
