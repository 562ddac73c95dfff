/* The report of `verify` as text and as JSON, and the settings of its ports. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_VERIFY_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_VERIFY_TEXT_H

#include "../../agent/engine/verify/verify.h"
#include "../cli.h"
#include "../sandbox/policy_file.h"
#include "fold.h"

/* Prints the whole report on standard output. */
void print_port_reports(const struct cli *c, const struct verify_run *r);

#define PORT_OPERANDS_MAX 256
#define REPAIR_ADVICE_MAX (POLICY_OPERAND_MAX + PORT_OPERANDS_MAX + 128)

/*
 * Writes an imperative that repairs drift with the same policy and ports: a command, or where the
 * host is a document, an instruction. apply begins only if it refuses no port, unless it keeps
 * going.
 */
const char *repair_advice(const struct cli *c, const struct verify_run *r,
			  char ret[REPAIR_ADVICE_MAX]);

/* Returns the settings of each port, to compare them. The caller frees it; NULL without memory. */
struct setup *port_reports_setups(const struct port_reports *all);

/* Returns the whole document; the caller owns it. */
json_t *verify_to_json(const struct cli *c, const struct verify_run *r);

#endif
