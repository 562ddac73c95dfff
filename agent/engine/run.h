/* A run that writes: its ports, each with its plan and its result, and its journals. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_RUN_H
#define LOSSLESSCTL_AGENT_ENGINE_RUN_H

#include "apply.h"
#include "journal/applies.h"
#include "journal/journal.h"
#include "journal/pending_confirm.h"

struct task {
	struct port port;
	struct config desired;
	struct plan plan;
	struct result result;
	bool left_behind;      /* by an earlier run that did not end */
	unsigned before_apply; /* of a rollback: as journal_entry's */
	setting_set left_out;  /* of a rollback: settings that cannot be read now */
};

struct run {
	struct host *h;
	struct features all;
	struct journal pending; /* what an interrupted run left behind, then what this one needs */
	struct journal undo;	/* of an apply: what was done, with what rolls it back */
	struct journal undone;	/* what was rolled back, and is listed as such */
	struct applies applies; /* the last applies; a repair does not load them */
	const char *user;	/* who runs it; NULL: unknown */
	bool recovering;	/* an earlier run did not end */
	bool keep_going;	/* do not stop at the first port that fails */
	bool undoing;		/* rolls back: what is done is marked in `applies` */
	bool repairing;		/* repairs drift: it does not count as an apply */
	bool unconfirmed;	/* what is applied stays in `pending` until it is confirmed */
	struct pending_confirm
		pending_confirm; /* an apply that was found to wait for confirmation */
	size_t noted;		 /* entries of `pending` that are on disk */
	int lock;
};

#endif
