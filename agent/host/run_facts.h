/*
 * Facts of the whole host, such as the lldpad that runs: a check of many ports finds each of them
 * out once. It begins when the inventory is read. A value of zeros remembers nothing, so that each
 * question is asked anew.
 */
#ifndef LOSSLESSCTL_AGENT_HOST_RUN_FACTS_H
#define LOSSLESSCTL_AGENT_HOST_RUN_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "links.h"

enum run_fact {
	FACT_LLDPAD,	     /* struct lldpad_process */
	FACT_LLDPAD_SOCKET,  /* struct socket_state of dcb/lldpad/detect.c */
	FACT_LLDPAD_ENABLED, /* bool */
	FACT_LLDPAD_NO_FILE, /* known and true if its configuration file does not exist */
	FACT_HOST,	     /* struct host_facts */
	FACT_MLX5_VERSION,   /* struct mlx5_version of host_facts.c */
	FACT_TCP_ECN,	     /* uint8_t */
	FACT_NO_DCB_PROFILE, /* known and true if no keyfile of NetworkManager sets DCB */
	FACT_NONE_LOST,	     /* known and true if no setting of any port is lost */
	FACT_GPUS,	     /* struct gpus of roce/ready/probe.h */
	FACT_RDMA_TOPO,	     /* struct rdma_topo of roce/ready/probe.h */
	FACT_KNOWN_PROGRAMS, /* uint32_t of dcb/owner/known_programs.c */
	FACT_COUNT
};

#define FACT_BYTES 288

struct run_facts {
	bool is_kept; /* else each is asked anew */
	bool known[FACT_COUNT];
	uint8_t value[FACT_COUNT][FACT_BYTES];
	struct link_list links; /* NULL: not known; owned */
};

/* Copies a fact of `size` bytes; false: find it out, and remember it. */
bool run_fact_recall(const struct run_facts *all, enum run_fact fact, void *ret, size_t size);
void run_fact_remember(struct run_facts *all, enum run_fact fact, const void *value, size_t size);

/*
 * The same for all links of the host. Lends the list until it is forgotten; what is remembered is
 * taken over, and becomes such a loan.
 */
bool run_links_recall(const struct run_facts *all, struct link_list *ret);
void run_links_remember(struct run_facts *all, struct link_list *links);

/* The link of this name among them, lent as they are; NULL: none is remembered. */
struct link *run_link(const struct run_facts *all, const char *name);

/* For something is written, or time has passed; frees the links. */
void run_facts_forget(struct run_facts *all);

#endif
