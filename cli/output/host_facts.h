/* Prints what of the host and of a port decides which settings apply. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_HOST_FACTS_H
#define LOSSLESSCTL_CLI_OUTPUT_HOST_FACTS_H

#include <jansson.h>

#include "../../agent/engine/target/inventory.h"
#include "../cli.h"

/* One line for the host of these ports: kernel, driver, lockdown, namespaces of RDMA devices. */
void print_host_facts(const struct cli *c, const struct inventory *inv);
json_t *host_facts_to_json(const struct cli *c, const struct inventory *inv);

/* One line for a port that is more than an adapter's: LAG, switchdev, BlueField. */
void print_port_role(const struct cli *c, const struct port *p);

#endif
