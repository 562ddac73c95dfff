/* The report of `verify` for people; and its ports as they are set up. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_VERIFY_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_VERIFY_TEXT_H

#include "../../agent/engine/verify/verify.h"
#include "port_diff.h"

/* Prints all of it on standard output. */
void print_port_reports(const struct cli *c, const struct port_reports *all,
			const struct verify_totals *n);

/* The setup of each port, to compare them; the caller frees it. NULL: no memory. */
struct setup *port_reports_setups(const struct port_reports *all);

#endif
