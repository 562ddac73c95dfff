/* The report of `verify` as one line for a monitoring plugin, with the plugin's exit codes. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_NAGIOS_H
#define LOSSLESSCTL_CLI_OUTPUT_NAGIOS_H

#include "../../agent/engine/verify/verify.h"
#include "../cli.h"

/* Prints the line on standard output and returns the plugin's exit code. */
int print_nagios(const struct cli *c, const struct verify_run *r);

/* Prints the line of a run that failed and returns the plugin's exit code. */
int print_nagios_failure(const struct err *err);

/* Prints a text of the line, which it changes: a "|" would begin the performance data. */
void print_nagios_text(char *text);

#endif
