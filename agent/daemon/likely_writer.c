#include "likely_writer.h"

#include <stddef.h>

#define PAUSE	(KNOB(KNOB_PAUSE_RX) | KNOB(KNOB_PAUSE_TX))
#define BUFFERS (KNOB(KNOB_BUFFER_SIZE_BYTES) | KNOB(KNOB_BUFFER_PRIO_BUFFER))
#define ETS \
	(KNOB(KNOB_ETS_PRIO_TC) | KNOB(KNOB_ETS_TSA) | KNOB(KNOB_ETS_BANDWIDTH) | \
	 KNOB(KNOB_ETS_RECO_PRIO_TC) | KNOB(KNOB_ETS_RECO_TSA) | KNOB(KNOB_ETS_RECO_BANDWIDTH))
#define MARKING \
	(KNOB(KNOB_TRUST) | KNOB(KNOB_DSCP_PRIO) | KNOB(KNOB_DSCP_REST) | KNOB(KNOB_APP_ENTRIES) | \
	 KNOB(KNOB_APP_TRUST))
#define BY_DCBNL \
	(KNOB(KNOB_PFC_PRIORITIES) | KNOB(KNOB_PFC_CABLE_M) | ETS | MARKING | BUFFERS | \
	 KNOB(KNOB_MAXRATE_TC_MBPS))
#define NOT_THE_DRIVERS (KNOB(KNOB_HOST_TCP_ECN) | KNOB(KNOB_VLAN_EGRESS))

#define BY_PROGRAM "a program on this host, "

/*
 * The first row that fits answers. A clue with a wider row lower down explains side effects: mlx5
 * clears global pause when it sets PFC, and sizes buffers by PFC, pause and MTU.
 */
static const struct {
	enum clue clue;
	knobset explains;
	const char *writer;
} rows[] = {
	{ CLUE_DRIVER, EVERY_KNOB & ~NOT_THE_DRIVERS, "driver re-initialised" },
	{ CLUE_MTU, KNOB(KNOB_MTU), BY_PROGRAM "which set the link's MTU" },
	{ CLUE_ETHTOOL, PAUSE | KNOB(KNOB_PFC_STORM_TIMEOUT_MS), BY_PROGRAM "through ethtool" },
	{ CLUE_DCB, BY_DCBNL | PAUSE, BY_PROGRAM "through the kernel's DCB interface" },
	{ CLUE_ETHTOOL, BUFFERS, BY_PROGRAM "through ethtool" },
	{ CLUE_MTU, BUFFERS, BY_PROGRAM "which set the link's MTU" },
};

knobset writer_driver_resets(void)
{
	return rows[0].explains;
}

const char *writer_by_clues(unsigned clues, enum knob_id setting)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if ((clues & rows[i].clue) && (rows[i].explains & KNOB(setting)))
			return rows[i].writer;
	return NULL;
}
