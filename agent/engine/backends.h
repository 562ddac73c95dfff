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
#include "../../policy/model/config.h"
#include "../../policy/model/setting.h"
#include "../monitor/sampler.h"
#include "feature.h"
#include "other_writers.h"
#include "ready/ready_reader.h"

/* ---- peers ---- */

/* The peer of a port, as `verify` judges it: a plain value, from LLDP or from a document. */

/* In order of severity. */
enum peer_status {
	PEER_STATUS_AGREES,
	PEER_STATUS_DIFFERS_ALLOWED, /* differs, as the policy allows */
	PEER_STATUS_UNKNOWN,
	PEER_STATUS_DIFFERS
};

#define PEER_TEXT_MAX 256

struct peer_agreement {
	enum peer_status status;
	setting_set about;	 /* settings that are compared */
	char why[PEER_TEXT_MAX]; /* reason; "": they agree */
	const char *fix;	 /* static; NULL: they agree */
};

struct peer {
	const char *source;   /* static: "lldpad", "raw_socket" */
	struct config config; /* as advertised; empty if no peer was heard */
	struct peer_agreement agreed[AGREE_COUNT];
};

/* ---- guards ---- */

/*
 * A guard refuses writes to a port because another program would overwrite them, or because others
 * would lose traffic.
 */

#define GUARD_WHY_MAX 256

/* The options that silence guards. */
enum override { ALLOW_DISRUPTION = 1 << 0, ANY_DRIVER = 1 << 1, OVERRIDE_ALL = ~0 };

/* A reading of a port that its guard compares with a later one. */
struct guard_look {
	bool taken;
	uint64_t at_ms, count;
	unsigned functions; /* that were counted with the port */
};

struct guard {
	const char *name;
	setting_set over;	     /* applies if a plan touches any of these */
	enum disruption from;	     /* and causes at least this disruption */
	enum override overridden_by; /* 0: by none */
	enum dcbx_owner owner; /* the program that it is about; OWNER_NOBODY: it is about none */
	bool is_standing; /* objects() asks the port alone: captured hosts and verify know, too */
	/* Without an objection `why`, which comes as "", may have a note. */
	bool (*objects)(struct host *h, const struct port *port, char why[GUARD_WHY_MAX]);
	/* Instead: asks what was read of the port, which captured hosts and verify have, too. */
	bool (*lacks)(const struct capabilities *c, char why[GUARD_WHY_MAX]);
	/*
	 * A guard that needs two readings has these instead. It looks at all ports before it is
	 * asked of the first, so that they share one wait; without a look it takes its time.
	 */
	void (*look)(struct host *h, const struct port *port, struct guard_look *ret);
	bool (*objects_since)(struct host *h, const struct port *port,
			      const struct guard_look *look, char why[GUARD_WHY_MAX]);
	bool (*waived)(const struct config *desired); /* desired settings make it moot; or NULL */
	const char *fix;
};

struct guards {
	const struct guard *const *list;
	size_t count;
};

/* ---- backends ---- */

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

	struct features features; /* the first of several for one setting wins */
	struct guards guards;
	struct counter_readers counter_readers;
	struct ready_readers ready_readers; /* in the order of reports */
	struct port_describer ports;

	/* Reads the limits of the port; those that it does not report become 0. */
	void (*read_capabilities)(struct host *h, const struct port *port,
				  struct capabilities *ret);
	/* Adds the smallest MTU of the devices above the port. */
	void (*read_upper)(struct host *h, const struct port *port, struct capabilities *ret);
	/* Adds the VLANs that the port gives its VFs. */
	void (*read_vf_vlans)(struct host *h, const struct port *port, struct capabilities *ret);
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
