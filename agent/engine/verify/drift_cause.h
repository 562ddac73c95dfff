/*
 * Finds the likely cause of drift, for `verify` and the agent. The kernel does not record the
 * writer of a setting. Recorded runs of losslessctl come first, then the settings that each event
 * can have changed; the settings may show the cause as well. All else is "unknown".
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_DRIFT_CAUSE_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_DRIFT_CAUSE_H

#include "../engine.h"
#include "../target/target.h"

#define WRITER_MAX 96

/* Events on a port since its last check. A carrier change is no clue: it sets nothing. */
enum clue {
	CLUE_DCB = 1 << 0,     /* RTNLGRP_DCB: a program wrote by dcbnl */
	CLUE_ETHTOOL = 1 << 1, /* ethtool's monitor group: a program wrote by ethtool netlink */
	CLUE_MTU = 1 << 2,     /* the MTU of the link changed */
	CLUE_DRIVER = 1 << 3,  /* another netdev or RDMA device on the same PCI function */
};

/* The time between two checks of a port, and the clues in it. */
struct change_window {
	const struct port *port;
	unsigned clues;
	uint64_t from_ms, until_ms; /* host clock */
};

/* The other writers, looked up at most once per check, because that walks all processes. */
struct owner_cache {
	struct owner owner;
	struct other_writers writers;
	bool known, writers_known;
};

/* Returns the settings that a driver restart can reset: all of the port's own. */
setting_set cause_driver_resets(void);

/* Returns the settings that a run of losslessctl can have changed in the window. */
setting_set cause_own_run(const struct engine *e, const struct change_window *w);

/* Returns the likely writer by clues alone, for people; NULL: unknown. Pure. */
const char *cause_by_clues(unsigned clues, enum setting_id setting);

/*
 * Writes the likely writer of a setting into buf: "lldpad (pid 42)", "losslessctl apply (root,
 * 12:00:03Z)", "unknown". Returns buf.
 */
const char *cause_writer(const struct engine *e, const struct change_window *w,
			 struct owner_cache *owner, unsigned setting, char buf[WRITER_MAX]);

/* Writes the cause that the settings themselves show, a sentence; "": none. */
void cause_by_settings(const struct engine *e, const struct target *t, const struct feature *f,
		       char ret[LIKELY_CAUSE_MAX]);

#endif
