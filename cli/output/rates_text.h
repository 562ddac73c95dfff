/* The rates of a port as `verify --counters` and `watch` report them, below every threshold too.
 */
#ifndef LOSSLESSCTL_CLI_OUTPUT_RATES_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_RATES_TEXT_H

#include "../../agent/engine/verify/verify.h"
#include "../cli.h"

/* To a thousandth; null where it is not known. */
json_t *rates_number(double value);

/* Adds each rate under its key, and the priorities that were paused most. */
void rates_to_json(json_t *object, const struct rates *f);

/* Prints for people, on standard output, what each port counted. Nothing without --counters. */
void print_rates(const struct cli *c, const struct port_reports *all);

/* The worst port's rates as performance data of a monitoring plugin. */
void print_rates_perfdata(const struct port_reports *all);

#endif
