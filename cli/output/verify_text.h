/* The report of `verify` as text, and the settings of its ports. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_VERIFY_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_VERIFY_TEXT_H

#include "../../agent/engine/verify/verify.h"
#include "port_diff.h"

/* Prints the whole report on standard output. */
void print_port_reports(const struct cli *c, const struct verify_run *r);

/* Returns the settings of each port, to compare them. The caller frees it; NULL without memory. */
struct setup *port_reports_setups(const struct port_reports *all);

#endif
