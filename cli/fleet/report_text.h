/* The report of a fleet, as text and as JSON, and its exit code. */
#ifndef LOSSLESSCTL_CLI_FLEET_REPORT_TEXT_H
#define LOSSLESSCTL_CLI_FLEET_REPORT_TEXT_H

#include <sqlite3.h>

#include "../../policy/util/err.h"
#include "scope.h"

/* Prints every section as a table. */
bool report_print_text(sqlite3 *db, const struct fleet_scope *scope, struct err *err) must_check;

/* Prints losslessctl/fleet-report/1: the same sections. */
bool report_print_json(sqlite3 *db, const struct fleet_scope *scope, struct err *err) must_check;

/*
 * Returns 2 if a host drifted, has a symptom or is silent; 3 if one is unknown, or there is none;
 * else 0.
 */
bool report_exit_code(sqlite3 *db, const struct fleet_scope *scope, int *ret,
		      struct err *err) must_check;

#endif
