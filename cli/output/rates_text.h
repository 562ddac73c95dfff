/* The rates that `verify --sample-for` counted, as a table and as performance data. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_RATES_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_RATES_TEXT_H

#include "../../agent/engine/verify/verify.h"
#include "../cli.h"

/* Prints the rates of each port, even below all thresholds; nothing without --sample-for. */
void print_rates(const struct cli *c, const struct port_reports *all);

/* Prints the rates of the worst port as performance data of a monitoring plugin. */
void print_rates_perfdata(const struct port_reports *all);

#endif
