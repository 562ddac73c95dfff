/* Advice about the host: what ports share is reported once a run, not once a port. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_HOST_ADVICE_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_HOST_ADVICE_H

#include "../target/target.h"

/* Settings of the host, which losslessctl verifies and never writes. */
setting_set advice_settings(struct features all);

/* The findings about such settings alone. */
lint_set advice_lints(struct features all, lint_set findings);

/*
 * The settings of target `at` that are advice and not yet in sync, without those about which an
 * earlier target has the same desired value.
 */
setting_set advice_new(struct features features, const struct targets *all, size_t at);

/* Warns of all of them, once each: for a run that plans. */
void advice_warn(const struct engine *e, const struct targets *all);

#endif
