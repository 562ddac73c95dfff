/*
 * The last ten applies of this host, each with the data to roll it back: the journal of a completed
 * run, in apply-NUMBER.json beside the pending one. The last ten that were rolled back because they
 * failed or were not confirmed are in undone-NUMBER.json: they are listed, but do not count as
 * applies. Numbers rise by one and are never reused while the directory is kept.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_APPLIES_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_APPLIES_H

#include "journal.h"

#define APPLIES_MAX 10

struct applied {
	unsigned number;
	struct journal journal;
	struct err damage; /* ERR_NONE unless the file is unusable */
	bool changed;	   /* differs from the file */
	bool undone;	   /* failed or not confirmed: nothing to roll back */
};

struct applies {
	struct applied list[2 * APPLIES_MAX]; /* newest first; half of them may be undone ones */
	size_t count;
};

void applies_free(struct applies *a);
#define _applies_ __attribute__((cleanup(applies_free)))

/* Loads all applies, including those of another boot. A damaged one has its error in `damage`. */
bool applies_load(struct host *h, struct applies *ret, struct err *err) must_check;

/* True if the apply has anything to roll back. */
bool applied_is_open(const struct applied *a);

/* Returns the last apply, rolled back or not. NULL: none on this boot. */
const struct applied *applies_newest(const struct applies *a);

/* Finds the newest apply that changed a port, rolled back or not. NULL: none on this boot. */
const struct applied *applies_of_port(const struct applies *a, const struct port *port,
				      struct err *err) must_check;

/*
 * Adds the entries that roll each port back to the state before the apply `number`: if several
 * applies changed a setting, the value before the oldest of them. The error is that of a damaged
 * file.
 */
bool applies_before(const struct applies *a, unsigned number, struct journal *ret,
		    struct err *err) must_check;

/*
 * Marks a port as rolled back to the state before the apply `number`, except for the settings
 * `left_out`.
 */
void applies_roll_back(struct applies *a, unsigned number, const struct port *port,
		       setting_set left_out);

/* Writes the applies that changed. */
bool applies_save(struct host *h, struct applies *a, struct err *err) must_check;

/*
 * Reserves disk space to roll back all of these and the current run, so that it works on a full
 * disk.
 */
bool applies_reserve(struct host *h, const struct applies *a, const struct journal *begun,
		     struct err *err) must_check;

/*
 * Ends the current run: JOURNAL_PENDING becomes the newest apply in one step that needs no disk
 * space, and the eleventh is removed. ERR_UNSUPPORTED: there is no current run.
 */
bool applies_keep(struct host *h, struct err *err) must_check;

/*
 * Ends one or several runs that were rolled back: these entries replace the pending ones and use
 * their disk space. Losing them is harmless, because they serve the list alone.
 */
bool applies_end_undone(struct host *h, struct journal *undone, struct err *err) must_check;

/* Ends the current run with its own entries only: those of earlier runs stay pending. */
bool applies_keep_own(struct host *h, struct journal *pending, struct err *err) must_check;

/* Adds an apply with a part of the current run, which stays pending. */
bool applies_add(struct host *h, const struct journal *j, struct err *err) must_check;

#endif
