#include "page_query.h"

#include "../database.h"

static bool bind(sqlite3_stmt *stmt, int at, const char *text)
{
	return at > sqlite3_bind_parameter_count(stmt) ||
	       sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC) == SQLITE_OK;
}

bool page_prepare(const struct page *p, const char *sql, sqlite3_stmt **ret, struct err *err)
{
	return database_prepare(p->db, sql, ret, err) &&
	       ((bind(*ret, 1, p->scope->silent_before) && bind(*ret, 2, p->scope->since)) ||
		database_failed(p->db, err));
}

bool page_number(const struct page *p, const char *sql, int64_t *ret, struct err *err)
{
	_statement_ sqlite3_stmt *stmt = NULL;
	bool row;

	if (!page_prepare(p, sql, &stmt, err) || !database_step(stmt, &row, err))
		return false;
	*ret = row ? sqlite3_column_int64(stmt, 0) : 0;
	return true;
}

const char *page_column(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? text : "";
}
