/* An lldpad that repeats what it was taught, and a host that runs it. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_PARROT_H
#define LOSSLESSCTL_TESTS_SUPPORT_PARROT_H

#include "agent/host/host.h"
#include "dcb/lldpad/client.h"

/* One lldpad that gives one answer. */
struct parrot {
	struct host host;
	char request[4097];
	const char *reply;
	bool dies;  /* while it is asked */
	bool ended; /* before */
	unsigned asked;
};

/* A client of an lldpad that answers with this text. */
struct lldpad parrot_open(struct parrot *p, const char *reply);

/* Asks for the DCBX mode, which must be "auto" if there is an answer. */
bool get_mode(const struct lldpad *l, struct err *err);

/* Sends PFC of priority 3. */
bool set_pfc(const struct lldpad *l, struct err *err);

#endif
