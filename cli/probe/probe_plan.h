/* The runs of a probe: which hosts, ports and paths, in which round. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_PLAN_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "../../agent/engine/probe/perftest.h"
#include "../../agent/engine/selection.h"
#include "probe_server.h"

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

/*
 * The hosts of a probe: this one, and those at the other end of a line. Each answers the same
 * messages, so that a run does not know which is which.
 */

#define PROBE_PORTS_MAX 128 /* ports of one host */

struct probe_endpoint {
	const char *address;	   /* as the user wrote it; "": this host; borrowed */
	struct probe_worker *here; /* NULL: it is at the other end of `line` */
	struct peer_line line;	   /* its descriptors are owned */
	int messages;		   /* a pipe with the standard error of ssh, owned; -1: none */
	char name[256];		   /* the host's own; empty until probe_endpoints_greet() */
	bool uses_gpu;		   /* its perftest was built with CUDA */
	struct probe_port *ports;  /* owned */
	size_t ports_count;
	json_t *asked;	/* the message that this host has not answered yet; owned */
	bool waits;	/* an answer is outstanding */
	bool runs;	/* perftest was started, and its result not read */
	struct err why; /* reason why it takes no more part; ERR_NONE: it does */
};

struct probe_endpoints {
	struct probe_endpoint *list; /* owned; probe_endpoints_free() frees */
	size_t count;
};

/* Frees all, and closes their lines, which ends the programs at the other ends. */
void probe_endpoints_free(struct probe_endpoints *all);

/* True unless it has failed: nothing more is asked of it then. */
bool probe_endpoint_is_there(const struct probe_endpoint *p);

/*
 * Gives up an endpoint for a reason, and closes its line. The last message of its ssh comes before
 * a line that has just ended.
 */
void probe_endpoint_give_up(struct probe_endpoint *p, const struct err *why);

/* Sends a message, which it takes over. Gives the endpoint up if that fails. */
void probe_endpoint_send(struct probe_endpoint *p, json_t *message);

/*
 * Receives the answer by a time of h->now_ms(); the caller owns it. NULL: none, and the endpoint is
 * given up.
 */
json_t *probe_endpoint_receive(struct probe_endpoint *p, uint64_t end_ms, struct host *h);

/* Says hello to all, with a token (NULL: none), and learns their ports. */
void probe_endpoints_greet(struct probe_endpoints *all, const char *token, struct host *h);

/* Keeps all lines alive. */
void probe_endpoints_ping(struct probe_endpoints *all, struct host *h);

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

/* ---- the report ---- */

/* The result of `losslessctl probe`, as text and as an exit code. */

/* Outcomes of a probe between two hosts, as the matrix marks them. */

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

/* ---- rounds ---- */

/*
 * Carries out a probe, round by round. All pairs of a round go the same way at the same time: one
 * question is sent to all of their hosts, and then all answers are read.
 */

/*
 * Carries out the runs of a plan, and judges them. A run that does not connect is no error; a host
 * that leaves is given up, and the pairs that it has left say why. Errors: ERR_INTERRUPTED, or out
 * of memory.
 */
bool probe_plan_run(struct probe_plan *p, struct host *h, struct err *err) must_check;

#endif
