/*
 * Transaction journals: what rolling back needs, on disk before the first write. Per port, the
 * settings as they were, in the grammar of a policy. A run that is under way has the file
 * JOURNAL_PENDING; applies.h has those that ended.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_JOURNAL_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_JOURNAL_H

#include "../../../policy/model/config.h"
#include "../../host/host.h"

#define JOURNAL_DIR	"/var/lib/losslessctl/journal"
#define JOURNAL_PENDING JOURNAL_DIR "/pending.json"
#define JOURNAL_MAX	1024 /* ports */

/* Who began what, and when. */
struct journal_run {
	char policy[ID_MAX];
	char time[32];	   /* RFC 3339 */
	char verb[16];	   /* apply, rollback or repair */
	char user[ID_MAX]; /* who ran it; empty: unknown */
	bool unconfirmed;  /* it has to be confirmed */
};

/* Why a port was rolled back. */
enum undone { UNDONE_BY_ROLLBACK, UNDONE_FAILED, UNDONE_NOT_CONFIRMED };

/* The word for it in JSON; NULL: the run that rolled it back was asked to. */
const char *undone_name(enum undone u);

struct journal_entry {
	char name[LINK_NAME_MAX]; /* when it was written; ports are found by PCI address */
	char pci[ID_MAX];
	struct config back;    /* what going back restores */
	unsigned before_apply; /* of a rollback: to the state before that apply; else 0 */
	bool rolled_back;      /* of an apply that ended: nothing is left to roll back */
	bool partly;	    /* rolled back, but for settings that could not be read then: `back` */
	enum undone undone; /* and why */
	struct journal_run left_by; /* an earlier run; no time: it is of the journal's own run */
};

struct journal {
	struct journal_run run;
	bool of_other_boot; /* its kernel, and the settings in it, are gone */
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
 * may write, and counts as none. The archive keeps only the latest.
 */
bool journal_load(struct host *h, const char *path, struct journal *ret,
		  struct err *err) must_check;

/* The same, and nothing is archived: for who looks without the lock. */
bool journal_peek(struct host *h, const char *path, struct journal *ret,
		  struct err *err) must_check;

/* Loads a journal of any boot, ret->of_other_boot says which; *ret is empty when there is none. */
bool journal_read(struct host *h, const char *path, struct journal *ret,
		  struct err *err) must_check;

/* The one of another boot that journal_load() is about to archive; false: there is none. */
bool journal_load_gone(struct host *h, const char *path, struct journal *ret) must_check;

/* Saves it durably; one without entries is removed, and its room kept in reserve. */
bool journal_save(struct host *h, const char *path, const struct journal *j,
		  struct err *err) must_check;

/* How many bytes journal_save() would write at most. 0, with *err: it cannot be written. */
size_t journal_size(struct host *h, const struct journal *j, struct err *err) must_check;

/* The entry of a port, or NULL. */
struct journal_entry *journal_find(const struct journal *j, const struct port *port);

/* Adds an entry, or replaces the port's; fails when memory or room run out. */
bool journal_put(struct journal *j, const struct journal_entry *entry, struct err *err) must_check;

/* Removes an entry. */
void journal_drop(struct journal *j, struct journal_entry *entry);

/* The run that the entry is of. */
const struct journal_run *journal_run_of(const struct journal *j, const struct journal_entry *e);

/* How many entries are of the journal's own run. */
size_t journal_own_count(const struct journal *j);

/* The next run that has an entry, from *at = 0 on; NULL after the last. */
const struct journal_run *journal_next_run(const struct journal *j, size_t *at);

/* Moves the entries of a run to the journal *ret, which is empty before. */
bool journal_take_run(struct journal *j, const struct journal_run *run, struct journal *ret,
		      struct err *err) must_check;

#endif
