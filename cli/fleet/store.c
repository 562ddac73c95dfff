#include "store.h"

#include <string.h>

#include "../../policy/util/json_dump.h"
#include "../../policy/util/oom.h"
#include "database.h"
#include "flatten/fields.h"

/*
 * A report that is new inserts a row; else there is no change. Of two with equal times the kind
 * decides, and the name of the host, so that the order does not.
 */
static const char *const texts[STATEMENTS] = {
	[STORE_REPORT] =
		"INSERT INTO reports (host_id, kind, observed_at, aspect, host, boot_id, "
		"losslessctl_version, policy_name, policy_sha256, policy_generation, verdict, "
		"state_hash, port_count, drifted_port_count, unknown_port_count) "
		"VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) "
		"ON CONFLICT DO NOTHING",
	[STORE_LATEST] =
		"INSERT INTO latest_reports (host_id, aspect, report_id, observed_at) "
		"VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET report_id = ?3, observed_at = "
		"?4 "
		"WHERE observed_at < ?4 OR (observed_at = ?4 AND (SELECT kind || ' ' || host "
		"FROM reports AS r WHERE r.report_id = latest_reports.report_id) < ?5 || ' ' || "
		"?6)",
	[STORE_SETTING] = "INSERT INTO setting_reports VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
	[STORE_SYMPTOM] = "INSERT INTO symptom_reports VALUES (?1, ?2, ?3, ?4)",
	[STORE_STATE_VALUE] = "INSERT INTO state_values VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO "
			      "UPDATE SET port_count = ?4 WHERE port_count < ?4",
	[DELETE_LINKS] = "DELETE FROM links WHERE host_id = ?1",
	[STORE_LINK] = "INSERT OR REPLACE INTO links VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
	[DELETE_CHECKS] = "DELETE FROM failed_checks WHERE host_id = ?1",
	[STORE_CHECK] = "INSERT INTO failed_checks VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
	[STORE_DRIFT] = "INSERT INTO drift_records VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT "
			"DO NOTHING",
	[STORE_PROBE] = "INSERT INTO probe_runs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
	[STORE_REJECTED] = "INSERT INTO rejected_documents VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO "
			   "UPDATE SET source = ?2 WHERE source > ?2",
};

bool store_open(struct store *s, sqlite3 *db, struct err *err)
{
	*s = (struct store){ .db = db };
	for (size_t i = 0; i < STATEMENTS; i++)
		if (!database_prepare(db, texts[i], &s->statements[i], err))
			return false;
	return true;
}

void store_close(struct store *s)
{
	for (size_t i = 0; i < STATEMENTS; i++)
		statement_finalize(&s->statements[i]);
}

static int bind(sqlite3_stmt *stmt, int at, const struct cell *c)
{
	return c->is_number ? sqlite3_bind_int64(stmt, at, c->number)
			    : sqlite3_bind_text(stmt, at, c->text, -1, SQLITE_STATIC);
}

bool store_run(struct store *s, enum statement which, const struct cell *cells, size_t count,
	       struct err *err)
{
	sqlite3_stmt *stmt = s->statements[which];
	bool row, ok = true;

	for (size_t i = 0; ok && i < count; i++)
		ok = bind(stmt, (int)i + 1, &cells[i]) == SQLITE_OK || database_failed(s->db, err);
	ok = ok && database_step(stmt, &row, err);
	sqlite3_reset(stmt);
	return ok;
}

bool value_cell(const json_t *value, bool plain, const struct json_path *at, char **ret_text,
		struct cell *ret, struct err *err)
{
	*ret = (struct cell){ 0 };
	if (!value || json_is_null(value))
		return true;
	if (plain && json_is_string(value)) {
		ret->text = json_string_value(value);
	} else {
		*ret_text =
			json_dump_sanitized(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
		if (!*ret_text)
			return err_no_memory(err);
		ret->text = *ret_text;
	}
	return strlen(ret->text) <= FIELD_TEXT_MAX ||
	       err_policy(err, at, "a value is longer than %d bytes", FIELD_TEXT_MAX);
}
