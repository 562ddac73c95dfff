/*
 * The last ten applies of this host, each with what rolling it back needs: the journal of a run
 * that ended, in the file apply-NUMBER.json beside the one that is under way. The last ten that
 * were rolled back as they failed, or were not confirmed, are in undone-NUMBER.json: they are
 * listed, and count as none. Numbers rise by one and are never used again while the directory is
 * kept.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_APPLIES_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_APPLIES_H

#include "journal.h"

#define APPLIES_MAX 10

struct applied {
	unsigned number;
	struct journal journal;
	struct err damage; /* its kind is ERR_NONE unless the file cannot be used */
	bool changed;	   /* it is not what the file says */
	bool undone;	   /* it failed, or was not confirmed: there is nothing to roll back */
};

struct applies {
	struct applied list[2 * APPLIES_MAX]; /* newest first; half of them may be undone */
	size_t count;
};

void applies_free(struct applies *a);
#define _applies_ __attribute__((cleanup(applies_free)))

/* Loads all of them, also those of another boot. One that is damaged says so in its place. */
bool applies_load(struct host *h, struct applies *ret, struct err *err) must_check;

/* Does this one have anything that can be rolled back? */
bool applied_is_open(const struct applied *a);

/* The last apply, whether it was rolled back later or not; NULL: none of this boot. */
const struct applied *applies_newest(const struct applies *a);

/*
 * The newest apply that changed a port, whether it was rolled back later or not; NULL: none of this
 * boot.
 */
const struct applied *applies_of_port(const struct applies *a, const struct port *port,
				      struct err *err) must_check;

/*
 * Adds what rolls each port back to the state before the apply `number`: where several applies
 * changed a setting, the value before the oldest of them. The error is that of a damaged file.
 */
bool applies_before(const struct applies *a, unsigned number, struct journal *ret,
		    struct err *err) must_check;

/* Marks a port as rolled back to the state before the apply `number`, but for what was left out. */
void applies_roll_back(struct applies *a, unsigned number, const struct port *port,
		       setting_set left_out);

/* Writes those that changed. */
bool applies_save(struct host *h, struct applies *a, struct err *err) must_check;

/*
 * Keeps room on the disk for rolling back all of these and the run that begins, so that it works
 * when the disk is full.
 */
bool applies_reserve(struct host *h, const struct applies *a, const struct journal *begun,
		     struct err *err) must_check;

/*
 * Ends the run that is under way: JOURNAL_PENDING becomes the newest apply, in one step that needs
 * no room, and the eleventh is removed. ERR_UNSUPPORTED: no run is under way.
 */
bool applies_keep(struct host *h, struct err *err) must_check;

/*
 * The same for a run that was rolled back, or several: these entries take the place of those that
 * are under way, and of the room that they had. A list without them does no harm.
 */
bool applies_end_undone(struct host *h, struct journal *undone, struct err *err) must_check;

/* The same for its own entries alone: those that earlier runs left stay, and so does their file. */
bool applies_keep_own(struct host *h, struct journal *pending, struct err *err) must_check;

/* The same for a journal that is a part of it; the run stays under way. */
bool applies_add(struct host *h, const struct journal *j, struct err *err) must_check;

#endif
