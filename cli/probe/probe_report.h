/* The result of `losslessctl probe`, as text and as an exit code. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_REPORT_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_REPORT_H

#include <stdio.h>

#include "probe_plan.h"

/* Outcomes of one direction between two hosts: the worst of its runs, which is the first here. */
enum probe_outcome {
	OUTCOME_NO_CONNECTION,
	OUTCOME_LOST,
	OUTCOME_WRONG_AT_SENDER,
	OUTCOME_REWRITTEN,
	OUTCOME_WRONG_MAP,
	OUTCOME_WRONG_MAP_OF_SENDER,
	OUTCOME_MAPS_DIFFER,
	OUTCOME_NOT_LOSSLESS,
	OUTCOME_CONTROL_LOSSLESS,
	OUTCOME_NOT_PROBED,
	OUTCOME_UNKNOWN,
	OUTCOME_UNSUPPORTED,
	OUTCOME_NO_CLASS,
	OUTCOME_NOT_COUNTED,
	OUTCOME_MASKED_BY_TRAFFIC,
	OUTCOME_IN_CLASS,
	OUTCOMES
};

struct probe_outcome_row {
	char mark;
	bool is_fault;
	const char *name, *text, *fix; /* fix: "" where the run has one of its own */
};

extern const struct probe_outcome_row probe_outcomes[OUTCOMES];

/* The colour of an outcome: good, wrong, or unknown. */
const char *probe_outcome_colour(const struct style *s, enum probe_outcome o);

/* The outcome of a run in one direction; `back`: that of its acknowledgements. */
enum probe_outcome probe_outcome_of(const struct probe_run *r, bool back);

/*
 * Prints each outcome that occurs, the worst first, with its fix and its directions. A host that
 * does not take part has one line in place of all its pairs.
 */
void probe_faults_list(FILE *to, const struct style *s, const struct probe_plan *p);

#define MATRIX_HOSTS_MAX 40 /* more are not drawn */

/*
 * Draws a row for each host that sends, and a column for each that receives. Of more hosts than
 * MATRIX_HOSTS_MAX, those that are not in class everywhere have a line with their sums. Then each
 * outcome that occurs is listed, the worst first, with its directions, their reason and fix.
 */
void probe_matrix_draw(FILE *to, const struct style *s, const struct probe_plan *p);

/* 0: all in class, 2: something is wrong or does not connect, 3: something is unknown. */
int probe_exit_code(const struct probe_plan *p);

/* Prints one line for each direction of each run between this host and another one. */
void print_probe(const struct cli *c, const struct probe_plan *p);

/* Between two hosts: losslessctl/probe/1. The caller owns the result. */
json_t *probe_to_json(const struct cli *c, const struct probe_plan *p);

/* Between all hosts of a file: losslessctl/probe-matrix/1. The caller owns the result. */
json_t *probe_matrix_to_json(const struct cli *c, const struct probe_plan *p);

#endif
