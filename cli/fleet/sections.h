/* The sections of the report: text and JSON print the same rows. */
#ifndef LOSSLESSCTL_CLI_FLEET_SECTIONS_H
#define LOSSLESSCTL_CLI_FLEET_SECTIONS_H

#include <sqlite3.h>

#include "../../policy/util/err.h"
#include "scope.h"

struct section {
	const char *key;   /* in JSON */
	const char *title; /* heading in the text */
	const char *empty; /* the line in place of an empty table; NULL: none */
	/* A table without which nothing is known, and the line that says so; NULL: there is none.
	 */
	const char *basis, *unknown;
	const char *more; /* where to read on, where the table is cut */
	/* The columns are keys of JSON, and headings. ?1 is silent_before, ?2 since, or NULL. */
	const char *sql;
};

/* In the order of the report. The last row is all NULL. */
extern const struct section sections[];

/* Prepares a section's statement, which the caller finalizes. */
bool section_prepare(const struct section *s, sqlite3 *db, const struct fleet_scope *scope,
		     sqlite3_stmt **ret, struct err *err) must_check;

#endif
