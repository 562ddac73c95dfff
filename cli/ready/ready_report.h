/* The report of `losslessctl ready`, as text and as JSON. */
#ifndef LOSSLESSCTL_CLI_READY_READY_REPORT_H
#define LOSSLESSCTL_CLI_READY_READY_REPORT_H

#include "../../agent/engine/ready/ready.h"
#include "../../policy/util/status_word.h"
#include "../cli.h"

/* The word for a check of this status. */
enum word ready_word(enum ready_status s);

/* True if the row is printed without --all: it is not ready, or unknown though expected. */
bool ready_row_matters(const struct ready_row *row);

/* The last runs, with --require N/M. */
struct ready_runs {
	struct option_share require; /* zeros: not given */
	unsigned bad;		     /* among the last M */
	bool is_enough;		     /* a host that is not ready fails the run */
};

/*
 * Returns the document losslessctl/ready/1, with `all` rows or those that matter. `p` NULL: there
 * is no policy. The caller owns it.
 */
json_t *ready_to_json(const struct cli *c, const struct policy *p, const struct ready_report *r,
		      const struct ready_runs *l, bool all);

/* Prints the rows that matter, or all of them with --all, and the totals. */
void print_ready(const struct cli *c, const struct ready_report *r, const struct ready_runs *l);

/* Prints the line of a monitoring plugin; returns its exit code. */
int print_ready_nagios(const struct ready_report *r, const struct ready_runs *l);

/* Prints one short line, without a policy's or a device's own words: a reason to drain the node. */
void print_ready_slurm(const struct ready_report *r);

#endif
