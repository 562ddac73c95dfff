/* A host that runs a fake lldpad with a fixed answer. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_PARROT_H
#define LOSSLESSCTL_TESTS_SUPPORT_PARROT_H

#include "agent/host/host.h"
#include "dcb/lldpad/client.h"

/* A fake lldpad with one answer. */
struct parrot {
	struct host host;
	char request[4097];
	const char *reply;
	bool dies;  /* lldpad ends during a request */
	bool ended; /* lldpad has ended */
	unsigned asked;
};

/* A client of an lldpad that answers with this text. */
struct lldpad parrot_open(struct parrot *p, const char *reply);

/* Asks for the DCBX mode, which must be "auto" if there is an answer. */
bool get_mode(const struct lldpad *l, struct err *err);

/* Sends PFC of priorities 3 and 4. */
bool set_pfc(const struct lldpad *l, struct err *err);

#endif
