/* Writes rows into the database: the newest report of a host and aspect wins, in any order. */
#ifndef LOSSLESSCTL_CLI_FLEET_STORE_H
#define LOSSLESSCTL_CLI_FLEET_STORE_H

#include <jansson.h>
#include <sqlite3.h>
#include <stdbool.h>

#include "../../policy/util/json_location.h"

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
	STATEMENTS
};

#define STATES_SEEN 16384

struct store {
	sqlite3 *db; /* borrowed */
	sqlite3_stmt *statements[STATEMENTS];
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
