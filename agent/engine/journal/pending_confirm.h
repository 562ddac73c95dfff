/*
 * An apply that waits for `confirm`: what everybody may know of it, in a file below /run. What
 * takes it back is the journal of a run that has not ended: `confirm` is what ends it.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_PENDING_CONFIRM_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_PENDING_CONFIRM_H

#include "../../host/host.h"

struct pending_confirm {
	bool there;
	bool watched;	     /* the process that takes it back is alive */
	unsigned pid;	     /* its number */
	bool stranded;	     /* a port is neither as before nor as desired: it cannot be kept */
	char policy[ID_MAX]; /* that was applied */
	char began[32];	     /* RFC 3339 */
	char until[32];	     /* likewise; "" while the apply is still writing */
	uint64_t until_ms;   /* the same on CLOCK_BOOTTIME, which nobody sets */
};

/* Makes it known; not durable, for it need not outlive a boot. */
bool pending_confirm_save(struct host *h, const struct pending_confirm *w,
			  struct err *err) must_check;

/* What waits on this boot; ret->there is false when nothing does. */
bool pending_confirm_load(struct host *h, struct pending_confirm *ret, struct err *err) must_check;

/* Nothing waits any more; no error when nothing did. */
bool pending_confirm_end(struct host *h, struct err *err) must_check;

/* Is its time over? */
bool pending_confirm_is_over(struct host *h, const struct pending_confirm *w);

#endif
