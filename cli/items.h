/* What `verify` tells of a port, item by item: one for each setting that is wanted, and one for
 * each thing that the switch must agree on. */
#ifndef LOSSLESSCTL_CLI_ITEMS_H
#define LOSSLESSCTL_CLI_ITEMS_H

#include "counterpart.h"

/* In rising order of alarm, except that drift outranks what cannot be told. */
enum status { STATUS_OK, STATUS_ADVICE, STATUS_UNSUPPORTED, STATUS_UNKNOWN, STATUS_DRIFT };

struct item {
	const char *name; /* "pfc.priorities", "peer.pfc" */
	enum status status;
	bool skipped;			  /* rightly not there */
	bool of_peer;			  /* want and have are this end and the other */
	knobset about;			  /* what it compares */
	const struct config *want, *have; /* borrowed from the target and from *others */
	const char *source, *why, *fix;	  /* the last two may be NULL */
	char suspicion[SUSPICION_MAX];	  /* who likely did it; item_why() prefers it */
};

#define ITEMS_MAX (KNOB_COUNT + AGREE_COUNT)

/* Why it is as it is, or NULL. */
const char *item_why(const struct item *i);

/* All of a target; `n` is its neighbour, whose setup goes to *peer, or NULL. */
size_t items_of(struct host *h, const struct target *t, const struct counterpart *n,
		struct config *peer, struct item ret[ITEMS_MAX]);

/* Does the policy ask for the switch's agreement here? */
bool asks_for_peer(const struct target *t);

#endif
