/* The end of a probe that asks: `losslessctl probe HOST`. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_CLIENT_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_CLIENT_H

#include "../../agent/engine/probe/perftest_failure.h"
#include "peer_line.h"
#include "probe_host.h"

#define PROBE_REMOTE_MAX 128

struct probe_client {
	const struct probe_host *host;
	struct peer_line *line;
	int helper;		  /* perftest_helper.h */
	char name[256];		  /* the other host's; empty until probe_greet() */
	struct probe_port *ports; /* its ports, owned; probe_client_free() frees */
	size_t ports_count;
	bool has_quiet; /* quiet times were counted */
	struct probe_counts near[PROBE_TIMES], far[PROBE_TIMES];
};

/* Frees the list of ports. */
void probe_client_free(struct probe_client *p);

/* Says hello with a token (NULL: none), and learns the other host's ports. */
bool probe_greet(struct probe_client *p, const char *token, struct err *err) must_check;

/* One run between two ports, and the verdict about its two directions. */
struct probe_run {
	/* Set by the caller. */
	const struct probe_port *from, *to; /* here and there */
	size_t near_port;		    /* index of `from` at this host */
	enum probe_path path;
	bool is_control;       /* unmarked traffic, whose class no lossless priority may have */
	uint8_t traffic_class; /* that the packets should carry */
	unsigned messages, size;
	double min_share;

	bool connected;					   /* perftest ended well at this end */
	char why[PERFTEST_WHY_MAX], fix[PERFTEST_WHY_MAX]; /* reason why not, and what to do */
	struct probe_judgement data, acknowledgements;
};

/*
 * Counts both ports for a second without a run: the background of all later ones. Errors are those
 * of the line, and of sampling.
 */
bool probe_listen(struct probe_client *p, const struct probe_run *r, struct err *err) must_check;

/* Carries out one run. A run that does not connect is no error. */
bool probe_run(struct probe_client *p, struct probe_run *r, struct err *err) must_check;

#endif
