/* Rows of a statement as CSV (RFC 4180). */
#ifndef LOSSLESSCTL_CLI_FLEET_CSV_H
#define LOSSLESSCTL_CLI_FLEET_CSV_H

#include <sqlite3.h>

#include "../../policy/util/err.h"

/* Prints the names of the columns and all rows; NULL is empty. Control characters are escaped. */
bool csv_print(sqlite3_stmt *stmt, struct err *err) must_check;

#endif
