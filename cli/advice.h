/* Advice about the host: what ports share is reported once a run, not once a port. */
#ifndef LOSSLESSCTL_CLI_ADVICE_H
#define LOSSLESSCTL_CLI_ADVICE_H

#include "../agent/engine/target.h"
#include "../policy/lint/finding.h"
#include "cli.h"

/* Settings of the host, which losslessctl verifies and never writes. */
setting_set advice_settings(void);

/* The findings about such settings alone. */
lint_set advice_lints(lint_set findings);

/*
 * The settings of target `at` that are advice and not yet in sync, without those about which an
 * earlier target has the same desired value.
 */
setting_set advice_new(const struct targets *all, size_t at);

/* Warns of all of them, on standard error: for verbs that plan. */
void advice_warn(const struct cli *c, const struct targets *all);

#endif
