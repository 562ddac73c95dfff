#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/file_place.h"
#include "../../agent/host/log.h"
#include "../../policy/util/err.h"
#include "../../policy/util/fix_text.h"
#include "../../policy/util/oom.h"
#include "../sandbox/trusted_open.h"
#include "basis.h"
#include "database.h"
#include "fleet_options.h"
#include "page/page.h"
#include "rows.h"
#include "verbs.h"

#define BLANKS	 " \t\r\n"
#define NAME_MAX 255

static void close_file(FILE **f)
{
	if (*f)
		fclose(*f);
}
#define _fclose_ __attribute__((cleanup(close_file)))

#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* some editors begin a file in UTF-8 with it */

/* The host of a line, without its comment; "": there is none. */
static char *host_of(char *line)
{
	char *host, *end;

	for (char *at = line; *at; at++)
		if (*at == '#' && (at == line || strchr(BLANKS, at[-1])))
			*at = '\0';
	host = line + strspn(line, BLANKS);
	end = host + strlen(host);
	while (end > host && strchr(BLANKS, end[-1]))
		*--end = '\0';
	return host;
}

static bool insert(sqlite3_stmt *stmt, const char *host, struct err *err)
{
	bool row, ok;

	ok = sqlite3_bind_text(stmt, 1, host, -1, SQLITE_STATIC) == SQLITE_OK ||
	     database_failed(sqlite3_db_handle(stmt), err);
	ok = ok && database_step(stmt, &row, err);
	sqlite3_reset(stmt);
	return ok;
}

/* The reason why a text is no host; NULL: it is one. */
static const char *defect_of(const char *host)
{
	if (host[strcspn(host, BLANKS)])
		return "several words";
	return strlen(host) > NAME_MAX ? "more than 255 characters" : NULL;
}

static bool insert_lines(sqlite3 *db, FILE *in, const char *path, struct err *err)
{
	_statement_ sqlite3_stmt *stmt = NULL;
	_free_ char *line = NULL;
	size_t room = 0, number = 0;
	ssize_t length;

	if (!database_prepare(db, "INSERT OR IGNORE INTO inventory VALUES (?1)", &stmt, err))
		return false;
	while ((length = getline(&line, &room, in)) >= 0) {
		size_t mark = number++ ? 0 : strlen(BYTE_ORDER_MARK);
		bool is_text = strlen(line) == (size_t)length,
		     has_mark = strncmp(line, BYTE_ORDER_MARK, mark) == 0;
		const char *host = host_of(line + (has_mark ? mark : 0)), *defect = defect_of(host);

		if (!is_text || defect) {
			err_record(err, ERR_POLICY, EINVAL, "found %s, expected one host",
				   is_text ? defect : "a NUL byte");
			return err_in(err, "%s:%zu", path, number);
		}
		if (host[0] && !insert(stmt, host, err))
			return false;
	}
	return feof(in) || err_set(err, ERR_SYSTEM, errno, "%s: %s", path, strerror(errno));
}

static bool replace(sqlite3 *db, FILE *in, const char *path, struct err *err)
{
	if (!database_run(db, "BEGIN IMMEDIATE; DELETE FROM inventory", err))
		return false;
	if (insert_lines(db, in, path, err) && database_run(db, "COMMIT", err))
		return true;
	sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

static FILE *open_file(const char *path, struct err *err)
{
	struct err why = { 0 };
	FILE *in;
	int fd;

	if (!any_open(path, &fd, &why)) {
		err_record(err, why.kind == ERR_NO_FILE ? ERR_NO_FILE : ERR_SYSTEM, why.code,
			   "%s: %s", path, why.text);
		return NULL;
	}
	in = fdopen(fd, "r");
	if (!in) {
		err_record(err, ERR_SYSTEM, errno, "%s: %s", path, strerror(errno));
		close(fd);
	}
	return in;
}

bool inventory_replace(const char *db_path, const char *path, struct err *err)
{
	_database_ sqlite3 *db = NULL;
	_fclose_ FILE *in = strcmp(path, "-") == 0 ? stdin : open_file(path, err);

	return in && database_open(db_path, DATABASE_WRITE, &db, err) && replace(db, in, path, err);
}

struct section {
	const char *key;   /* in JSON */
	const char *title; /* heading in the text */
	const char *empty; /* the line in place of an empty table; NULL: none */
	const struct basis *basis;
	const char *more; /* where to read on, where the table is cut */
	/* As scope_prepare() takes it. The columns are keys of JSON, and headings. */
	const char *sql;
};

/* In the order of the report. The last row is all NULL. */
extern const struct section sections[];

/* clang-format off: one paragraph per section */
const struct section sections[] = {
	{ .key = "verdicts",
	  .title = "Hosts",
	  .empty = "No host has reported yet.",
	  .more = "hosts",
	  .sql = "SELECT COALESCE(verdict, 'never_verified') AS verdict, COUNT(*) AS "
		 "host_count, SUM(port_count) AS port_count, SUM(drifted_port_count) AS "
		 "drifted_port_count, MAX(last_seen_at) AS newest_at FROM hosts GROUP BY "
		 "verdict ORDER BY host_count DESC, 1" },
	{ .key = "silent_hosts",
	  .title = "Silent hosts",
	  .empty = "No host is silent.",
	  .more = "silent_hosts",
	  .sql = SILENT_HOSTS " ORDER BY 2, 1" },
	{ .key = "old_verdicts",
	  .title = "Hosts that report, with an old verdict",
	  .more = "hosts",
	  .sql = OLD_VERDICTS " ORDER BY 3, 1, 2" },
	{ .key = "deadlock_suspects",
	  .title = "Switches with a suspected PFC deadlock",
	  .more = "deadlock_suspects",
	  .sql = "SELECT switch_name, switch_id, host_count, port_count, last_seen_at FROM "
		 "deadlock_suspects ORDER BY host_count DESC, 1, 2" },
	{ .key = "symptoms",
	  .title = "Symptoms by switch",
	  .empty = "No host reports a symptom.",
	  .basis = &basis_verdicts,
	  .more = "current_symptoms",
	  .sql = "SELECT switch_name, symptom, severity, host_count, port_count, example_host "
		 "FROM switch_symptoms ORDER BY severity_of(severity) DESC, host_count DESC, "
		 "switch_name, symptom" },
	{ .key = "settings",
	  .title = "Settings that are not in sync",
	  .empty = "Every setting is in sync.",
	  .basis = &basis_settings,
	  .more = "current_drift",
	  .sql = "SELECT policy_name, setting, status, SUM(contested) AS contested_count, "
		 "COUNT(DISTINCT host_id) AS host_count, COUNT(*) AS port_count, MIN(host) AS "
		 "example_host FROM current_drift GROUP BY policy_name, setting, status ORDER "
		 "BY severity_of(status) DESC, host_count DESC, 1, 2, 3" },
	{ .key = "outliers",
	  .title = "Outliers: not the value of at least 60 % of the ports of their policy",
	  .empty = "No host is an outlier.",
	  .basis = &basis_values,
	  .more = "outliers",
	  .sql = "SELECT policy_name, setting, value, majority_value, majority_percent, "
		 "COUNT(DISTINCT host_id) AS host_count, MIN(host) AS example_host FROM "
		 "outliers GROUP BY policy_name, setting, value, majority_value, "
		 "majority_percent ORDER BY host_count DESC, 1, 2, 3" },
	{ .key = "pfc_mismatches",
	  .title = "PFC: host and switch disagree",
	  .empty = "No host disagrees with its switch on PFC.",
	  .basis = &basis_pfc,
	  .more = "pfc_matrix",
	  .sql = "SELECT switch_name, switch_id, pfc, switch_pfc, link_count, host_count, "
		 "example_host FROM pfc_matrix WHERE differs = 1 ORDER BY link_count DESC, 1, "
		 "2, 3, 4" },
	{ .key = "readiness",
	  .title = "Checks of ready that hosts do not pass",
	  .basis = &basis_ready,
	  .more = "readiness",
	  .sql = "SELECT check_name, status, host_count, example_host FROM readiness ORDER BY "
		 "severity_of(status) DESC, host_count DESC, 1" },
	{ .key = "probes",
	  .title = "Probes that were not in class",
	  .more = "probe_matrix",
	  .sql = "SELECT path, direction, verdict, COUNT(*) AS pair_count, MIN(host || ' -> ' "
		 "|| peer_host) AS example_pair FROM probe_matrix WHERE verdict <> 'in_class' "
		 "GROUP BY path, direction, verdict ORDER BY pair_count DESC, 1, 2, 3" },
	{ .key = "groups",
	  .title = "Hosts that are configured alike",
	  .more = "state_groups",
	  .sql = "SELECT policy_name, state_hash, host_count, drifted_host_count, "
		 "example_host, newest_at FROM state_groups ORDER BY host_count DESC, 1, 2" },
	{ .key = "rollout",
	  .title = "Versions",
	  .more = "rollout",
	  .sql = "SELECT losslessctl_version, policy_name, policy_generation, policy_sha256, "
		 "host_count, in_sync_host_count FROM rollout ORDER BY host_count DESC, 1, 2, "
		 "3, 4" },
	{ .key = "drift_days",
	  .title = "Drift by day",
	  .more = "drift_timeline",
	  .sql = "SELECT day, policy_name, setting, host_count, port_count FROM drift_timeline "
		 "WHERE day >= SUBSTR(COALESCE(?2, ''), 1, 10) ORDER BY day DESC, host_count "
		 "DESC, 2, 3" },
	{ .key = "shared_ids",
	  .title = "Hosts that share a machine-id",
	  .more = "shared_ids",
	  .sql = "SELECT host_id, name_count, first_name, last_name FROM shared_ids ORDER BY "
		 "name_count DESC, 1" },
	{ .key = "rejected_documents",
	  .title = "Documents that were set aside",
	  .more = "rejected_documents",
	  .sql = "SELECT source, reason FROM rejected_documents ORDER BY source, reason" },
	{ .key = NULL },
};
/* clang-format on */

#define ROWS_SHOWN 10

static bool print_section(const struct section *s, sqlite3 *db, const struct fleet_scope *scope,
			  struct err *err)
{
	_statement_ sqlite3_stmt *stmt = NULL;
	char missing[BASIS_TEXT_MAX];
	size_t count;

	if (!scope_prepare(scope, db, s->sql, &stmt, err) ||
	    !rows_print_table(stmt, s->title, ROWS_SHOWN, &count, err) ||
	    !basis_missing(s->basis, db, scope, missing, err))
		return false;
	if (count > ROWS_SHOWN)
		printf("  and %zu more: losslessctl-fleet sql 'SELECT * FROM %s'\n",
		       count - ROWS_SHOWN, s->more);
	if (missing[0] && count)
		printf("  %s\n", missing);
	else if (missing[0])
		printf("%.*s: %s\n", (int)strcspn(s->title, ":"), s->title, missing);
	else if (!count && s->empty)
		printf("%s\n", s->empty);
	return true;
}

/* Prints every section as a table. */
static bool report_print_text(sqlite3 *db, const struct fleet_scope *scope, struct err *err)
{
	for (const struct section *s = sections; s->key; s++)
		if (!print_section(s, db, scope, err))
			return false;
	return true;
}

/* Prints losslessctl/fleet-report/1: the same sections. */
static bool report_print_json(sqlite3 *db, const struct fleet_scope *scope, struct err *err)
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

/*
 * Returns 2 if a host drifted, has a symptom or is silent; 3 if one is unknown, as if its verdict
 * is old or another host hides it, or there is none; else 0.
 */
static bool report_exit_code(sqlite3 *db, const struct fleet_scope *scope, int *ret,
			     struct err *err)
{
	static const char code[] =
		"SELECT CASE WHEN EXISTS (SELECT 1 FROM hosts WHERE severity_of(verdict) = 3) OR "
		"EXISTS (" SILENT_HOSTS ") THEN 2 WHEN EXISTS (SELECT 1 FROM hosts WHERE "
		"severity_of(verdict) = 2) OR EXISTS (" OLD_VERDICTS ") OR EXISTS (SELECT 1 FROM "
		"reports WHERE observed_at >= ?1 GROUP BY host_id HAVING COUNT(DISTINCT host) > 1) "
		"OR NOT EXISTS (SELECT 1 FROM hosts) THEN 3 ELSE 0 END";
	_statement_ sqlite3_stmt *stmt = NULL;
	bool row;

	if (!scope_prepare(scope, db, code, &stmt, err) || !database_step(stmt, &row, err))
		return false;
	*ret = sqlite3_column_int(stmt, 0);
	return true;
}

#define DAY_S 86400

/* Room for the texts of a scope. */
struct times {
	char since[TIMESTAMP_MAX], now[TIMESTAMP_MAX], silent_before[TIMESTAMP_MAX];
};

/* An age such as 90m, 36h or 7d, in seconds. */
static bool parse_age(const char *text, int64_t *ret_s)
{
	static const struct unit {
		char letter;
		int64_t seconds;
	} units[] = { { 'm', 60 }, { 'h', 3600 }, { 'd', DAY_S } };
	char *end;
	uintmax_t n;

	errno = 0;
	n = strtoumax(text, &end, 10);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (*end == units[i].letter && !end[1] && end > text && text[0] >= '0' &&
		    text[0] <= '9' && errno == 0 && n > 0 && n <= 36500) {
			*ret_s = (int64_t)n * units[i].seconds;
			return true;
		}
	return false;
}

static bool make_scope(const char *since, struct times *t, struct fleet_scope *ret, struct err *err)
{
	int64_t now_s = (int64_t)time(NULL), age_s = DAY_S, since_s = now_s - age_s;

	if (since && parse_age(since, &age_s))
		since_s = now_s - age_s;
	else if (since && !timestamp_parse(since, &since_s))
		return err_set(
			err, ERR_USAGE, EINVAL,
			"--since: found \"%s\", expected an age such as 90m, 36h or 7d, or a "
			"time such as 2026-11-24T09:30:00Z",
			since);
	*ret = (struct fleet_scope){
		.since = since ? timestamp_text(since_s, t->since) : NULL,
		.now = timestamp_text(now_s, t->now),
		.silent_before = timestamp_text(since_s, t->silent_before),
	};
	return true;
}

static bool print_view(sqlite3 *db, const char *name, struct err *err)
{
	_statement_ sqlite3_stmt *stmt = NULL;
	struct suggestion near = suggest_for(name);
	bool found = strcmp(name, "rejected_documents") == 0; /* the table that the page names */
	char query[64];

	for (const struct view *v = views; v->name; v++) {
		suggest_offer(&near, v->name);
		found = found || strcmp(v->name, name) == 0;
	}
	if (found) {
		snprintf(query, sizeof(query), "SELECT * FROM %s", name);
		return database_prepare(db, query, &stmt, err) && csv_print(stmt, err);
	}
	err_record(err, ERR_USAGE, EINVAL, "--csv: unknown view \"%s\"", name);
	return near.best
		       ? err_fix(err, "did you mean %s?", near.best)
		       : err_fix(err, "run `losslessctl-fleet sql \"SELECT name FROM sqlite_master "
				      "WHERE type = 'view'\"` for the list");
}

/* True if all that was written is in the file; else sets errno. */
static bool file_end(FILE *out)
{
	bool lost = ferror(out);

	if (fclose(out) != 0)
		return false;
	errno = EIO; /* the earlier error is not known any more */
	return !lost;
}

static bool page_failed(const char *path, int code, struct err *err)
{
	return err_set(err, ERR_SYSTEM, code, "%s: %s", path,
		       code == ELOOP ? "another user's link is not followed" : strerror(code));
}

/* Takes the descriptor. */
static bool write_to(int fd, sqlite3 *db, const char *path, const struct fleet_scope *scope,
		     struct err *err)
{
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	bool ok;

	if (!out)
		return page_failed(path, errno, err);
	ok = fleet_page_write(out, db, scope, err);
	return (file_end(out) || page_failed(path, errno, err)) && ok;
}

/* Readers of the older page can read the new one, and nobody else can. */
static bool keep_rights(int fd, const struct file_place *p)
{
	struct stat old;

	return !p->kind || fstatat(p->dir, p->name, &old, AT_SYMLINK_NOFOLLOW) < 0 ||
	       (fchown(fd, old.st_uid, old.st_gid) == 0 && fchmod(fd, old.st_mode & 0777) == 0);
}

/* The page replaces an older one once it is complete. */
static bool replace_page(const struct file_place *p, sqlite3 *db, const char *path,
			 const struct fleet_scope *scope, struct err *err)
{
	char draft[DRAFT_NAME_MAX];
	bool ok;
	int fd;

	draft_of(p->name, draft, sizeof(draft));
	unlinkat(p->dir, draft, 0);
	fd = openat(p->dir, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	ok = (fd < 0 || keep_rights(fd, p) || page_failed(path, errno, err)) &&
	     write_to(fd, db, path, scope, err) &&
	     (renameat(p->dir, draft, p->dir, p->name) == 0 || page_failed(path, errno, err));
	if (!ok && fd >= 0)
		unlinkat(p->dir, draft, 0);
	return ok;
}

static bool is_database(const struct file_place *p, sqlite3 *db)
{
	struct stat page, database;

	return fstatat(p->dir, p->name, &page, AT_SYMLINK_NOFOLLOW) == 0 &&
	       stat(sqlite3_db_filename(db, "main"), &database) == 0 &&
	       page.st_dev == database.st_dev && page.st_ino == database.st_ino;
}

static bool write_page(sqlite3 *db, const char *path, const struct fleet_scope *scope,
		       struct err *err)
{
	_place_ struct file_place place = { .dir = -1 };
	int code = 0;

	if (strcmp(path, "-") == 0)
		return write_to(dup(STDOUT_FILENO), db, "standard output", scope, err);
	code = file_place_find(AT_FDCWD, path, &place);
	if (code)
		return page_failed(path, code, err);
	if (is_database(&place, db))
		return err_set(err, ERR_USAGE, EINVAL,
			       "--html %s: it is the database, and the page would replace it",
			       path);
	return file_place_is_regular(&place)
		       ? replace_page(&place, db, path, scope, err)
		       : write_to(file_place_open(&place), db, path, scope, err);
}

static bool print_report(const struct fleet_options *o, sqlite3 *db,
			 const struct fleet_scope *scope, struct err *err)
{
	if (o->html && !write_page(db, o->html, scope, err))
		return false;
	if (o->json)
		return report_print_json(db, scope, err);
	return o->html || o->quiet || report_print_text(db, scope, err);
}

int fleet_report(const struct fleet_options *o, struct err *err)
{
	_database_ sqlite3 *db = NULL;
	struct fleet_scope scope;
	struct times times;
	int code = 0;

	/* Open it first: inventory_replace() would make a database without reports. */
	if (!make_scope(o->since, &times, &scope, err) ||
	    !database_open(o->db, DATABASE_READ, &db, err) ||
	    (o->expect && !inventory_replace(o->db, o->expect, err)) ||
	    !database_run(db, "BEGIN", err) || !database_keep_hosts(db, err))
		return -1;
	if (o->view)
		return print_view(db, o->view, err) ? 0 : -1;
	if (!print_report(o, db, &scope, err) || !report_exit_code(db, &scope, &code, err))
		return -1;
	return code;
}
