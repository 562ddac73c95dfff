/*
 * The hosts of a probe: this one, and those at the other end of a line. Each answers the same
 * messages, so that a run does not know which is which.
 */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_ENDPOINT_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "../../agent/engine/probe/perftest.h"
#include "probe_server.h"

#define PROBE_PORTS_MAX 512 /* ports of one host */

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

#endif
