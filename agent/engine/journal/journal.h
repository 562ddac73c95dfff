/*
 * Transaction journals: the data to roll back, on disk before the first write. They hold the
 * earlier settings of each port, in the policy's format, and those that a confirmation reads back.
 * The current run has the file JOURNAL_PENDING; applies.h has the completed ones.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_JOURNAL_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_JOURNAL_H

#include "../../../policy/model/config.h"
#include "../../host/host.h"

#define JOURNAL_DIR	"/var/lib/losslessctl/journal"
#define JOURNAL_PENDING JOURNAL_DIR "/pending.json"
#define JOURNAL_MAX	1024 /* ports */

/*
 * The second copy of JOURNAL_PENDING, of which either is enough: a disk may lose or damage a file,
 * and somebody may empty /run. A boot ends both the copy and the settings.
 */
#define JOURNAL_COPY_DIR "/run/losslessctl"
#define JOURNAL_COPY	 "/run/losslessctl/pending-journal.json"
#define JOURNAL_DAMAGED	 JOURNAL_PENDING ".damaged"

/* That of an earlier boot, until the files are restored that its run wrote, such as lldpad's. */
#define JOURNAL_OF_FILES JOURNAL_DIR "/files-to-restore.json"

/* A run: its verb, policy, user and start. */
struct journal_run {
	char policy[ID_MAX];
	char time[32];	   /* RFC 3339 */
	char verb[16];	   /* apply, rollback or repair */
	char user[ID_MAX]; /* the user who ran it; empty: unknown */
	bool unconfirmed;  /* it needs confirmation */
};

/* The reason why a port was rolled back. */
enum undone { UNDONE_BY_ROLLBACK, UNDONE_FAILED, UNDONE_NOT_CONFIRMED };

/* Returns the name in JSON; NULL for a rollback that was requested. */
const char *undone_name(enum undone u);

struct journal_entry {
	char name[LINK_NAME_MAX]; /* name at that time; ports are found by PCI address */
	char pci[ID_MAX];
	struct config back;    /* settings to restore */
	struct config applied; /* desired settings, for the confirmation; empty: needs none */
	unsigned before_apply; /* rollback: to the state before that apply; else 0 */
	bool rolled_back;      /* completed apply: nothing is left to roll back */
	bool partly;	       /* rolled back except for unreadable settings, which are in `back` */
	enum undone undone;    /* the reason */
	struct journal_run left_by; /* an earlier run; without `time`, the journal's own run */
};

struct journal {
	struct journal_run run;
	bool of_other_boot; /* its kernel settings are gone */
	bool of_copy;	    /* loaded from JOURNAL_COPY: the file is gone or cannot be used */
	struct journal_entry *entries;
	size_t count;
};

void journal_free(struct journal *j);
#define _journal_ __attribute__((cleanup(journal_free)))

/* Creates the directories of the journal. ERR_REFUSED: users other than root could change one. */
bool journal_prepare(struct host *h, struct err *err) must_check;

/*
 * True if no other user can change a directory of the journal, as journal_prepare() asks, or of its
 * copy. A directory that does not exist yet is root's.
 */
bool journal_is_trusted(const struct host *h, struct err *err) must_check;

/* True if the journal of an apply with changes can be written. */
bool journal_has_room(struct host *h, struct err *err) must_check;

/*
 * Loads a journal of this boot; *ret is empty if there is none. One of another boot describes
 * kernel settings that are gone: it counts as none, and is archived if the host may write. The
 * archive keeps only the latest.
 */
bool journal_load(struct host *h, const char *path, struct journal *ret,
		  struct err *err) must_check;

/* Loads a journal of this boot without archiving others, for callers without the lock. */
bool journal_peek(struct host *h, const char *path, struct journal *ret,
		  struct err *err) must_check;

/*
 * Loads the copy of the pending journal without a look at the disk, which may hang: the port may be
 * the way to it. False: there is no copy of this boot that can be used.
 */
bool journal_load_copy(struct host *h, struct journal *ret) must_check;

/* Loads a journal of any boot; ret->of_other_boot tells which. *ret is empty if there is none. */
bool journal_read(struct host *h, const char *path, struct journal *ret,
		  struct err *err) must_check;

/*
 * Loads the journal of another boot that journal_load() is about to archive. False: there is none.
 */
bool journal_load_gone(struct host *h, const char *path, struct journal *ret) must_check;

/* Moves a damaged pending journal to JOURNAL_DAMAGED, so that it stops nothing any more. */
bool journal_set_aside(struct host *h, struct err *err) must_check;

/*
 * Ends the pending journal and its copy: renames the file to `to`, or removes it and keeps its disk
 * space in reserve if `to` is NULL. The copy is out of use first, since a crash in between must not
 * leave it alone; it returns if the file cannot end.
 */
bool journal_end(struct host *h, const char *to, struct err *err) must_check;

/* Saves a journal durably. Removes one without entries, and keeps its disk space in reserve. */
bool journal_save(struct host *h, const char *path, const struct journal *j,
		  struct err *err) must_check;

/*
 * Returns the maximum number of bytes that journal_save() would write. 0, with *err: it cannot be
 * written.
 */
size_t journal_size(struct host *h, const struct journal *j, struct err *err) must_check;

/* Finds the entry of a port, or NULL. */
struct journal_entry *journal_find(const struct journal *j, const struct port *port);

/* Adds an entry, or replaces the port's. Fails if memory or room runs out. */
bool journal_add(struct journal *j, const struct journal_entry *entry, struct err *err) must_check;

/* Removes an entry. */
void journal_drop(struct journal *j, struct journal_entry *entry);

/* Returns the run that an entry belongs to. */
const struct journal_run *journal_run_of(const struct journal *j, const struct journal_entry *e);

/* Returns the number of entries of the journal's own run. */
size_t journal_own_count(const struct journal *j);

/* Returns the next run with an entry, from *at = 0 on; NULL after the last. */
const struct journal_run *journal_next_run(const struct journal *j, size_t *at);

/* Moves the entries of a run to the empty journal *ret. */
bool journal_extract_run(struct journal *j, const struct journal_run *run, struct journal *ret,
			 struct err *err) must_check;

#endif
