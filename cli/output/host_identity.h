/* Adds to a JSON report the keys for a fleet: the host, and a digest of its ports' settings. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_HOST_IDENTITY_H
#define LOSSLESSCTL_CLI_OUTPUT_HOST_IDENTITY_H

#include <jansson.h>

#include "../../agent/engine/verify/setups.h"
#include "../../agent/host/host.h"

/*
 * Adds {host, host_id, boot_id, losslessctl_version, observed_at}. Keys without a value are null.
 * Adds nothing if h is NULL.
 */
void identity_add(json_t *doc, struct host *h);

/* Adds state_hash (setups_digest()). Null without ports or memory, or if `setups` is NULL. */
void identity_add_state(json_t *doc, const struct setup *setups, size_t count);

#endif
