/*
 * The seam between the engine and what speaks to the kernel: dcb/ and roce/ stand behind these
 * functions, and the composition root (cli/backends.c) is the only place that names them.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_BACKENDS_H
#define LOSSLESSCTL_AGENT_ENGINE_BACKENDS_H

#include "../../policy/lint/lint.h"
#include "../monitor/sampler.h"
#include "dcbx_owner.h"
#include "guard.h"
#include "verify/peer.h"

struct targets;

/* What the inventory asks about network devices. */
struct port_describer {
	/* Fills in driver, firmware, PCI address and speed; false: there is no device behind it. */
	bool (*describe)(struct host *h, struct port *p);
	/* In Mb/s, the highest that the port supports; 0: unknown. */
	uint32_t (*best_speed)(struct host *h, const char *port);
	bool (*answers_dcb)(struct host *h, const char *port);
	/* Fills in id.rdma, rdma_index and rdma_port of each port that has an RDMA device. */
	bool (*find_rdma)(struct host *h, struct port *ports, size_t count, struct err *err);
	bool (*find_infiniband)(struct host *h, struct rdma_names *ret, struct err *err);
};

struct backends {
	struct features features; /* in phase order; of several for one setting the first speaks */
	struct guards guards;
	struct counter_readers counter_readers;
	struct port_describer ports;

	/* Fills in what the port can do at most; what it does not report becomes 0. */
	void (*read_capabilities)(struct host *h, const struct port *port,
				  struct capabilities *ret);
	/* Adds the smallest MTU of the devices above the port. */
	void (*read_upper)(struct host *h, const struct port *port, struct capabilities *ret);
	/* The program that has the last word on DCBX. A run without privilege sees less. */
	bool (*find_owner)(struct host *h, const struct port *port, struct owner *ret,
			   struct err *err);
	/*
	 * Listens for the peers of the observed targets that must agree with theirs, for so many
	 * seconds or, with 0, until each was heard. The caller frees *ret, one a target.
	 */
	bool (*read_peers)(struct host *h, const struct targets *all, unsigned listen_s,
			   struct peer **ret, struct err *err);
	/* Did the switch advertise something else of PFC or ETS than `want`? */
	bool (*switch_differs)(struct host *h, const struct port *port,
			       const struct config *desired);
};

#endif
