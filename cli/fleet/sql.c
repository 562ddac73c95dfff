#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "csv.h"
#include "database.h"
#include "rows.h"
#include "verbs.h"

/* The shell of SQLite has what a user of SQL expects: it completes words and draws tables. */
static int run_shell(const struct fleet_options *o, struct err *err)
{
	_database_ sqlite3 *db = NULL;
	char file[PATH_MAX];

	if (!database_open(o->db, DATABASE_READ, &db, err))
		return -1;
	database_close(&db);
	snprintf(file, sizeof(file), "%s%s", o->db[0] == '-' ? "./" : "", o->db); /* no "--" */
	execlp("sqlite3", "sqlite3", "-readonly", "-header", "-box", file, (char *)NULL);
	err_record(err, ERR_SYSTEM, errno, "sqlite3: %s", strerror(errno));
	err_add_fix(err, "install sqlite3, or give a query: losslessctl-fleet sql 'SELECT ...'");
	return -1;
}

static bool prepare(sqlite3 *db, const char *query, sqlite3_stmt **ret, struct err *err)
{
	const char *rest;

	if (sqlite3_prepare_v2(db, query, -1, ret, &rest) != SQLITE_OK)
		return err_set(err, ERR_USAGE, EINVAL, "%s", sqlite3_errmsg(db));
	if (!*ret || rest[strspn(rest, " \t\r\n;")])
		return err_set(err, ERR_USAGE, EINVAL, "one query is expected");
	return sqlite3_stmt_readonly(*ret) ||
	       err_set(err, ERR_USAGE, EINVAL, "the query writes, and `sql` only reads");
}

static bool run_query(const struct fleet_options *o, struct err *err)
{
	_database_ sqlite3 *db = NULL;
	_statement_ sqlite3_stmt *stmt = NULL;
	size_t count;

	if (!database_open(o->db, DATABASE_READ, &db, err) || !prepare(db, o->words[0], &stmt, err))
		return false;
	if (o->csv)
		return csv_print(stmt, err);
	return o->json ? rows_print_json(stmt, err) : rows_print_table(stmt, NULL, 0, &count, err);
}

int fleet_sql(const struct fleet_options *o, struct err *err)
{
	if (o->words_count == 0)
		return run_shell(o, err);
	return run_query(o, err) ? 0 : -1;
}
