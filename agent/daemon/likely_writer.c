#include "likely_writer.h"

#include <stddef.h>

#define PAUSE	(SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX))
#define BUFFERS (SETTING(SETTING_BUFFER_SIZE_BYTES) | SETTING(SETTING_BUFFER_PRIO_BUFFER))
#define ETS \
	(SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA) | \
	 SETTING(SETTING_ETS_BANDWIDTH) | SETTING(SETTING_ETS_RECO_PRIO_TC) | \
	 SETTING(SETTING_ETS_RECO_TSA) | SETTING(SETTING_ETS_RECO_BANDWIDTH))
#define MARKING \
	(SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_DSCP_REST) | \
	 SETTING(SETTING_APP_ENTRIES) | SETTING(SETTING_APP_TRUST))
#define BY_DCBNL \
	(SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_PFC_CABLE_M) | ETS | MARKING | \
	 BUFFERS | SETTING(SETTING_MAXRATE_TC_MBPS))
#define NOT_THE_DRIVERS (SETTING(SETTING_HOST_TCP_ECN) | SETTING(SETTING_VLAN_EGRESS))

#define BY_PROGRAM "a program on this host, "

/*
 * The first row that fits answers. A clue with a wider row lower down explains side effects: mlx5
 * clears global pause when it sets PFC, and sizes buffers by PFC, pause and MTU.
 */
static const struct {
	enum clue clue;
	setting_set explains;
	const char *writer;
} rows[] = {
	{ CLUE_DRIVER, EVERY_SETTING & ~NOT_THE_DRIVERS, "driver re-initialised" },
	{ CLUE_MTU, SETTING(SETTING_MTU), BY_PROGRAM "which set the link's MTU" },
	{ CLUE_ETHTOOL, PAUSE | SETTING(SETTING_PFC_STORM_TIMEOUT_MS),
	  BY_PROGRAM "through ethtool" },
	{ CLUE_DCB, BY_DCBNL | PAUSE, BY_PROGRAM "through the kernel's DCB interface" },
	{ CLUE_ETHTOOL, BUFFERS, BY_PROGRAM "through ethtool" },
	{ CLUE_MTU, BUFFERS, BY_PROGRAM "which set the link's MTU" },
};

setting_set writer_driver_resets(void)
{
	return rows[0].explains;
}

const char *writer_by_clues(unsigned clues, enum setting_id setting)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if ((clues & rows[i].clue) && (rows[i].explains & SETTING(setting)))
			return rows[i].writer;
	return NULL;
}
