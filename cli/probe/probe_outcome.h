/* Outcomes of a probe between two hosts, as the matrix marks them. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_OUTCOME_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_OUTCOME_H

#include "probe_plan.h"

/* Outcomes of one direction between two hosts: the worst of its runs, which is the first here. */
enum probe_outcome {
	OUTCOME_NO_CONNECTION,
	OUTCOME_LOST,
	OUTCOME_WRONG_AT_SENDER,
	OUTCOME_REWRITTEN,
	OUTCOME_WRONG_MAP,
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

#endif
