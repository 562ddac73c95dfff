/*
 * The last run of losslessctl itself on each port, so that an agent knows its changes from others':
 * the verb, its caller, when, and the settings. In /run/losslessctl, so that a boot forgets it.
 */
#ifndef LOSSLESSCTL_CLI_RUN_RECORD_H
#define LOSSLESSCTL_CLI_RUN_RECORD_H

#include "../agent/target.h"

#define RUN_TEXT_MAX 96

struct run_record {
	char verb[16], user[40], time[16]; /* "apply", "root", "12:00:03Z" */
	unsigned long long began_ms;	   /* of the host's clock */
	unsigned long long ended_ms;	   /* 0: it is under way, or was killed */
	unsigned pid;
	unsigned long long settings; /* that its plan touches: a knobset */
};

/* Under the lock of the run, before its first write, and after its last. Failures are ignored. */
void run_record_begin(const struct engine *e, const char *verb, const struct targets *all);
void run_record_end(const struct engine *e, const char *verb, const struct targets *all);

/* The last run on a port; false: none is recorded. */
bool run_record_find(struct host *h, const struct port *port, struct run_record *ret);

/* When the last run ended, of all ports; 0: none is recorded. */
uint64_t run_record_latest_ms(struct host *h);

/* Can this run have changed the setting between two looks at the port? */
bool run_record_explains(struct host *h, const struct run_record *r, unsigned knob,
			 uint64_t from_ms, uint64_t until_ms);

/* "losslessctl apply (root, 12:00:03Z)". */
const char *run_record_text(const struct run_record *r, char buf[RUN_TEXT_MAX]);

#endif
