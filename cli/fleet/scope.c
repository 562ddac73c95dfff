#include "scope.h"

#include "database.h"

static bool bind(sqlite3_stmt *stmt, int at, const char *text)
{
	return at > sqlite3_bind_parameter_count(stmt) ||
	       sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC) == SQLITE_OK;
}

bool scope_prepare(const struct fleet_scope *scope, sqlite3 *db, const char *sql,
		   sqlite3_stmt **ret, struct err *err)
{
	return database_prepare(db, sql, ret, err) &&
	       ((bind(*ret, 1, scope->silent_before) && bind(*ret, 2, scope->since)) ||
		database_failed(db, err));
}
