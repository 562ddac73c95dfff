/* The database of a fleet: opened, checked, and asked with statements that are prepared once. */
#ifndef LOSSLESSCTL_CLI_FLEET_DATABASE_H
#define LOSSLESSCTL_CLI_FLEET_DATABASE_H

#include <jansson.h>
#include <sqlite3.h>
#include <stdbool.h>

#include "../../policy/util/err.h"
#include "../../policy/util/json_location.h"

enum database_use {
	DATABASE_READ,	/* it exists, and is not written to */
	DATABASE_WRITE, /* it is made where there is none */
};

/*
 * Opens a database of this version of the tables. Errors: ERR_NO_FILE, ERR_POLICY for another kind
 * of file, ERR_DENIED, ERR_LOCKED and ERR_SYSTEM.
 */
bool database_open(const char *path, enum database_use use, sqlite3 **ret,
		   struct err *err) must_check;

void database_close(sqlite3 **db);
#define _database_ __attribute__((cleanup(database_close)))

void statement_finalize(sqlite3_stmt **stmt);
#define _statement_ __attribute__((cleanup(statement_finalize)))

/* Records the last error of the connection; always false. */
bool database_failed(sqlite3 *db, struct err *err) __attribute__((cold));

/* Runs statements that return nothing. */
bool database_run(sqlite3 *db, const char *sql, struct err *err) must_check;

/* Prepares one statement, which the caller finalizes. */
bool database_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **ret, struct err *err) must_check;

/* Steps to the next row; *ret_row is false after the last. */
bool database_step(sqlite3_stmt *stmt, bool *ret_row, struct err *err) must_check;

/*
 * Evaluates the view `hosts` once for this connection: it reads the reports of every host, and most
 * other views read it. A temporary table stands in for it, and temporary views for the others.
 */
bool database_keep_hosts(sqlite3 *db, struct err *err) must_check;

/* The views, by name, each with the statement that makes it. The last row is all NULL. */
struct view {
	const char *name, *sql;
};
extern const struct view views[];

/* The times that a report is about. */

/* RFC 3339 in UTC, as the tables have them; borrowed. */
struct fleet_scope {
	const char *since; /* timelines begin here; NULL: with the first report */
	const char *now;
	const char *silent_before; /* a host without a report since then is silent */
};

/* The hosts that are silent, as scope_prepare() takes them. */
#define SILENT_HOSTS \
	"SELECT host, last_seen_at FROM silent_hosts WHERE last_seen_at IS NULL OR last_seen_at " \
	"< ?1"

/* Hosts that report, whose settings nobody has verified for as long: their verdict is old. */
#define OLD_VERDICTS \
	"SELECT host, verdict, verified_at FROM hosts WHERE verified_at < ?1 AND last_seen_at >= " \
	"?1"

/*
 * Prepares a statement, where ?1 is silent_before, and ?2 since, or NULL. The caller finalizes it
 * while the scope lasts.
 */
bool scope_prepare(const struct fleet_scope *scope, sqlite3 *db, const char *sql,
		   sqlite3_stmt **ret, struct err *err) must_check;

/* ---- rows of tables ---- */

/* Writes rows into the database: the newest report of a host and aspect wins, in any order. */

/* A document between its header, which is stored, and its rows. */

/* A document whose header is stored. Borrows from it. */
struct report {
	const char *kind, *host, *host_id, *boot_id, *version, *observed_at, *verdict, *state_hash;
	json_t *policy; /* NULL: it names none */
	const char *policy_name, *policy_sha256;
	json_int_t policy_generation; /* 0: it has none */
	json_t *document;
	json_t *ports; /* NULL: the document has no such list */
	json_int_t port_count, drifted_port_count, unknown_port_count;
	sqlite3_int64 id;
	bool newest; /* no later one of its host and aspect is stored */
};

/* Statements that are prepared once. */
enum statement {
	STORE_REPORT,
	STORE_LATEST,
	STORE_SETTING,
	STORE_SYMPTOM,
	STORE_STATE_VALUE,
	DELETE_LINKS,
	STORE_LINK,
	DELETE_CHECKS,
	STORE_CHECK,
	STORE_DRIFT,
	STORE_PROBE,
	STORE_REJECTED,
	DELETE_REJECTED,
	STATEMENTS
};

#define STATES_SEEN 16384

struct store {
	sqlite3 *db; /* borrowed */
	sqlite3_stmt *statements[STATEMENTS];
	bool has_rejected; /* a document that is stored may have been set aside before */
	/* Digests of the states whose values were stored, to do it once. A lost one costs time. */
	uint64_t states_seen[STATES_SEEN];
};

/* A value of a row: a borrowed text, where NULL is SQL's, or a number. */
struct cell {
	const char *text;
	json_int_t number;
	bool is_number;
};

#define CELL_TEXT(value) \
	{ \
		.text = (value) \
	}
#define CELL_NUMBER(value) \
	{ \
		.number = (value), .is_number = true \
	}

/* Prepares the statements; store_close() finalizes them. Borrows `db`. */
bool store_open(struct store *s, sqlite3 *db, struct err *err) must_check;
void store_close(struct store *s);
#define _store_ __attribute__((cleanup(store_close)))

/* Runs a statement with these values. */
bool store_run(struct store *s, enum statement which, const struct cell *cells, size_t count,
	       struct err *err) must_check;

#define STORE_RUN(s, which, err, ...) \
	__extension__({ \
		const struct cell cells_[] = { __VA_ARGS__ }; \
		store_run(s, which, cells_, sizeof(cells_) / sizeof(cells_[0]), err); \
	})

/*
 * A value as a cell: NULL for null and none, a text as it is if `plain` is set, else compact JSON.
 * The caller frees *ret_text, which may be NULL. Fails if it is too long, or without memory.
 */
bool value_cell(const json_t *value, bool plain, const struct json_path *at, char **ret_text,
		struct cell *ret, struct err *err) must_check;

#endif
