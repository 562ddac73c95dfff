/* What stands at the other end of each port's cable, for people and in JSON. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_PEER_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_PEER_TEXT_H

#include "../../dcb/counterpart.h"
#include "../cli.h"

/* {chassis, port, system, …}, or null where nobody was heard. */
json_t *counterpart_to_json(const struct peer_info *s);

/* "leaf-7, port Ethernet12", or why nobody is known. */
void print_counterpart(const struct cli *c, const struct peer_info *s);

#endif
