/*
 * What undoing needs, on disk before the first write: per port, the settings
 * as they were, in the grammar of a policy. Two files below the state folder:
 * `pending`, while a run is under way, and `last`, the undo of the last apply.
 */
#ifndef LOSSLESSCTL_AGENT_JOURNAL_H
#define LOSSLESSCTL_AGENT_JOURNAL_H

#include "../policy/config.h"
#include "host.h"

#define JOURNAL_MAX 1024 /* ports */

enum journal_file { JOURNAL_PENDING, JOURNAL_LAST };

struct journal_entry {
	char name[LINK_NAME_MAX]; /* when it was written; ports are found by PCI address */
	char pci[ID_MAX];
	struct config back; /* what going back restores */
};

struct journal {
	char policy[ID_MAX];
	char time[32]; /* RFC 3339 */
	struct journal_entry *entries;
	size_t count;
};

void journal_free(struct journal *j);
#define _journal_ __attribute__((cleanup(journal_free)))

/* Makes the folders that the journal lives in. ERR_REFUSED: others than root could change one. */
bool journal_prepare(struct host *h, struct err *err) must_check;

/*
 * Loads a journal of this boot; *ret is empty when there is none. One of
 * another boot describes a kernel that is gone: it is archived when the host
 * may write, and counts as none.
 */
bool journal_load(struct host *h, enum journal_file file, struct journal *ret,
		  struct err *err) must_check;

/* The same, and nothing is archived: for who looks without the lock. */
bool journal_peek(struct host *h, enum journal_file file, struct journal *ret,
		  struct err *err) must_check;

/* The one of another boot that journal_load() is about to archive; false: there is none. */
bool journal_load_gone(struct host *h, enum journal_file file, struct journal *ret) must_check;

/* Saves it durably; one without entries is removed. */
bool journal_save(struct host *h, enum journal_file file, const struct journal *j,
		  struct err *err) must_check;

/*
 * Ends the run that is under way as it is: its undo becomes that of the last apply.
 * ERR_UNSUPPORTED: none is.
 */
bool journal_keep(struct host *h, struct err *err) must_check;

/* The entry of a port, or NULL. */
struct journal_entry *journal_find(const struct journal *j, const struct port *port);

/* Adds an entry, or replaces the port's; fails when memory or room run out. */
bool journal_put(struct journal *j, const struct journal_entry *entry, struct err *err) must_check;

/* Removes an entry. */
void journal_drop(struct journal *j, struct journal_entry *entry);

#endif
