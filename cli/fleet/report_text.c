#include "report_text.h"

#include <stdio.h>

#include "../../policy/util/oom.h"
#include "database.h"
#include "messages.h"
#include "rows.h"
#include "sections.h"

#define ROWS_SHOWN 10

/* Distinguishes "nothing found" from "nothing reported". */
static bool print_empty(const struct section *s, sqlite3 *db, struct err *err)
{
	_statement_ sqlite3_stmt *stmt = NULL;
	char query[128];
	bool row = true;

	snprintf(query, sizeof(query), "SELECT 1 FROM %s LIMIT 1", s->basis ? s->basis : "");
	if (s->basis &&
	    (!database_prepare(db, query, &stmt, err) || !database_step(stmt, &row, err)))
		return false;
	if (s->empty)
		printf("%s\n", row ? s->empty : s->unknown);
	return true;
}

static bool print_section(const struct section *s, sqlite3 *db, const struct fleet_scope *scope,
			  struct err *err)
{
	_statement_ sqlite3_stmt *stmt = NULL;
	size_t count;

	if (!scope_prepare(scope, db, s->sql, &stmt, err) ||
	    !rows_print_table(stmt, s->title, ROWS_SHOWN, &count, err))
		return false;
	if (count == 0 && !print_empty(s, db, err))
		return false;
	if (count > ROWS_SHOWN)
		printf("  and %zu more: losslessctl-fleet sql 'SELECT * FROM %s'\n",
		       count - ROWS_SHOWN, s->more);
	return true;
}

bool report_print_text(sqlite3 *db, const struct fleet_scope *scope, struct err *err)
{
	for (const struct section *s = sections; s->key; s++)
		if (!print_section(s, db, scope, err))
			return false;
	return true;
}

bool report_print_json(sqlite3 *db, const struct fleet_scope *scope, struct err *err)
{
	json_auto_t *doc =
		json_pack("{s:s, s:s, s:s, s:s?, s:s}", "schema", "losslessctl/fleet-report/1",
			  "losslessctl_version", LOSSLESSCTL_VERSION, "reported_at", scope->now,
			  "since", scope->since, "silent_before", scope->silent_before);

	for (const struct section *s = sections; s->key; s++) {
		_statement_ sqlite3_stmt *stmt = NULL;
		json_t *rows;

		if (!scope_prepare(scope, db, s->sql, &stmt, err) ||
		    !rows_to_json(stmt, &rows, err))
			return false;
		json_object_set_new(doc, s->key, rows);
	}
	print_document(json_incref(doc));
	return true;
}

bool report_exit_code(sqlite3 *db, const struct fleet_scope *scope, int *ret, struct err *err)
{
	static const char code[] =
		"SELECT CASE WHEN EXISTS (SELECT 1 FROM hosts WHERE verdict IN ('drift', "
		"'symptom') OR last_seen_at < ?1) THEN 2 WHEN EXISTS (SELECT 1 FROM silent_hosts "
		"WHERE last_seen_at IS NULL) THEN 2 WHEN EXISTS (SELECT 1 FROM hosts WHERE "
		"verdict IS NULL OR verdict = 'unknown') OR NOT EXISTS (SELECT 1 FROM hosts) THEN "
		"3 ELSE 0 END";
	_statement_ sqlite3_stmt *stmt = NULL;
	bool row;

	if (!scope_prepare(scope, db, code, &stmt, err) || !database_step(stmt, &row, err))
		return false;
	*ret = sqlite3_column_int(stmt, 0);
	return true;
}
