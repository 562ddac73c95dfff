#include "probe_outcome.h"

/* The names of verdicts are those of JSON. */
const struct probe_outcome_row probe_outcomes[OUTCOMES] = {
	[OUTCOME_NO_CONNECTION] = { 'X', true, "no connection", "perftest failed", "" },
	[OUTCOME_LOST] = { 'L', true, "lost", "the receiver did not count what was sent",
			   "run `losslessctl watch` at both hosts, and look for drops" },
	[OUTCOME_WRONG_AT_SENDER] = { 'S', true, "wrong_at_sender",
				      "the sender uses another priority",
				      "run `losslessctl verify` at the host that sends" },
	[OUTCOME_REWRITTEN] = { 'R', true, "rewritten", "the DSCP was rewritten on the way",
				"check trust and DSCP maps of the switches between the hosts" },
	[OUTCOME_WRONG_MAP] = { 'M', true, "wrong_map",
				"the receiver maps this DSCP to another priority",
				"run `losslessctl verify` at the host that receives" },
	[OUTCOME_NOT_LOSSLESS] = { 'P', true, "not_lossless", "the priority has no PFC at one end",
				   "run `losslessctl verify` at both hosts" },
	[OUTCOME_CONTROL_LOSSLESS] = { 'U', true, "control_lossless",
				       "unmarked traffic travels in a lossless priority",
				       "map DSCP 0 to a priority without PFC at both hosts" },
	[OUTCOME_NOT_PROBED] = { '?', false, "not probed", "no run was made, or not all of them",
				 "" },
	[OUTCOME_UNKNOWN] = { 'K', false, "unknown", "perftest was killed at one end", "" },
	[OUTCOME_UNSUPPORTED] = { 'G', false, "unsupported", "perftest cannot make this run", "" },
	[OUTCOME_NO_CLASS] = { 'C', false, "no_class",
			       "a port does not choose the priority by DSCP",
			       "set `trust` to dscp at both hosts" },
	[OUTCOME_NOT_COUNTED] = { 'N', false, "not_counted",
				  "a port does not count bytes by priority",
				  "send more with --messages" },
	[OUTCOME_MASKED_BY_TRAFFIC] = { 'T', false, "masked_by_traffic",
					"other traffic is too strong to tell",
					"repeat it when no job runs" },
	[OUTCOME_IN_CLASS] = { '.', false, "in_class", "in class at both ends", "" },
};

static const enum probe_outcome outcomes[PROBE_VERDICTS] = {
	[PROBE_IN_CLASS] = OUTCOME_IN_CLASS,
	[PROBE_WRONG_AT_SENDER] = OUTCOME_WRONG_AT_SENDER,
	[PROBE_REWRITTEN] = OUTCOME_REWRITTEN,
	[PROBE_WRONG_MAP] = OUTCOME_WRONG_MAP,
	[PROBE_NOT_LOSSLESS] = OUTCOME_NOT_LOSSLESS,
	[PROBE_CONTROL_LOSSLESS] = OUTCOME_CONTROL_LOSSLESS,
	[PROBE_LOST] = OUTCOME_LOST,
	[PROBE_MASKED_BY_TRAFFIC] = OUTCOME_MASKED_BY_TRAFFIC,
	[PROBE_NOT_COUNTED] = OUTCOME_NOT_COUNTED,
	[PROBE_NO_CLASS] = OUTCOME_NO_CLASS,
};

static const enum probe_outcome failures[PERFTEST_STATES] = {
	[PERFTEST_NO_CONNECTION] = OUTCOME_NO_CONNECTION,
	[PERFTEST_UNKNOWN] = OUTCOME_UNKNOWN,
	[PERFTEST_UNSUPPORTED] = OUTCOME_UNSUPPORTED,
};

enum probe_outcome probe_outcome_of(const struct probe_run *r, bool back)
{
	if (probe_run_is_silent(r))
		return OUTCOME_IN_CLASS; /* the best: it changes nothing */
	if (r->state != PERFTEST_CONNECTED)
		return failures[r->state];
	return outcomes[(back ? &r->acknowledgements : &r->data)->verdict];
}

const char *probe_outcome_colour(const struct style *s, enum probe_outcome o)
{
	return o == OUTCOME_IN_CLASS ? s->green : probe_outcomes[o].is_fault ? s->red : s->yellow;
}
