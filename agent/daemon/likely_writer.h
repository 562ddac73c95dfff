/*
 * The likely writer of a setting. Events decide, per setting, by what they can have changed; what
 * no event explains is unknown. Pure.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_LIKELY_WRITER_H
#define LOSSLESSCTL_AGENT_DAEMON_LIKELY_WRITER_H

#include "../../policy/model/setting.h"

/* Seen of a port since it was last looked at. A change of carrier is no clue: it sets nothing. */
enum clue {
	CLUE_DCB = 1 << 0,     /* RTNLGRP_DCB: a program wrote by dcbnl */
	CLUE_ETHTOOL = 1 << 1, /* ethtool's monitor group: a program wrote by ethtool netlink */
	CLUE_MTU = 1 << 2,     /* the link has another MTU */
	CLUE_DRIVER = 1 << 3,  /* another netdev or RDMA device on the same PCI function */
};

/* The settings that a driver which begins anew can have reset: all of the port's own. */
setting_set writer_driver_resets(void);

/* The likely writer of a setting by these clues, for people; NULL: unknown. */
const char *writer_by_clues(unsigned clues, enum setting_id setting);

#endif
