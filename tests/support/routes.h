/* A host with links, routes and rules. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_ROUTES_H
#define LOSSLESSCTL_TESTS_SUPPORT_ROUTES_H

#include "agent/host/host.h"

/*
 * The port, a VLAN on it, a bond with it, a VLAN on the bond, an unrelated link, a macvlan on the
 * bond's VLAN, a tunnel, a pair of which one is in a bridge with the bond's VLAN, a pair of
 * which one is in a bridge of its own, and an internal port of the datapath that the bond is in,
 * a WireGuard, a bridge with a VXLAN of any remote, and a VRF with another VLAN on the port.
 */
bool some_links(struct host *h, struct link_list *ret, struct err *err);

/* The host of the routes. */
extern struct host routed_host;

/* Rules and routes of one host, with which the kernel answers. */
#define SEVERAL	   3
#define FAKE_RULES 1100

struct fake_route {
	const char *to; /* NULL: a default route */
	unsigned bits, table;
	unsigned out[SEVERAL]; /* ifindex of each next hop */
};

/* The rest of a route. */
struct fake_use {
	unsigned metric;
	bool is_advertised, is_down;
	unsigned next_hop; /* the object that the route has instead of interfaces; 0: none */
};

/* An object: a next hop, or a group of up to two others. */
struct fake_next_hop {
	unsigned id, out, members[2];
	bool is_down;
};

/* Packets that a rule is for. */
struct fake_selector {
	const char *from; /* with `from_bits`; NULL: any address */
	unsigned from_bits;
	const char *oif; /* NULL: any */
	bool is_inverted;
	unsigned to_bits; /* 0: any destination */
	const char *iif;  /* NULL: any */
};

struct fake_rule {
	int family;
	unsigned table;
	bool is_vrf;
	struct fake_selector only;
};

struct fake_address {
	const char *address;
	unsigned ifindex;
};

struct routing {
	struct fake_rule rules[FAKE_RULES];
	struct fake_route routes[4];
	struct fake_use uses[4]; /* one for each route */
	struct fake_next_hop next_hops[6];
	struct fake_address addresses[4];
	bool no_rules, no_dump;
	unsigned vrf;	       /* that a question for a route must name; 0: none */
	const char *source;    /* the source address that a request must have; NULL: none */
	unsigned table, out;   /* the route that is chosen; 0: there is none */
	unsigned under_tunnel; /* the interface that a tunnel's packets leave by; 0: none */
};

/* The kernel's routes and rules. */
extern struct routing routing;

/* Begins a message about a route. */
struct nlmsghdr *begin_route(char *buf, int family, unsigned bits);

/* Answers about routes and rules. */
bool route_talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		struct err *err);

#endif
