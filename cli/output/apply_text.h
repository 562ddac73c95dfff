/* The result of an apply or a rollback on one port: its outcome and the status of each step. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_APPLY_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_APPLY_TEXT_H

#include "../../agent/engine/target/target.h"
#include "../cli.h"

/*
 * Returns {port, outcome, steps, rollback?, refusals?, error?, not_rolled_back?}; the caller owns
 * it.
 */
json_t *outcome_to_json(const struct target *t);

/* Prints the port and its outcome in one line, and the settings that are skipped. */
void print_brief_outcome(const struct cli *c, const struct target *t);

/*
 * Prints the outcome. After a failure, also each step, the rollback and the settings that it did
 * not restore.
 */
void print_outcome(const struct cli *c, const struct target *t);

/* Prints the numbers of ports by outcome in one line; nothing for a single port. */
void print_outcome_totals(const struct cli *c, const struct targets *all);

#endif
