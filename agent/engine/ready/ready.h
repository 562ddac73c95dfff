/*
 * `ready`: whether a job can start on this host. Reads each check of
 * policy/document/ready_check_table.h and compares it with its expectation. The report is plain
 * data.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_READY_READY_H
#define LOSSLESSCTL_AGENT_ENGINE_READY_READY_H

#include "../engine.h"
#include "ready_reader.h"

struct ready_row {
	const struct ready_check *check;
	const struct port *port; /* NULL: the host */
	enum ready_status status;
	bool is_judged; /* there is an expectation */
	bool has_value;
	uint64_t expected, value;
	char actual[96];	     /* the value in words; "" without one */
	char reason[READY_TEXT_MAX]; /* "": there is none */
	char fix[READY_FIX_MAX];     /* "": nothing is to be done */
};

/* Owned by the caller; ready_report_free() frees. Borrows the ports. */
struct ready_report {
	struct ready_row *rows; /* the worst first, then by check and port */
	size_t count;
	size_t totals[READY_STATUS_COUNT]; /* rows with an expectation, by status */
	enum ready_status worst;	   /* READY_MET, READY_UNKNOWN or READY_NOT_MET */
};

void ready_report_free(struct ready_report *r);
#define _ready_report_ __attribute__((cleanup(ready_report_free)))

/*
 * Checks the host and the ports of a scene, of which the caller sets `ports`, `count` and `unmet`.
 * The firmware is queried only if the engine may. Fails only without memory or if interrupted.
 */
bool ready_check(const struct engine *e, const struct ready_expectations *expected,
		 struct ready_scene s, struct ready_report *ret, struct err *err) must_check;

/* Writes how to get an expected value on a port, or on the host if `port` is NULL. */
void ready_general_fix(const struct ready_check *c, uint64_t expected, const struct port *port,
		       char buf[READY_FIX_MAX]);

/* Checks one port, or the host if `port` is NULL, without allocating; returns the number of rows.
 */
size_t ready_check_one(const struct engine *e, const struct ready_expectations *expected,
		       const struct ready_scene *s, const struct port *port,
		       struct ready_row rows[READY_COUNT]);

#endif
