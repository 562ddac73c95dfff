/* Routes: those that the kernel lists, and the one that it chooses for a packet. */
#ifndef LOSSLESSCTL_AGENT_HOST_ROUTE_H
#define LOSSLESSCTL_AGENT_HOST_ROUTE_H

#include "host.h"

#define ROUTE_ADDRESS_MAX 16

/* A routing table: IPv4 and IPv6 number theirs separately. */
#define ROUTE_TABLE(family, number) ((uint64_t)(family) << 32 | (number))

struct route {
	uint64_t table;
	unsigned char to[ROUTE_ADDRESS_MAX];
	unsigned bits;	   /* that must match in `to` */
	uint32_t metric;   /* the lowest of a table is in use */
	uint8_t protocol;  /* RTPROT_*: who made it */
	bool is_dead;	   /* it sends nothing: its link is down, or it refuses packets */
	unsigned ifindex;  /* that the next hop leaves by; 0: there are several, or none */
	uint32_t next_hop; /* the id of an object: a next hop, or a group of them; 0: none */
	const struct nlattr *next_hops; /* struct rtnexthop, several; borrowed from the message */
};

/* A packet of this host, in the byte order of the network where it is an address. */
struct route_query {
	uint8_t family;
	bool has_from; /* the address must be one of this network namespace */
	unsigned char to[ROUTE_ADDRESS_MAX], from[ROUTE_ADDRESS_MAX];
	uint8_t protocol; /* IPPROTO_TCP; 0: none, and no ports */
	uint16_t from_port, to_port;
	unsigned vrf; /* ifindex of the VRF of the program that sends it; 0: none */
};

/* False: a route of another kind, as of multicast or MPLS. */
bool route_parse(const struct nlmsghdr *n, struct route *ret) must_check;

/*
 * The kernel's choice for a packet: all rules and tables count. `next_hops` is NULL. Errors are
 * those of host_talk(); no route is ERR_SYSTEM with ENETUNREACH.
 */
bool host_route(struct host *h, const struct route_query *q, struct route *ret,
		struct err *err) must_check;

/*
 * Sets as the device below each tunnel the one by which its packets leave now, by the kernel's
 * choice of a route to its other end.
 */
void route_under_tunnels(struct host *h, struct link_list *links);

#endif
