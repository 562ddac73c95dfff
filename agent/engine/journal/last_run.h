/*
 * What losslessctl itself last did to each port, so that an agent knows its changes from others',
 * and undoes nothing that an operator applied or rolled back. In /run/losslessctl, so that a boot
 * forgets it.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_LAST_RUN_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_LAST_RUN_H

#include "../target/target.h"

#define RUN_TEXT_MAX 96

/* The last run that ended in sync. */
struct last_success {
	char policy[65]; /* SHA-256 of what was applied, or "rolled-back"; "-": there is none */
	uint64_t at_ms;	 /* of the host's clock */
	char time[32];	 /* RFC 3339 */
	char verb[16], user[40];
};

struct last_run {
	char verb[16], user[40], time[32]; /* "apply", "root", RFC 3339 */
	uint64_t began_ms;		   /* of the host's clock */
	uint64_t ended_ms;		   /* 0: it is under way, or was killed */
	unsigned pid;
	unsigned long long settings; /* that its steps can change: a setting_set */
	struct last_success success;
};

/* Under the lock of the run, before its first write. A failure is ignored: the end warns of it. */
void last_run_begins(const struct engine *e, const char *verb, const struct targets *all);

/*
 * After its last write: `p` was applied, or with NULL what was applied is rolled back. A failure
 * to record it is a warning.
 */
void last_run_ends(const struct engine *e, const struct policy *p, const struct targets *all);

/* The last run on a port; false: none is recorded. */
bool last_run_find(struct host *h, const struct port *port, struct last_run *ret);

/* When the last run ended, of all ports; 0: none is recorded. */
uint64_t last_run_ended_ms(struct host *h);

/* Can this run have changed the setting between two checks of the port? */
bool last_run_explains(struct host *h, const struct last_run *r, unsigned setting, uint64_t from_ms,
		       uint64_t until_ms);

/* "losslessctl apply (root, 12:00:03Z)". */
const char *last_run_text(const struct last_run *r, char buf[RUN_TEXT_MAX]);

/*
 * May an agent that loaded `p` at this time repair the port? Not where another policy was applied
 * since, or an apply was rolled back: *err says which, when and who.
 */
bool last_run_permits(struct host *h, const struct policy *p, uint64_t loaded_ms,
		      const struct port *port, struct err *err) must_check;

#endif
