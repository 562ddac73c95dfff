/*
 * What was done to each port last, for an agent that would undo it: which policy was applied, or
 * that an apply was rolled back. In /run/losslessctl, so that a boot forgets it.
 */
#ifndef LOSSLESSCTL_CLI_LATEST_H
#define LOSSLESSCTL_CLI_LATEST_H

#include "../agent/target.h"

/* The last run of apply or rollback that ended well on a port. */
struct latest {
	char word[65];	/* SHA-256 of the policy that was applied, or "rolled-back"; "": no run */
	uint64_t at_ms; /* on the clock of host.now_ms() */
	char time[32];	/* RFC 3339 */
	char verb[16];
	char user[64]; /* caller.h; "-": unknown */
};

/*
 * Under the lock of the run, of the ports that ended in sync: `p` was applied; NULL: what was
 * applied is rolled back. A failure to note it is a warning.
 */
void latest_note(const struct engine *e, const struct policy *p, const struct targets *all);

/* Reads it. A port without one is no error: ret->word is empty. */
bool latest_of(struct host *h, const struct port *port, struct latest *ret,
	       struct err *err) must_check;

/*
 * Has nothing else than `p` been applied to the port, or rolled back, since the agent loaded `p`?
 * Else *err, which says what, when and who.
 */
bool latest_is(struct host *h, const struct policy *p, uint64_t loaded_ms, const struct port *port,
	       struct err *err) must_check;

/*
 * When the agent loaded its policy: now, for one that is reloaded. An agent that starts with the
 * policy that the one before it had goes on with the time of that one: it may have been killed,
 * and an operator's change stays respected.
 */
uint64_t latest_reloaded(struct host *h, const struct policy *p);
uint64_t latest_started(struct host *h, const struct policy *p);

#endif
