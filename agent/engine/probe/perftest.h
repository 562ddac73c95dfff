/*
 * The programs of perftest that carry a probe's traffic, and their words. A job gets its class in
 * one of several ways, and each has a row.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_PROBE_PERFTEST_H
#define LOSSLESSCTL_AGENT_ENGINE_PROBE_PERFTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../policy/document/probe_json.h"
#include "../../../policy/model/config.h"
#include "../../../policy/util/err.h"

#define PERFTEST_MESSAGES_MIN 5 /* perftest takes no fewer */
#define PERFTEST_MESSAGES_MAX 100000
#define PERFTEST_SIZE_MAX     (1u << 20)
#define PERFTEST_BYTES_MAX    (1u << 30) /* messages times size of one run */
#define PERFTEST_DEVICE_MAX   64	 /* IB_DEVICE_NAME_MAX */
#define PERFTEST_ADDRESS_MAX  46	 /* INET6_ADDRSTRLEN */

/* An option of perftest that was built with CUDA; its help has it only then. */
#define PERFTEST_GPU_OPTION "--use_cuda"

/* One end of one run. Plain data, which a helper process receives. */
struct perftest {
	uint32_t asks_help;		  /* 1: perftest prints its options; no member counts */
	uint32_t path;			  /* enum probe_path */
	char device[PERFTEST_DEVICE_MAX]; /* "mlx5_0" */
	uint32_t ib_port, gid_index;
	uint32_t traffic_class; /* the whole byte; PROBE_RDMA_CM does not set it */
	uint32_t service_level; /* the PCP in a VLAN's tag; rdma_cm chooses its own */
	uint32_t tcp_port;	/* where the server waits for the client */
	uint32_t messages, size;
	char peer[PERFTEST_ADDRESS_MAX]; /* the server's address; "": this end is the server */
};

#define PERFTEST_WORDS_MAX 24
#define PERFTEST_TEXT_MAX  512

/* The words of a command line, without the program's name. */
struct perftest_words {
	char text[PERFTEST_TEXT_MAX]; /* the words point into it */
	char *list[PERFTEST_WORDS_MAX + 1];
	size_t count, used; /* words, and bytes of `text` */
};

/*
 * Fails with ERR_USAGE if a member is out of range, the device has other characters than names of
 * devices have, or the peer is no IP address: the other end of a probe may have sent it.
 */
bool perftest_check(const struct perftest *p, struct err *err) must_check;

/* Writes the words of one that perftest_check() has passed. */
void perftest_write_words(const struct perftest *p, struct perftest_words *ret);

/* Explains why perftest did not end well, from its messages. */

#define PERFTEST_WHY_MAX 256

/* How a run of perftest went. */
enum perftest_state {
	PERFTEST_NO_CONNECTION, /* it failed */
	PERFTEST_CONNECTED,	/* it ended well at the end that begins */
	PERFTEST_UNKNOWN,	/* somebody ended it: this says nothing about the path */
	PERFTEST_UNSUPPORTED,	/* the installed perftest cannot make it */
	PERFTEST_STATES
};

extern const char *const perftest_state_names[PERFTEST_STATES]; /* "no_connection" */

/* True if the other end's perftest did not listen yet, or not any more. */
bool perftest_must_wait(const char *output);

/*
 * True if both ends have to start anew: the client of perftest 4.5 makes its second connection of
 * rdma_cm without asking whether the server listens for it, and does not survive a rejection.
 */
bool perftest_was_too_early(const char *output);

/* Judges a failure by the messages of both ends; writes its reason and what to do about it. */
enum perftest_state perftest_explain(const char *near, const char *far, char why[PERFTEST_WHY_MAX],
				     char fix[PERFTEST_WHY_MAX]);

#endif
