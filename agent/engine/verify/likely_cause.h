/*
 * The likely cause of a drift, for `verify` and for the agent. The kernel records no writer of a
 * setting: runs of losslessctl are known, events decide by what they can have changed, and the
 * settings themselves may tell. What nothing explains is unknown.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_LIKELY_CAUSE_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_LIKELY_CAUSE_H

#include "../engine.h"
#include "../target/target.h"

#define WRITER_MAX 96

/* Seen of a port since it was last checked. A change of carrier is no clue: it sets nothing. */
enum clue {
	CLUE_DCB = 1 << 0,     /* RTNLGRP_DCB: a program wrote by dcbnl */
	CLUE_ETHTOOL = 1 << 1, /* ethtool's monitor group: a program wrote by ethtool netlink */
	CLUE_MTU = 1 << 2,     /* the link has another MTU */
	CLUE_DRIVER = 1 << 3,  /* another netdev or RDMA device on the same PCI function */
};

/* The changes of one port between two checks. */
struct change_window {
	const struct port *port;
	unsigned clues;
	uint64_t from_ms, until_ms; /* of the host's clock */
};

/* The DCBX owner, asked for at most once a check: it takes a walk through all processes. */
struct owner_cache {
	struct owner owner;
	bool known;
};

/* The settings that a driver which starts again can have reset: all of the port's own. */
setting_set cause_driver_resets(void);

/* The settings that a run of losslessctl, if any, can have changed in the window. */
setting_set cause_own_run(const struct engine *e, const struct change_window *w);

/* The likely writer by clues alone, for people; NULL: unknown. Pure. */
const char *cause_by_clues(unsigned clues, enum setting_id setting);

/* The likely writer of a setting: "lldpad (pid 42)", "losslessctl apply (root, 12:00:03Z)",
 * "unknown". Returns buf.
 */
const char *cause_writer(const struct engine *e, const struct change_window *w,
			 struct owner_cache *owner, unsigned setting, char buf[WRITER_MAX]);

/* What the settings themselves show of the cause, a sentence; "": nothing. */
void cause_by_settings(const struct engine *e, const struct target *t, const struct feature *f,
		       char ret[LIKELY_CAUSE_MAX]);

#endif
