/* Differences between the ports of a host: a single port set up differently stalls a whole job. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_PORT_DIFF_H
#define LOSSLESSCTL_CLI_OUTPUT_PORT_DIFF_H

#include "../../agent/engine/verify/setups.h"
#include "../cli.h"

/* Returns [{setting, values: {PORT: VALUE}}] of those settings; the caller owns it. */
json_t *port_differences_to_json(const struct setup *setups, size_t count);

/*
 * Prints that all ports are alike, or a line for each setting that differs; nothing for a single
 * port.
 */
void print_port_differences(const struct cli *c, const struct setup *setups, size_t count);

#endif
