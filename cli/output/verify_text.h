/* The report of `verify` as text, and the settings of its ports. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_VERIFY_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_VERIFY_TEXT_H

#include "../../agent/engine/verify/verify.h"
#include "../sandbox/policy_file.h"
#include "port_diff.h"

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

#endif
