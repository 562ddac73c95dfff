/*
 * Rounds in which each of several hosts meets each other once, and no host is in two pairs at a
 * time: the circle method.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_PROBE_ROUND_ROBIN_H
#define LOSSLESSCTL_AGENT_ENGINE_PROBE_ROUND_ROBIN_H

#include <stdbool.h>
#include <stddef.h>

/* The number of rounds that `hosts` need, and the most pairs in one of them. */
size_t round_robin_rounds(size_t hosts);
size_t round_robin_places(size_t hosts);

/*
 * Sets the pair at a place of a round, both counted from 0; false: the place is empty, because the
 * number of hosts is odd. *from begins the connections: each host does in half of its pairs, or in
 * one fewer or more.
 */
bool round_robin_pair(size_t hosts, size_t round, size_t place, size_t *from, size_t *to);

#endif
