/* The values behind a state_hash: hosts with one hash are configured alike, so one is enough. */
#ifndef LOSSLESSCTL_CLI_FLEET_FLATTEN_STATE_VALUES_H
#define LOSSLESSCTL_CLI_FLEET_FLATTEN_STATE_VALUES_H

#include "../store.h"

/* From verify --all; another verify lists only what is not in sync, and stores nothing. */
bool state_values_of_verify(struct store *s, const struct report *r, struct err *err) must_check;

/* From show. */
bool state_values_of_show(struct store *s, const struct report *r, struct err *err) must_check;

#endif
