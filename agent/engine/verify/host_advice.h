/* Advice about the host, which all ports share: reported once per run, not once per port. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_HOST_ADVICE_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_HOST_ADVICE_H

#include "../target/target.h"

/* Returns the settings of the host, which are verified and never written. */
setting_set advice_settings(struct features all);

/* Returns the findings about the host: its lints, and those about such settings alone. */
lint_set advice_lints(struct features all, lint_set findings);

/*
 * Returns the settings of target `at` that are advice and not yet in sync, except those that an
 * earlier target desires with the same value.
 */
setting_set advice_new(struct features features, const struct targets *all, size_t at);

#endif
