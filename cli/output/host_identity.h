/* Keys for a fleet: the identity of the host, and a digest of its ports' settings. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_HOST_IDENTITY_H
#define LOSSLESSCTL_CLI_OUTPUT_HOST_IDENTITY_H

#include "port_diff.h"

/*
 * Adds {host, host_id, boot_id, agent_version}. host_id is derived from the machine id as by
 * sd_id128_get_machine_app_specific(3), because machine-id(5) must not be disclosed. boot_id is the
 * kernel's. Keys without a value are null. Adds nothing if h is NULL.
 */
void identity_add(json_t *doc, struct host *h);

/*
 * Adds state_hash: a digest of all actual settings of these ports, independent of their names and
 * PCI addresses, so that identically configured hosts have the same. Null without ports or memory.
 */
void identity_add_state(json_t *doc, const struct setup *setups, size_t count);

#endif
