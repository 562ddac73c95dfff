#include "page_query.h"

#include "../database.h"

bool page_each(const struct page *p, const char *sql, page_row *take, void *arg, struct err *err)
{
	_statement_ sqlite3_stmt *stmt = NULL;
	bool row;

	if (!scope_prepare(p->scope, p->db, sql, &stmt, err))
		return false;
	for (;;) {
		if (!database_step(stmt, &row, err))
			return false;
		if (!row)
			return true;
		take(p->out, stmt, arg);
	}
}

static void take_number(FILE *out, sqlite3_stmt *stmt, void *arg)
{
	(void)out;
	*(int64_t *)arg = sqlite3_column_int64(stmt, 0);
}

bool page_number(const struct page *p, const char *sql, int64_t *ret, struct err *err)
{
	*ret = 0;
	return page_each(p, sql, take_number, ret, err);
}

const char *page_column(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? text : "";
}
