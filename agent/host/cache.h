/*
 * The replies of rtnetlink during one reading of a port. Features read parts of the same object,
 * and each request runs all callbacks of the driver, some of which are firmware commands: what was
 * asked once within the reading is answered from here. So are the link, and files that several
 * features read.
 */
#ifndef LOSSLESSCTL_AGENT_HOST_CACHE_H
#define LOSSLESSCTL_AGENT_HOST_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "links.h"

#define READING_BYTES 12288 /* an IEEE_GET with 64 APP entries has 3,000 bytes */

struct nlmsghdr;

/* Plain data; a value of zeros is closed. */
struct reading {
	bool is_open;
	size_t used;
	uint8_t bytes[READING_BYTES] __attribute__((aligned(8)));
};

/* Begins with nothing remembered. */
void reading_open(struct reading *r);
void reading_close(struct reading *r);

/* Forgets all: something was written. */
void reading_forget(struct reading *r);

/* Called for each reply: as reply_fn of host.h. */
typedef int reading_fn(const struct nlmsghdr *reply, void *arg);

#define READING_UNKNOWN 1000

/*
 * Calls `each` for the replies to a request, which has no sequence number yet. MNL_CB_OK;
 * MNL_CB_ERROR as `each` says; READING_UNKNOWN: it was not asked in this reading.
 */
int reading_repeat(const struct reading *r, const struct nlmsghdr *request, reading_fn *each,
		   void *arg);

/* A request whose replies are recorded; the rest is set by its caller. */
struct reading_request {
	struct reading *reading;
	reading_fn *each;
	void *arg;
	struct entry *entry; /* NULL: there is no room */
};

/* Takes the request, before it gets a sequence number. */
void reading_begin(struct reading_request *rec, const struct nlmsghdr *request);

/* A reading_fn: takes the reply, and hands it on. */
int reading_record(const struct nlmsghdr *reply, void *rec);

/* Keeps the replies if all came and fitted. */
void reading_end(struct reading_request *rec, bool complete);

/*
 * Copies a value that was remembered under this key; false: it was not in this reading, or it does
 * not fit into `size` bytes.
 */
bool reading_recall(const struct reading *r, const void *key, size_t key_size, void *ret,
		    size_t size);
void reading_remember(struct reading *r, const void *key, size_t key_size, const void *value,
		      size_t size);

/*
 * Facts of the whole host, such as the lldpad that runs: a check of many ports finds each of them
 * out once. It begins when the inventory is read. A value of zeros remembers nothing, so that each
 * question is asked anew.
 */

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
	FACT_GPUS,	     /* struct gpus of roce/ready/gpu_list.h */
	FACT_RDMA_TOPO,	     /* struct rdma_topo of roce/ready/rdma_topo.h */
	FACT_KNOWN_PROGRAMS, /* uint32_t of dcb/owner/other_writers.c */
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
