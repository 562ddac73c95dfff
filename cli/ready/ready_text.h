/* The report of `losslessctl ready` as text: a table, a plugin's line, a reason for Slurm. */
#ifndef LOSSLESSCTL_CLI_READY_READY_TEXT_H
#define LOSSLESSCTL_CLI_READY_READY_TEXT_H

#include "ready_json.h"

/* Prints the rows that matter, or all of them with --all, and the totals. */
void print_ready(const struct cli *c, const struct ready_report *r, const struct ready_runs *l);

/* Prints the line of a monitoring plugin; returns its exit code. */
int print_ready_nagios(const struct ready_report *r, const struct ready_runs *l);

/* Prints one short line, without a policy's or a device's own words: a reason to drain the node. */
void print_ready_slurm(const struct ready_report *r);

#endif
