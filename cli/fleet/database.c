#include "database.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/file_place.h"
#include "../../policy/util/json_dump.h"
#include "../../policy/util/oom.h"
#include "../../policy/util/sanitize.h"
#include "../../policy/util/status_word.h"
#include "cli/fleet_sql.h"
#include "flatten/fields.h"

#define TABLES_VERSION "1"
#define APPLICATION_ID "1280527940" /* "LSFD", which file(1) can tell */
#define BUSY_MS	       60000
#define RETRY_MS       10

const struct view views[] = { FLEET_VIEWS{ NULL, NULL } };

/* Results of SQLite, as errors of the caller. */
static const struct meaning {
	int code;
	enum err_kind kind;
	const char *fix;
} meanings[] = {
	{ SQLITE_FULL, ERR_SYSTEM, "make room; what was acknowledged is stored" },
	{ SQLITE_READONLY, ERR_DENIED, "make the file and its directory writable" },
	{ SQLITE_PERM, ERR_DENIED, "" },
	{ SQLITE_AUTH, ERR_DENIED, "" },
	{ SQLITE_BUSY, ERR_LOCKED, "try again when the other program is done" },
	{ SQLITE_NOTADB, ERR_POLICY, "" },
	{ SQLITE_CORRUPT, ERR_POLICY, "ingest the reports into a new file" },
};

bool database_failed(sqlite3 *db, struct err *err)
{
	int code = sqlite3_errcode(db) & 0xff;

	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		if (meanings[i].code != code)
			continue;
		err_record(err, meanings[i].kind, EIO, "%s", sqlite3_errmsg(db));
		if (meanings[i].fix[0])
			err_add_fix(err, "%s", meanings[i].fix);
		return false;
	}
	return err_set(err, ERR_SYSTEM, EIO, "%s", sqlite3_errmsg(db));
}

bool database_run(sqlite3 *db, const char *sql, struct err *err)
{
	return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK || database_failed(db, err);
}

bool database_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **ret, struct err *err)
{
	return sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, ret, NULL) == SQLITE_OK ||
	       database_failed(db, err);
}

bool database_step(sqlite3_stmt *stmt, bool *ret_row, struct err *err)
{
	int code = sqlite3_step(stmt);

	*ret_row = code == SQLITE_ROW;
	return code == SQLITE_ROW || code == SQLITE_DONE ||
	       database_failed(sqlite3_db_handle(stmt), err);
}

void database_close(sqlite3 **db)
{
	sqlite3_close_v2(*db);
	*db = NULL;
}

void statement_finalize(sqlite3_stmt **stmt)
{
	sqlite3_finalize(*stmt);
	*stmt = NULL;
}

static bool read_number(sqlite3 *db, const char *sql, sqlite3_int64 *ret, struct err *err)
{
	_statement_ sqlite3_stmt *stmt = NULL;
	bool row;

	if (!database_prepare(db, sql, &stmt, err) || !database_step(stmt, &row, err))
		return false;
	*ret = row ? sqlite3_column_int64(stmt, 0) : 0;
	return true;
}

static bool make_tables(sqlite3 *db, struct err *err)
{
	bool ok = database_run(db,
			       FLEET_TABLES "PRAGMA user_version = " TABLES_VERSION
					    "; PRAGMA application_id = " APPLICATION_ID ";",
			       err);

	for (size_t i = 0; ok && views[i].name; i++)
		ok = database_run(db, views[i].sql, err);
	return ok;
}

static bool is_foreign(const char *text, struct err *err)
{
	err_record(err, ERR_POLICY, EINVAL, "%s", text);
	return err_fix(err, "ingest the reports into a new file");
}

/* Refuses the tables of others. *ret_empty: there are none. */
static bool check_tables(sqlite3 *db, bool *ret_empty, struct err *err)
{
	sqlite3_int64 program, version, count;

	if (!read_number(db, "PRAGMA application_id", &program, err) ||
	    !read_number(db, "PRAGMA user_version", &version, err) ||
	    !read_number(db, "SELECT COUNT(*) FROM sqlite_schema", &count, err))
		return false;
	*ret_empty = !program && !version && !count;
	if (*ret_empty)
		return true;
	if (program != strtol(APPLICATION_ID, NULL, 10))
		return is_foreign("it is a database of another program", err);
	return version == strtol(TABLES_VERSION, NULL, 10) ||
	       is_foreign("its tables are of another version of losslessctl-fleet", err);
}

/* In a transaction of its own: another ingest may make the tables meanwhile. */
static bool look_at_tables(sqlite3 *db, bool *ret_empty, struct err *err)
{
	bool ok = database_run(db, "BEGIN", err) && check_tables(db, ret_empty, err);

	sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return ok;
}

static bool make_temporary(sqlite3 *db, const struct view *v, struct err *err)
{
	static const char create[] = "CREATE VIEW ";
	char *sql = sqlite3_mprintf("CREATE TEMP VIEW %s", strstr(v->sql, create) + strlen(create));
	bool ok = sql ? database_run(db, sql, err) : err_no_memory(err);

	sqlite3_free(sql);
	return ok;
}

bool database_keep_hosts(sqlite3 *db, struct err *err)
{
	bool ok = database_run(db, "CREATE TEMP TABLE hosts AS SELECT * FROM main.hosts", err);

	for (const struct view *v = views; ok && v->name; v++)
		ok = strcmp(v->name, "hosts") == 0 || make_temporary(db, v, err);
	return ok;
}

/*
 * SQLite does not wait for others where a shared lock becomes an exclusive one, as here in a new
 * file (sqlite3BtreeBeginTrans).
 */
static bool use_log(sqlite3 *db, struct err *err)
{
	int waited = 0;

	while (sqlite3_exec(db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) == SQLITE_BUSY &&
	       waited < BUSY_MS)
		waited += sqlite3_sleep(RETRY_MS);
	return sqlite3_errcode(db) == SQLITE_OK || database_failed(db, err);
}

/* Nothing in a database from elsewhere may run code, and a full disk loses no acknowledged row. */
static bool configure(sqlite3 *db, enum database_use use, struct err *err)
{
	bool empty;

	sqlite3_busy_timeout(db, BUSY_MS);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	if (!database_run(db, "PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;", err) ||
	    !look_at_tables(db, &empty, err)) /* a log would stay in a database of others */
		return false;
	if (use == DATABASE_READ)
		return !empty || is_foreign("it is a database without tables", err);
	if (!use_log(db, err) ||
	    !database_run(db, "PRAGMA synchronous = FULL; BEGIN IMMEDIATE", err))
		return false;
	if (check_tables(db, &empty, err) && (!empty || make_tables(db, err)))
		return database_run(db, "COMMIT", err);
	sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

/*
 * The file as a URI of which nothing is locked. Who reads with WAL writes beside the file; who may
 * not do that reads what no ingest has open, for that would have left its log. NULL: the file can
 * be written, or memory ran out.
 */
static char *frozen_uri(const char *path)
{
	_free_ char *log = NULL, *uri = NULL;
	size_t used = 0, size = 3 * strlen(path) + sizeof("file:?immutable=1");

	if (asprintf(&log, "%s-wal", path) < 0) {
		log = NULL;
		return NULL;
	}
	if (access(path, R_OK) != 0 || access(path, W_OK) == 0 || access(log, F_OK) == 0)
		return NULL;
	uri = malloc(size);
	for (used = uri ? (size_t)snprintf(uri, size, "file:") : 0; uri && *path; path++)
		used += (size_t)snprintf(uri + used, size - used,
					 strchr("?#%", *path) ? "%%%02x" : "%c", *path);
	if (uri)
		snprintf(uri + used, size - used, "?immutable=1");
	return take(uri);
}

/* SQLite waits at a FIFO, and writes to a device. It reports a directory and what is missing. */
static bool may_be_database(const char *path, enum database_use use, struct err *err)
{
	_place_ struct file_place place = { .dir = -1 };
	int code = file_place_find(AT_FDCWD, path, &place);

	if (code == ELOOP && use == DATABASE_WRITE)
		return err_set(err, ERR_REFUSED, code, "another user's link is not followed");
	return code || file_place_is_regular(&place) || S_ISDIR(place.kind) ||
	       err_set(err, ERR_POLICY, EINVAL, "it is not a regular file");
}

static bool no_database(enum database_use use, struct err *err)
{
	err_record(err, ERR_NO_FILE, ENOENT, "%s", strerror(ENOENT));
	if (use == DATABASE_READ)
		err_add_fix(err, "run `losslessctl-fleet ingest` first, or name the database "
				 "with --db");
	return false;
}

static bool open_file(const char *path, enum database_use use, sqlite3 **ret, struct err *err)
{
	_free_ char *uri = use == DATABASE_READ ? frozen_uri(path) : NULL;
	int flags = use == DATABASE_WRITE ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
					  : SQLITE_OPEN_READONLY;

	if (sqlite3_open_v2(uri ? uri : path, ret, flags | (uri ? SQLITE_OPEN_URI : 0), NULL) ==
	    SQLITE_OK)
		return true;
	if (sqlite3_system_errno(*ret) == ENOENT)
		return no_database(use, err);
	return database_failed(*ret, err);
}

/* severity_of(WORD): the severity of a status, 0 to 3. NULL is unknown, as is a word of a later
 * version. */
static void severity_of(sqlite3_context *context, int count, sqlite3_value **values)
{
	const char *word = (const char *)sqlite3_value_text(values[0]);
	const struct status_word *row =
		word ? status_word_named(word) : &status_words[WORD_UNKNOWN];

	(void)count;
	sqlite3_result_int(context, (int)row->severity);
}

static bool add_functions(sqlite3 *db, struct err *err)
{
	return sqlite3_create_function(db, "severity_of", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
				       NULL, severity_of, NULL, NULL) == SQLITE_OK ||
	       database_failed(db, err);
}

bool database_open(const char *path, enum database_use use, sqlite3 **ret, struct err *err)
{
	_database_ sqlite3 *db = NULL;

	if (!may_be_database(path, use, err) || !open_file(path, use, &db, err) ||
	    !configure(db, use, err) || !add_functions(db, err))
		return err_in(err, "%s", path);
	*ret = take(db);
	return true;
}

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

/* ---- rows of tables ---- */

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
	[STORE_LATEST] = "INSERT INTO latest_reports (host_id, aspect, report_id, observed_at) "
			 "VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET report_id = ?3, "
			 "observed_at = ?4 WHERE observed_at < ?4 OR (observed_at = ?4 AND "
			 "(SELECT kind || ' ' || host FROM reports AS r "
			 "WHERE r.report_id = latest_reports.report_id) < ?5 || ' ' || ?6)",
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
	[DELETE_REJECTED] = "DELETE FROM rejected_documents WHERE sha256 = ?1",
};

bool store_open(struct store *s, sqlite3 *db, struct err *err)
{
	sqlite3_int64 rejected = 0;

	*s = (struct store){ .db = db };
	for (size_t i = 0; i < STATEMENTS; i++)
		if (!database_prepare(db, texts[i], &s->statements[i], err))
			return false;
	if (!read_number(db, "SELECT EXISTS (SELECT 1 FROM rejected_documents)", &rejected, err))
		return false;
	s->has_rejected = rejected;
	return true;
}

void store_close(struct store *s)
{
	for (size_t i = 0; i < STATEMENTS; i++)
		statement_finalize(&s->statements[i]);
}

/* ASCII without control characters: of most texts it needs no more to see it. */
static bool is_plain(const char *text)
{
	while (*text >= ' ' && *text < 0x7f)
		text++;
	return !*text;
}

/* The shell of SQLite prints texts as they are, and a host may have sent any. */
static int bind_text(sqlite3_stmt *stmt, int at, const char *text)
{
	size_t size;
	char *clean;

	if (!text || is_plain(text))
		return sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
	size = strlen(text) * sizeof("\\xff") + 1;
	clean = malloc(size);
	if (!clean)
		return SQLITE_NOMEM;
	sanitize_text(text, clean, size);
	return sqlite3_bind_text(stmt, at, clean, -1, free);
}

static int bind_cell(sqlite3_stmt *stmt, int at, const struct cell *c)
{
	return c->is_number ? sqlite3_bind_int64(stmt, at, c->number)
			    : bind_text(stmt, at, c->text);
}

bool store_run(struct store *s, enum statement which, const struct cell *cells, size_t count,
	       struct err *err)
{
	sqlite3_stmt *stmt = s->statements[which];
	bool row, ok = true;

	for (size_t i = 0; ok && i < count; i++)
		ok = bind_cell(stmt, (int)i + 1, &cells[i]) == SQLITE_OK ||
		     database_failed(s->db, err);
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
