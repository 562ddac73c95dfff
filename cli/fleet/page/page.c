#include "page.h"

#include "../database.h"

bool fleet_page_write(FILE *out, sqlite3 *db, const struct fleet_scope *scope, struct err *err)
{
	_statement_ sqlite3_stmt *stmt = NULL;
	bool row;

	if (!database_prepare(db, "SELECT COUNT(*) FROM hosts", &stmt, err) ||
	    !database_step(stmt, &row, err))
		return false;
	fprintf(out,
		"<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Fleet</title>\n"
		"<h1>Fleet</h1>\n<p>%lld hosts at %s</p>\n</html>\n",
		sqlite3_column_int64(stmt, 0), scope->now);
	return true;
}
