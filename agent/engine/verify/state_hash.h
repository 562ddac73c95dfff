/* The state_hash of a host: a digest of the settings of its ports. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_STATE_HASH_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_STATE_HASH_H

#include "compare_ports.h"

/*
 * Makes a digest of all actual settings of these ports, independent of their order, names and PCI
 * addresses: identically configured hosts have the same. False without ports or memory.
 */
bool state_hash(const struct setup *setups, size_t count, char ret[SHA256_HEX]);

#endif
