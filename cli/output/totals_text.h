/* The numbers of a run of `verify` in one line: "34 of 36 settings on 2 ports in sync". */
#ifndef LOSSLESSCTL_CLI_OUTPUT_TOTALS_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_TOTALS_TEXT_H

#include <stdio.h>

#include "../../agent/engine/verify/verify.h"

/*
 * Prints the numbers of a run, separated by `sep`: "34 of 36 settings on 2 ports in sync; 2
 * drifted". With `example`, those of the worst status come first, with the name of one of them: "2
 * drifted (ens1f0np0 mtu, ...), 34 of 36 settings on 2 ports in sync". Symptoms are printed if
 * counters were sampled for `seconds`.
 */
void print_totals(FILE *to, const struct verify_run *r, unsigned seconds, const char *sep,
		  bool example);

/* Prints what fails a run with --strict alone: "1 warning, 1 host setting advised". */
void print_strict_causes(FILE *to, const struct verify_totals *n);

#endif
