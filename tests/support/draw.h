/*
 * Random setups for one port. Each states everything that a ConnectX takes together (MTU, pause,
 * PFC, buffers) and of the rest what chance has; values are within their bounds and no rule of
 * severity error is broken. A seed is a setup.
 */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_DRAW_H
#define LOSSLESSCTL_TESTS_SUPPORT_DRAW_H

#include "policy/model/config.h"

struct draw {
	uint64_t state;		  /* of chance */
	bool ofed;		  /* with what only MLNX_OFED offers */
	bool old;		  /* a kernel before 6.3 */
	const char *const *vlans; /* names of VLAN devices, NULL-ended */
	int rest;		  /* of the DSCPs not named; below 0: their class */
	struct config c;	  /* what was drawn */
};

uint32_t draw_between(struct draw *d, uint32_t least, uint32_t most);
bool draw_chance(struct draw *d, uint32_t percent);

/* Draws d->c anew; false: nothing valid came up. */
bool draw_setup(struct draw *d, uint64_t seed);

#endif
