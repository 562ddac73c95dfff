/* What a fleet sorts reports by: whose they are, and how the ports are set up. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_HOST_IDENTITY_H
#define LOSSLESSCTL_CLI_OUTPUT_HOST_IDENTITY_H

#include "port_diff.h"

/*
 * Adds {host, host_id, boot_id, agent_version}: the name, an id that is made of the machine's as
 * sd_id128_get_machine_app_specific(3) makes one (machine-id(5): the machine's own is not to be
 * told), and the kernel's of this boot. What the host does not have is null. Nothing where no host
 * was looked at (h is NULL).
 */
void identity_add(json_t *doc, struct host *h);

/*
 * Adds state_hash: a digest of all settings of these ports as they are, whatever the ports are
 * called and wherever they sit. Hosts that are set up alike have the same.
 */
void identity_add_state(json_t *doc, const struct setup *setups, size_t count);

#endif
