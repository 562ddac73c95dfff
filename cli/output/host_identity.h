/* Reports on the host: the keys for a fleet, and the facts that decide which settings apply. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_HOST_IDENTITY_H
#define LOSSLESSCTL_CLI_OUTPUT_HOST_IDENTITY_H

#include <jansson.h>

#include "../../agent/engine/target/inventory.h"
#include "../../agent/engine/verify/setups.h"
#include "../../agent/host/host.h"
#include "../cli.h"

/*
 * Adds {host, host_id, boot_id, losslessctl_version, observed_at}. Keys without a value are null.
 * Adds nothing if h is NULL.
 */
void identity_add(json_t *doc, struct host *h);

/* Adds state_hash (setups_digest()). Null without ports or memory, or if `setups` is NULL. */
void identity_add_state(json_t *doc, const struct setup *setups, size_t count);

/*
 * The facts of the host of these ports, read or as its document has them. The caller owns `*ret`.
 * Fails if the kernel does not answer.
 */
bool host_facts_to_json(const struct cli *c, const struct inventory *inv, json_t **ret,
			struct err *err) must_check;

/*
 * Prints them: one line for kernel, driver, lockdown, namespaces of RDMA devices. Fails if the
 * kernel does not answer.
 */
bool print_host_facts(const struct cli *c, const struct inventory *inv, struct err *err) must_check;

/* One line for a port that is more than an adapter's: LAG, switchdev, BlueField. */
void print_port_role(const struct cli *c, const struct port *p, int width);

#endif
