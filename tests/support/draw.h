/*
 * Random setups for one port. Each has all settings that a ConnectX takes together (MTU, pause,
 * PFC, buffers) and a random choice of the rest. Values are within their bounds, and no lint of
 * severity critical fails. The seed determines the setup.
 */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_DRAW_H
#define LOSSLESSCTL_TESTS_SUPPORT_DRAW_H

#include "policy/model/config.h"

struct draw {
	uint64_t state;		  /* the random generator's */
	bool ofed;		  /* with settings that only MLNX_OFED offers */
	bool old;		  /* a kernel before 6.3 */
	const char *const *vlans; /* names of VLAN devices, NULL-ended */
	int rest;		  /* the priority of DSCPs not named; below 0: DSCP >> 3 */
	struct config c;	  /* the setup that was drawn */
};

uint32_t draw_between(struct draw *d, uint32_t least, uint32_t most);
bool draw_chance(struct draw *d, uint32_t percent);

/* Draws d->c anew; false: nothing valid came up. */
bool draw_setup(struct draw *d, uint64_t seed);

#endif
