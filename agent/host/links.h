/* Network links and ports, without their settings. Plain data. */
#ifndef LOSSLESSCTL_AGENT_HOST_LINKS_H
#define LOSSLESSCTL_AGENT_HOST_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../policy/document/match.h"
#include "../../policy/model/config.h"

#define LINK_NAME_MAX 16
#define SWITCH_ID_MAX 32 /* MAX_PHYS_ITEM_ID_LEN of the kernel */

#define LINK_REMOTE_MAX 16

/* One interface, as rtnetlink reports it. */
struct link_speeds {
	uint32_t now;  /* 0: unknown, as without carrier */
	uint32_t best; /* the highest supported; 0: the port lists no modes */
};

struct link {
	unsigned ifindex;
	unsigned master; /* ifindex of the bond, bridge or VRF, or 0 */
	/*
	 * ifindex of the device below, of whatever kind this one is; that of the other end, if it
	 * is one of a pair as veth. 0: none, or none of this network namespace.
	 */
	unsigned lower;
	unsigned second_lower; /* that of the other port of an HSR or PRP ring; else 0 */
	uint32_t vrf_table;    /* the routing table of a VRF; 0: it is none */
	/* The other end of a tunnel: AF_INET, AF_INET6, or 0: none, or several. */
	uint8_t remote_family, remote[LINK_REMOTE_MAX];
	uint8_t local_family, local[LINK_REMOTE_MAX]; /* this end, if it is set */
	char name[LINK_NAME_MAX];
	struct alt_names alt_names;
	char port_name[LINK_NAME_MAX]; /* IFLA_PHYS_PORT_NAME, or "" */
	char mac[24];
	uint32_t mtu;
	uint32_t min_mtu, max_mtu; /* 0: unknown */
	bool up, carrier;
	bool is_bond, is_vlan;
	bool is_infiniband;  /* or a bond of such interfaces */
	bool is_tunnel;	     /* its packets leave inside others, or in another network namespace */
	bool has_no_kind;    /* hardware, or software as an L2TP session's that the kernel hides */
	bool is_openvswitch; /* a datapath's own interface, or an internal port of one */
	bool has_mqprio;     /* its queueing discipline gives it traffic classes */
	/*
	 * IFLA_PHYS_SWITCH_ID, or zeros. mlx5 gives it to each function that manages an E-Switch,
	 * in legacy mode too (mlx5e_devlink_port_register()), and the same to all functions of a
	 * card, on several PCI devices too: its system image GUID. VFs and SFs have none.
	 */
	uint8_t switch_id[SWITCH_ID_MAX];
	uint16_t vlan_id;	  /* 0: it is no VLAN */
	uint8_t pcp[PRIOS];	  /* PCP of each priority's frames sent through this VLAN */
	uint32_t carrier_changes; /* number of times the carrier went up or down */
	bool speeds_known;	  /* in struct run_facts: the speeds were asked, too */
	struct link_speeds speeds;
};

/* The caller owns it and frees it with link_list_free(). */
struct link_list {
	struct link *links;
	size_t count;
	bool borrowed; /* from struct run_facts */
};

/* A VLAN device on a port. */
struct vlan {
	unsigned ifindex;
	struct vlan_egress map;
};

/* The VLAN devices of one port; `more` is set if they exceed VLANS_MAX. */
struct vlan_list {
	struct vlan vlans[VLANS_MAX];
	size_t count;
	bool more;
};

/* The mode of a function's E-Switch, the switch between its VFs, SFs and the wire. */
enum eswitch_mode {
	ESWITCH_UNKNOWN,   /* it could not be read */
	ESWITCH_NONE,	   /* this function manages no E-Switch */
	ESWITCH_LEGACY,	   /* the default */
	ESWITCH_SWITCHDEV, /* the port is a switch's uplink: RoCE is on VFs and SFs, not here */
	ESWITCH_MODES
};

struct eswitch {
	char pci[ID_MAX];
	enum eswitch_mode mode;
};

/* The caller owns and frees the list. */
struct eswitch_list {
	struct eswitch *list;
	size_t count;
};

/* Why the RDMA device of a bond's member is not that of the bond. */
enum no_lag {
	LAG_IS_NO_MATTER, /* it is, or the bond has no other member with one */
	LAG_DID_NOT_MERGE,
	LAG_OF_SEVERAL_ADAPTERS
};

struct port {
	struct identity id;
	unsigned ifindex;
	char firmware[32];
	uint32_t speed_mbps;	  /* 0: unknown */
	uint32_t best_speed_mbps; /* highest supported speed; 0: unknown */
	uint32_t mtu;
	bool up, carrier;
	uint32_t rdma_index; /* index of the RDMA device id.rdma */
	uint32_t rdma_port;  /* 0: no RDMA device */
	bool rdma_is_roce;   /* its protocol; not known of kernels before 5.1 */
	bool is_vf;	     /* a virtual function or subfunction: its PF has the DCB settings */
	bool no_interface;   /* in this network namespace; id.name is that of the RDMA device */
	bool is_bluefield;
	bool is_connectx4; /* or ConnectX-4 Lx */
	enum eswitch_mode eswitch_mode;
	bool in_lag;	      /* its bond has fewer RDMA devices than members */
	bool shares_rdma;     /* another member of its bond has the bond's RDMA device */
	bool shares_function; /* another port has its PCI address, as two of mlx4_core have */
	bool rdma_unlisted;   /* it has an RDMA device, whose port the kernel does not list */
	enum no_lag no_lag;
	uint8_t switch_id[SWITCH_ID_MAX]; /* that of its link; a captured port has zeros */
};

/* The largest packets of RDMA that an interface of this MTU carries, in bytes of data; 0: none. */
uint32_t rdma_mtu_of(uint32_t mtu);

/* The caller owns and frees the list. */
struct port_list {
	struct port *list;
	size_t count;
};

#define RDMA_NAMES_MAX 64

/* Names of RDMA devices. */
struct rdma_names {
	char names[RDMA_NAMES_MAX][ID_MAX];
	size_t count;
};

/* A sentence on no_lag, which the port has. Returns `buf`. */
#define NO_LAG_TEXT_MAX 384
const char *no_lag_text(const struct port *p, char buf[NO_LAG_TEXT_MAX]);

/* How to get a LAG instead. */
const char *no_lag_fix(enum no_lag why);

void link_list_free(struct link_list *l);
#define _link_list_ __attribute__((cleanup(link_list_free)))

/* The link with this name or alternative name, or with this ifindex, or NULL. */
const struct link *link_by_name(const struct link_list *l, const char *name);
const struct link *link_by_index(const struct link_list *l, unsigned ifindex);

/* Fills in the names of a link of the list and of its bond. */
void link_identify(const struct link_list *l, const struct link *link, struct identity *ret);

/*
 * True if traffic of the interface `upper`, one of the list, passes through `port`: it is the port
 * itself, or the kernel's links lead from it to the port. Those of a tunnel do so after
 * route_under_tunnels().
 */
bool link_rests_on(const struct link_list *l, const struct link *upper, unsigned port);

/*
 * The interface at or below `upper` whose traffic leaves by another that the kernel does not tell:
 * WireGuard and a VXLAN without a remote choose it for each peer, and what a device of kind "tun"
 * sends goes to a program. NULL if no such interface exists.
 */
const struct link *link_hidden_below(const struct link_list *l, const struct link *upper);

/*
 * True for representors, the switch side of a function: "pf0vf1", "pf0sf88", "c1pf0vf1", and on a
 * BlueField's Arm side that of the host: "pf0", "c1pf0".
 */
bool link_is_representor(const struct link *l);

/* True if `uplink` is the port of a switch that a function of the list is attached to. */
bool link_has_representor(const struct link_list *l, const struct link *uplink);

/* "unknown", "none", "legacy" or "switchdev". */
const char *eswitch_mode_name(enum eswitch_mode mode);

/* The VLAN devices on the link `lower`. */
void links_vlans(const struct link_list *l, unsigned lower, struct vlan_list *ret);

#endif
