/* The runs of a probe: which hosts, ports and paths, in which round. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_PLAN_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "../../agent/engine/probe/perftest.h"
#include "../../agent/engine/selection.h"
#include "probe_endpoint.h"

/*
 * Rounds in which each of several hosts meets each other once, and no host is in two pairs at a
 * time: the circle method.
 */

/* The number of rounds that `hosts` need, and the most pairs in one of them. */
size_t round_robin_rounds(size_t hosts);
size_t round_robin_places(size_t hosts);

/*
 * Sets the pair at a place of a round, both counted from 0; false: the place is empty, because the
 * number of hosts is odd. *from begins the connections: each host does in half of its pairs, or in
 * one fewer or more.
 */
bool round_robin_pair(size_t hosts, size_t round, size_t place, size_t *from, size_t *to);

#define PROBE_RUNS (PROBE_PATHS + 1) /* each path, and the control */

/* One run between two ports, and the verdict about its two directions. */
struct probe_run {
	enum probe_path path;
	bool is_control;       /* unmarked traffic, whose class no lossless priority may have */
	bool is_named;	       /* the policy names its path */
	uint8_t traffic_class; /* that the packets should carry */
	uint8_t service_level; /* where it is not rdma_cm, which chooses its own */

	enum perftest_state state;
	char why[PERFTEST_WHY_MAX], fix[PERFTEST_WHY_MAX]; /* unless it connected */
	struct probe_judgement data, acknowledgements;
};

/* All runs between two ports. */
struct probe_pair {
	size_t round, turn;		    /* from 0; two hosts take turns of their ports */
	size_t from_host, to_host;	    /* indices of the endpoints */
	const struct probe_port *from, *to; /* NULL: the pair is not probed; `from` begins */
	struct probe_run runs[PROBE_RUNS];
	size_t count; /* number of runs to do; in the end that of the done ones */
	size_t done;
	struct err why; /* reason why it was not probed, or not to its end; ERR_NONE: it was */
	bool is_unused; /* the port lacks something at both ends, and was not named */
};

struct probe_plan {
	struct probe_endpoints *hosts; /* borrowed */
	size_t rounds;
	struct probe_pair *pairs; /* by round; owned, probe_plan_free() frees */
	size_t count;
	unsigned messages, size; /* each run has these */
	double min_share;
};

/* The choice of the user. */
struct probe_choice {
	struct selection ports;		  /* by name; empty: all that the hosts list */
	bool named;			  /* the user has named ports */
	const char *peer_port;		  /* NULL: the port of the same name, or the only one */
	const struct probe_policy *asked; /* paths and share */
	bool allow_disruption;
	unsigned messages, size;
};

/* Frees the pairs. */
void probe_plan_free(struct probe_plan *p);

/* Pairs the ports of the hosts that have said hello. Fails out of memory. */
bool probe_plan_make(struct probe_endpoints *hosts, const struct probe_choice *choice,
		     struct probe_plan *ret, struct err *err) must_check;

/* The number of runs that are planned, and the most that any host does one after another. */
size_t probe_plan_runs(const struct probe_plan *p);
size_t probe_plan_steps(const struct probe_plan *p);

/* True if it is unsupported, and only because no policy names its path: it says nothing. */
bool probe_run_is_silent(const struct probe_run *r);

/* The path of a run, or "control". */
const char *probe_run_name(const struct probe_run *r);

/* The most turns of any round. */
size_t probe_plan_turns(const struct probe_plan *p);

#endif
