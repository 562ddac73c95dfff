/*
 * The last run of losslessctl on each port. The agent uses it to tell its changes from those of
 * others, and to keep what an operator applied or rolled back. In /run/losslessctl, so that a boot
 * resets it.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_LAST_RUN_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_LAST_RUN_H

#include "../target/target.h"

#define RUN_TEXT_MAX 96

/*
 * The last run whose settings an agent keeps: an apply that ended in sync, or a rollback, also one
 * that was interrupted or left something out.
 */
struct last_decision {
	char policy[65]; /* SHA-256 of the applied policy, or "rolled-back"; "-": none */
	uint64_t at_ms;	 /* host clock */
	char time[32];	 /* RFC 3339 */
	char verb[16], user[40];
};

struct last_run {
	char verb[16], user[40], time[32]; /* "apply", "root", RFC 3339 */
	uint64_t started_ms;		   /* host clock */
	uint64_t ended_ms;		   /* 0: in progress, or killed */
	unsigned pid;
	unsigned long long settings; /* settings that its steps can change: a setting_set */
	struct last_decision decision;
};

/*
 * Records the start of a run that applies `p`, or with NULL rolls back, under its lock and before
 * its first write. Ignores a failure, because last_run_ends() warns of it.
 */
void last_run_begins(const struct engine *e, const struct policy *p, const struct targets *all);

/* Records the end of this run after its last write. Warns if recording fails. */
void last_run_ends(const struct engine *e, const struct policy *p, const struct targets *all);

/* Finds the last run on a port; false: none is recorded. */
bool last_run_find(struct host *h, const struct port *port, struct last_run *ret);

/* A number that changes with each record, for the cost of one look at the file; 0: no record. */
uint64_t last_run_stamp(struct host *h);

/* Returns when the last run on any port ended; 0: none is recorded. */
uint64_t last_run_ended_ms(struct host *h);

/* True if this run can have changed the setting between two checks of the port. */
bool last_run_explains(struct host *h, const struct last_run *r, unsigned setting, uint64_t from_ms,
		       uint64_t until_ms);

/* Returns "losslessctl apply (root, 12:00:03Z)". */
const char *last_run_text(const struct last_run *r, char buf[RUN_TEXT_MAX]);

/*
 * Decides if an agent that loaded `p` at `loaded_ms` may repair the port. Not if another policy was
 * applied since, or an apply was rolled back: *err names it, its time and its user.
 */
bool last_run_permits(struct host *h, const struct policy *p, uint64_t loaded_ms,
		      const struct port *port, struct err *err) must_check;

#endif
