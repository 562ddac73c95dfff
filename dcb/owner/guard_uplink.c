/* Guards for ports in use: the port carries the default route, or the SSH session of the user. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/model/setting.h"
#include "../registry.h"

#define TABLE_MAX (4u << 20)

/* The route of a packet: its interface and the length of its prefix. */
struct best {
	char name[LINK_NAME_MAX];
	int bits; /* -1: no route found */
};

static void consider(struct best *b, const char *name, int bits)
{
	if (strcmp(name, "lo") != 0 && bits > b->bits) {
		b->bits = bits;
		snprintf(b->name, sizeof(b->name), "%.15s", name);
	}
}

/*
 * Parses one line of /proc/net/route; addresses are hex words of the network-order bytes as stored.
 */
static void route_v4(struct best *b, const char *line, const unsigned char *to)
{
	char name[LINK_NAME_MAX];
	unsigned dest, mask;
	uint32_t address;

	memcpy(&address, to, sizeof(address));
	if (sscanf(line, "%15s %x %*x %*x %*d %*d %*d %x", name, &dest, &mask) == 3 &&
	    (address & mask) == dest)
		consider(b, name, __builtin_popcount(mask));
}

static bool same_bits(const unsigned char *a, const unsigned char *b, unsigned bits)
{
	unsigned rest = bits % 8;

	if (memcmp(a, b, bits / 8) != 0)
		return false;
	return rest == 0 || (a[bits / 8] >> (8 - rest)) == (b[bits / 8] >> (8 - rest));
}

/* Parses one line of /proc/net/ipv6_route. */
static void route_v6(struct best *b, const char *line, const unsigned char *to)
{
	char hex[33], name[LINK_NAME_MAX];
	unsigned char dest[16];
	unsigned bits;

	if (sscanf(line, "%32s %x %*s %*s %*s %*s %*s %*s %*s %15s", hex, &bits, name) != 3 ||
	    bits > 128)
		return;
	for (size_t i = 0; i < sizeof(dest); i++) {
		unsigned byte;

		if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
			return;
		dest[i] = (unsigned char)byte;
	}
	if (same_bits(dest, to, bits))
		consider(b, name, (int)bits);
}

struct table {
	const char *path;
	int family;
	void (*line)(struct best *b, const char *line, const unsigned char *to);
};

static const struct table tables[] = {
	{ "/proc/net/route", AF_INET, route_v4 },
	{ "/proc/net/ipv6_route", AF_INET6, route_v6 },
};

static void search(struct host *h, const struct table *t, const unsigned char *to, struct best *b)
{
	_free_ char *text = malloc(TABLE_MAX);
	struct err quiet = { 0 };
	char *rest = text;

	if (!text || !host_read_file(h, text, TABLE_MAX, &quiet, "%s", t->path))
		return;
	for (const char *line; (line = strsep(&rest, "\n"));)
		t->line(b, line, to);
}

/* True if the route leaves through this port, or through a device on top of it. */
static bool leaves_through(struct host *h, const struct best *b, const struct port *port)
{
	_link_list_ struct link_list links = { NULL, 0 };
	struct err quiet = { 0 };
	const struct link *upper;

	if (b->bits < 0 || !h->links(h, &links, &quiet))
		return false;
	upper = link_by_name(&links, b->name);
	return upper && link_rests_on(&links, upper, port->ifindex);
}

static bool default_route_objects(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	static const unsigned char anywhere[16] = { 0 };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		struct best b = { "", -1 };

		search(h, &tables[i], anywhere, &b);
		if (b.bits != 0 || !leaves_through(h, &b, port))
			continue;
		snprintf(why, GUARD_WHY_MAX, "this port carries the default route (%s)", b.name);
		return true;
	}
	return false;
}

static bool session_objects(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	unsigned char peer[16];

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		struct best b = { "", -1 };

		if (inet_pton(tables[i].family, h->session_peer, peer) != 1)
			continue;
		search(h, &tables[i], peer, &b);
		if (!leaves_through(h, &b, port))
			continue;
		snprintf(why, GUARD_WHY_MAX, "this SSH session, from %s, comes through this port",
			 h->session_peer);
		return true;
	}
	return false;
}

#define DISRUPTIVE \
	.over = EVERY_SETTING, .from = DISRUPTS_LINK, .may_override = true, \
	.fix = "use another way in, or --disruptive if losing it for some seconds is all right"

const struct guard guard_default_route = {
	.name = "default-route",
	.objects = default_route_objects,
	DISRUPTIVE,
};

const struct guard guard_session = {
	.name = "session",
	.objects = session_objects,
	DISRUPTIVE,
};
