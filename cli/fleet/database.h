/* The database of a fleet: opened, checked, and asked with statements that are prepared once. */
#ifndef LOSSLESSCTL_CLI_FLEET_DATABASE_H
#define LOSSLESSCTL_CLI_FLEET_DATABASE_H

#include <sqlite3.h>

#include "../../policy/util/err.h"

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

/*
 * The hosts that are silent, as scope_prepare() takes them: each once, under the name or the id
 * that the inventory has.
 */
#define SILENT_HOSTS \
	"SELECT host, last_seen_at FROM silent_hosts WHERE last_seen_at IS NULL OR last_seen_at " \
	"< ?1 " \
	"UNION SELECT host, last_seen_at FROM hosts WHERE last_seen_at < ?1 AND host_id NOT IN " \
	"(SELECT host FROM inventory)"

/*
 * Prepares a statement, where ?1 is silent_before, and ?2 since, or NULL. The caller finalizes it
 * while the scope lasts.
 */
bool scope_prepare(const struct fleet_scope *scope, sqlite3 *db, const char *sql,
		   sqlite3_stmt **ret, struct err *err) must_check;

#endif
