/* The guards of this room; cli/features.c lists them. */
#ifndef LOSSLESSCTL_DCB_GUARDS_H
#define LOSSLESSCTL_DCB_GUARDS_H

#include "../agent/guard.h"

extern const struct guard guard_lldpad, guard_network_manager, guard_speaker, guard_follower,
	guard_default_route, guard_session;

#endif
