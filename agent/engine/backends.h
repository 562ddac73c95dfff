/*
 * The interface between the engine and the outside: dcb/ and roce/, which talk to the kernel, and
 * cli/, which loads policies, implement these functions. Only the composition root
 * (cli/backends.c) names them.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_BACKENDS_H
#define LOSSLESSCTL_AGENT_ENGINE_BACKENDS_H

#include "../../policy/document/policy.h"
#include "../../policy/job/job_port.h"
#include "../../policy/lint/lint.h"
#include "../monitor/sampler.h"
#include "dcbx_owner.h"
#include "guard.h"
#include "other_writers.h"
#include "ready/ready_probe.h"
#include "verify/peer.h"

struct targets;

/* The queries of the inventory about network devices. */
struct port_describer {
	/*
	 * Fills in driver, firmware, PCI address and speeds. The speed that a policy matches is the
	 * highest one while there is no carrier, so that the policy resolves alike with and without
	 * it. False if there is no device behind it.
	 */
	bool (*describe)(struct host *h, struct port *p);
	bool (*answers_dcb)(struct host *h, const char *port);
	/*
	 * Fills in id.rdma, rdma_index and rdma_port of each port that has an RDMA device. Lists in
	 * *others, which the caller frees, the RDMA devices without an interface here, and in
	 * *infiniband those in InfiniBand mode.
	 */
	bool (*find_rdma)(struct host *h, struct port *ports, size_t count,
			  struct port_list *others, struct rdma_names *infiniband, struct err *err);
	/* Reads the mode of the E-Switch of a port whose RDMA device is known. */
	enum eswitch_mode (*eswitch_mode)(struct host *h, const struct link_list *links,
					  const struct port *p);
};

struct backends {
	/*
	 * Loads the policy that the command line names, as for a reload. `arg` is that of the
	 * engine. The caller frees *ret.
	 */
	bool (*load_policy)(void *arg, struct policy **ret, struct err *err);

	struct features features; /* in phase order; of several for one setting the first wins */
	struct guards guards;
	struct counter_readers counter_readers;
	struct ready_probes ready_probes; /* in the order of reports */
	struct port_describer ports;

	/* Reads the limits of the port; those that it does not report become 0. */
	void (*read_capabilities)(struct host *h, const struct port *port,
				  struct capabilities *ret);
	/* Adds the smallest MTU of the devices above the port. */
	void (*read_upper)(struct host *h, const struct port *port, struct capabilities *ret);
	/* Adds a devlink rate object that divides bandwidth by traffic class. */
	void (*read_rate_object)(struct host *h, const struct port *port, struct capabilities *ret);
	/* Finds the program that controls DCBX. Finds less without privileges. */
	bool (*find_owner)(struct host *h, const struct port *port, struct owner *ret,
			   struct err *err);
	/* Finds the other programs of this host that write settings; NULL: finds none. */
	void (*find_writers)(struct host *h, struct other_writers *ret);
	/*
	 * Listens for the peers of observed targets whose policy asks for agreement, for `listen_s`
	 * seconds or, with 0, until each was heard. The caller frees *ret, one entry per target.
	 */
	bool (*read_peers)(struct host *h, const struct targets *all, unsigned listen_s,
			   struct peer **ret, struct err *err);
	/* Reads which GIDs of the port are RoCE v2, and their address families. */
	bool (*read_gids)(struct host *h, const struct port *port, struct gids_v2 *ret,
			  struct err *err);
	/* True if the switch advertised another PFC or ETS configuration than `desired`. */
	bool (*switch_differs)(struct host *h, const struct port *port,
			       const struct config *desired);
};

#endif
