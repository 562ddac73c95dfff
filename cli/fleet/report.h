/* The hosts that should report. */
#ifndef LOSSLESSCTL_CLI_FLEET_REPORT_H
#define LOSSLESSCTL_CLI_FLEET_REPORT_H

#include "../../policy/util/err.h"

/* Puts the hosts of a file, one a line, in place of those that the database has. */
bool inventory_replace(const char *db_path, const char *path, struct err *err) must_check;

#endif
