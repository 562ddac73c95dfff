/* The report of `verify` as text and as JSON, its totals and rates, and the settings of its ports.
 */
#ifndef LOSSLESSCTL_CLI_OUTPUT_VERIFY_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_VERIFY_TEXT_H

#include <stdio.h>

#include "../../agent/engine/verify/verify.h"
#include "../cli.h"
#include "../sandbox/policy_file.h"
#include "fold.h"

/* Prints the whole report on standard output. */
void print_port_reports(const struct cli *c, const struct verify_run *r);

#define REPAIR_ADVICE_MAX (POLICY_OPERAND_MAX + 64)

/*
 * Writes an imperative that repairs drift with the same policy: a command, or where the host is a
 * document, an instruction. apply begins only if it refuses no port, unless it keeps going.
 */
const char *repair_advice(const struct cli *c, const struct port_reports *all,
			  char ret[REPAIR_ADVICE_MAX]);

/* Returns the settings of each port, to compare them. The caller frees it; NULL without memory. */
struct setup *port_reports_setups(const struct port_reports *all);

/*
 * Prints the numbers of a run, separated by `sep`: "34 of 36 settings on 2 ports in sync; 2
 * drifted". With `example`, those of the worst status come first, with the name of one of them: "2
 * drifted (ens1f0np0 mtu, ...), 34 of 36 settings on 2 ports in sync". Symptoms are printed if
 * counters were sampled for `seconds`.
 */
void print_totals(FILE *to, const struct verify_run *r, unsigned seconds, const char *sep,
		  bool example);

/* Prints the rates of the worst port as performance data of a monitoring plugin. */
void print_rates_perfdata(const struct port_reports *all);

/* Returns the whole document; the caller owns it. */
json_t *verify_to_json(const struct cli *c, const struct verify_run *r);

#endif
