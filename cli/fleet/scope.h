/* The times that a report is about. */
#ifndef LOSSLESSCTL_CLI_FLEET_SCOPE_H
#define LOSSLESSCTL_CLI_FLEET_SCOPE_H

#include <sqlite3.h>

#include "../../policy/util/err.h"

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
