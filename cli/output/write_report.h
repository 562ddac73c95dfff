/* The report of an apply or a rollback, as text or as JSON. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_WRITE_REPORT_H
#define LOSSLESSCTL_CLI_OUTPUT_WRITE_REPORT_H

#include "../../agent/engine/write/write_ports.h"
#include "../cli.h"

/* Prints the report and returns the exit code. `p` is NULL for a rollback. */
int print_write_report(const struct cli *c, const struct policy *p, const struct targets *all,
		       const struct write_report *r);

#endif
