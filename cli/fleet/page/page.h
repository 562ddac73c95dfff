/* The report as a page for a browser: one file, which needs no network. */
#ifndef LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_H
#define LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_H

#include <sqlite3.h>
#include <stdio.h>

#include "../../../policy/util/err.h"
#include "../database.h"

/* Writes the page. The caller checks whether all of it was written. */
bool fleet_page_write(FILE *out, sqlite3 *db, const struct fleet_scope *scope,
		      struct err *err) must_check;

#endif
