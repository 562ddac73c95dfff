/*
 * A guard refuses writes to a port because another program would overwrite them, or because others
 * would lose traffic.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_GUARD_H
#define LOSSLESSCTL_AGENT_ENGINE_GUARD_H

#include "../../policy/model/config.h"
#include "dcbx_owner.h"
#include "feature.h"

#define GUARD_WHY_MAX 256

/* The options that silence guards. */
enum override { ALLOW_DISRUPTION = 1 << 0, ANY_DRIVER = 1 << 1, OVERRIDE_ALL = ~0 };

/* A reading of a port that its guard compares with a later one. */
struct guard_look {
	bool taken;
	uint64_t at_ms, count;
};

struct guard {
	const char *name;
	setting_set over;	     /* applies if a plan touches any of these */
	enum disruption from;	     /* and causes at least this disruption */
	enum override overridden_by; /* 0: by none */
	enum dcbx_owner owner; /* the program that it is about; OWNER_NOBODY: it is about none */
	bool is_standing; /* objects() asks the port alone: captured hosts and verify know, too */
	/* Without an objection `why`, which comes as "", may have a note. */
	bool (*objects)(struct host *h, const struct port *port, char why[GUARD_WHY_MAX]);
	/*
	 * A guard that needs two readings has these instead. It looks at all ports before it is
	 * asked of the first, so that they share one wait; without a look it takes its time.
	 */
	void (*look)(struct host *h, const struct port *port, struct guard_look *ret);
	bool (*objects_since)(struct host *h, const struct port *port,
			      const struct guard_look *look, char why[GUARD_WHY_MAX]);
	bool (*waived)(const struct config *desired); /* desired settings make it moot; or NULL */
	const char *fix;
};

struct guards {
	const struct guard *const *list;
	size_t count;
};

#endif
