/* Runs that wrote and did not end, and an apply that waits for confirmation: for runs that read. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_UNFINISHED_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_UNFINISHED_H

#include "journal.h"
#include "pending_confirm.h"

/* Owned by the caller; unfinished_free() frees. */
struct unfinished {
	bool waits; /* an apply waits for confirmation, or is still writing */
	struct pending_confirm pending_confirm;
	bool readable; /* the journal; not everybody may read it */
	struct journal pending;
};

void unfinished_free(struct unfinished *u);
#define _unfinished_ __attribute__((cleanup(unfinished_free)))

/* Reads what is known of them. */
void unfinished_find(struct host *h, struct unfinished *ret);

/*
 * Is there a run that did not end, or has not yet? An apply that only waits for confirmation has
 * ended; a journal that cannot be read is as bad as a run that did not end.
 */
bool unfinished_is(struct host *h);

struct engine;

/*
 * Warns of each run that did not end, with what becomes of it; without `own` only of those that
 * left entries in the journal of another run.
 */
void unfinished_warn_runs(const struct engine *e, const struct journal *pending, bool own,
			  const char *then);

/* Warns of all that is unfinished: for a run that only reads. */
void unfinished_warn(const struct engine *e);

#endif
