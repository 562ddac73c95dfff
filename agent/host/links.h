/* Network links and ports, without their settings. Plain data. */
#ifndef LOSSLESSCTL_AGENT_HOST_LINKS_H
#define LOSSLESSCTL_AGENT_HOST_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../policy/document/match.h"
#include "../../policy/model/config.h"

#define LINK_NAME_MAX 16

/* One interface, as rtnetlink reports it. */
struct link {
	unsigned ifindex;
	unsigned master; /* ifindex of the bond or bridge, or 0 */
	unsigned lower;	 /* ifindex of the device below (VLAN), or 0 */
	char name[LINK_NAME_MAX];
	char port_name[LINK_NAME_MAX]; /* IFLA_PHYS_PORT_NAME, or "" */
	char mac[24];
	uint32_t mtu;
	uint32_t min_mtu, max_mtu; /* 0: unknown */
	bool up, carrier;
	bool is_bond;
	bool is_switchdev;	  /* a port of a switch: IFLA_PHYS_SWITCH_ID */
	uint8_t pcp[PRIOS];	  /* PCP of each priority's frames sent through this VLAN */
	uint32_t carrier_changes; /* number of times the carrier went up or down */
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

struct port {
	struct identity id;
	unsigned ifindex;
	char firmware[32];
	uint32_t speed_mbps;	  /* 0: unknown */
	uint32_t best_speed_mbps; /* highest supported speed; 0: unknown */
	uint32_t mtu;
	uint8_t traffic_classes; /* 0: unknown */
	bool up, carrier;
	uint32_t rdma_index; /* index of the RDMA device id.rdma */
	uint32_t rdma_port;  /* 0: no RDMA device */
	bool is_vf;	     /* a virtual function or subfunction: its PF has the DCB settings */
	bool no_interface;   /* in this network namespace; id.name is that of the RDMA device */
	bool is_bluefield;
	bool is_switchdev; /* the uplink of a switch: RoCE is on VFs and SFs, not here */
	bool in_lag;	   /* its bond has fewer RDMA devices than members */
	bool shares_rdma;  /* another member of its bond has the bond's RDMA device */
};

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

void link_list_free(struct link_list *l);
#define _link_list_ __attribute__((cleanup(link_list_free)))

/* The link with this name or ifindex, or NULL. */
const struct link *link_by_name(const struct link_list *l, const char *name);
const struct link *link_by_index(const struct link_list *l, unsigned ifindex);

/*
 * True if traffic of the interface `upper` passes through `port`: it is the port itself, or a bond,
 * bridge or VLAN on it.
 */
bool link_rests_on(const struct link_list *l, const struct link *upper, unsigned port);

/* The VLAN devices on the link `lower`. */
void links_vlans(const struct link_list *l, unsigned lower, struct vlan_list *ret);

#endif
