/* A port as a job sees it: its RDMA device, and the class that its traffic must carry. */
#ifndef LOSSLESSCTL_POLICY_JOB_JOB_PORT_H
#define LOSSLESSCTL_POLICY_JOB_JOB_PORT_H

#include "../document/match.h"
#include "../model/marking.h"

/* The source of a port's traffic class, in order of precedence. */
enum class_source {
	CLASS_UNKNOWN, /* the policy does not say which DSCP carries RoCE */
	CLASS_FORCED,  /* roce.traffic_class */
	CLASS_TOS,     /* roce.tos */
	CLASS_MAP,     /* the lowest DSCP of the only lossless priority in dscp.prio */
	CLASS_PCP      /* none: the port trusts PCP, and one priority is lossless */
};

/* GIDs of RoCE v2 that can be routed, so none of fe80::/64: bits by index, of the first 64. */
struct gids_v2 {
	uint64_t ipv4, ipv6;
};

struct job_port {
	const char *name;	 /* the interface; borrowed */
	char device[ID_MAX + 8]; /* "mlx5_0:1", as NCCL_IB_HCA and UCX_NET_DEVICES take it */
	char rdma[ID_MAX];	 /* "mlx5_0"; "": the port has no RDMA device */
	unsigned rdma_port;
	struct config effective;     /* the actual settings, overlaid with the desired ones */
	const struct config *actual; /* borrowed */
	const struct mqprio *mqprio; /* the port's; borrowed; NULL: unknown, or none */
	struct gids_v2 gids;
	char gid_netdev[ID_MAX]; /* the interface of the GID that a job takes; "": unknown */
	bool is_untagged;	 /* it is the port or its bond, not a VLAN device */
	enum class_source source;
	uint8_t traffic_class; /* valid unless source is CLASS_UNKNOWN */
	uint8_t service_level; /* the PCP of RoCE where the port trusts PCP; else 0 */
	bool is_uplink;	       /* its RoCE is on VFs and SFs: switchdev */
	bool desires_rdma;     /* the policy has settings of an RDMA device for it */
	bool may_drop;	       /* the policy puts the class into a priority without PFC */
	bool shares_rdma;      /* another member of its bond has the RDMA device of both */
	/* Its bond has no LAG and its address on another member: its RDMA device is left out. */
	bool is_standby;
	char standby_rdma[ID_MAX]; /* the device that is left out; else "" */
	bool of_bond;		   /* a member of a bond */
	bool of_vf;		   /* a VF: trust, map and PFC are its PF's, and not read here */
};

/* The GID that a job takes: the first one of IPv4, else of IPv6. False: there is none. */
bool gids_v2_choose(const struct gids_v2 *gids, unsigned *ret_index);

#define NO_GID_TEXT "no GID of RoCE v2 that can be routed"

/* True if RDMA travels through the port: by a device of its own, or of its bond. */
bool job_port_has_rdma(const struct job_port *p);

/* True if the job's packets have a VLAN's tag, or may have one. */
bool job_port_tags(const struct job_port *p);

/* The end of a message about a device that no port of a job has. */
const char *job_ports_foreign_text(const struct job_port *ports, size_t count, const char *device);

/* True if it has none, and its policy has settings of one, as of RoCE or congestion control. */
bool job_port_lacks_rdma(const struct job_port *p);

/*
 * Fills in effective, source and traffic_class, with the port's mqprio and is_untagged. `desired`
 * may be empty.
 */
void job_port_classify(struct job_port *p, const struct config *desired,
		       const struct config *actual);

/*
 * The priority that the port, with the settings *c, gives packets of queue pairs with this traffic
 * class byte and service level; -1: unknown.
 */
int job_port_priority(const struct job_port *p, const struct config *c, uint8_t traffic_class,
		      uint8_t service_level);

/* True if that priority is lossless. */
bool job_port_is_lossless(const struct job_port *p, const struct config *c, uint8_t traffic_class,
			  uint8_t service_level);

/* True if the port trusts PCP: the service level decides. */
bool job_port_trusts_pcp(const struct config *c);

/*
 * True if the port treats its class now as the policy has it; where it has no PFC: losslessly. A VF
 * is taken at its policy's word.
 */
bool job_port_carries(const struct job_port *p);

/* The setting that the source is. */
const char *class_source_name(enum class_source s);

#endif
