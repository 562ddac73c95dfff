#include "listen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"

struct lldp_watch {
	struct host *h;
	struct neighbours *ports;
	size_t count;
	unsigned enough;
};

static struct neighbours *neighbours_of(const struct lldp_watch *w, unsigned ifindex)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->ports[i].ifindex == ifindex)
			return &w->ports[i];
	return NULL;
}

/* The neighbour with this ID, added if it is new; NULL if there is no room. */
static struct neighbour *find_neighbour(struct neighbours *n, const uint8_t *id, size_t len)
{
	for (unsigned i = 0; i < n->count; i++)
		if (n->list[i].pdu.id_len == len && memcmp(n->list[i].id, id, len) == 0)
			return &n->list[i];
	if (n->count == NEIGHBOURS_MAX)
		return NULL;
	memcpy(n->list[n->count].id, id, len);
	return &n->list[n->count++];
}

static void record_pdu(struct neighbours *n, const uint8_t *pdu, size_t len, uint64_t now_ms)
{
	struct err err = { 0 };
	struct lldp decoded;
	struct neighbour *from;

	if (!lldp_decode(pdu, len, &decoded, &err)) {
		if (n->malformed++ == 0)
			n->why = err;
		return;
	}
	from = find_neighbour(n, pdu, decoded.id_len);
	if (!from) {
		n->more++;
		return;
	}
	from->pdu = decoded;
	from->heard_ms = now_ms;
	from->frames++;
}

bool neighbour_is_present(const struct neighbour *n, uint64_t now_ms)
{
	return now_ms - n->heard_ms < n->pdu.ttl_s * 1000u;
}

unsigned neighbours_present(const struct neighbours *n, uint64_t now_ms)
{
	unsigned present = n->more > 0;

	for (unsigned i = 0; i < n->count; i++)
		present += neighbour_is_present(&n->list[i], now_ms);
	return present;
}

static bool is_enough(const struct lldp_watch *w, uint64_t now_ms)
{
	for (size_t i = 0; i < w->count; i++)
		if (neighbours_present(&w->ports[i], now_ms) < w->enough)
			return false;
	return w->enough > 0;
}

static bool receive_one(unsigned ifindex, const uint8_t *pdu, size_t len, void *arg)
{
	const struct lldp_watch *w = arg;
	struct neighbours *n = neighbours_of(w, ifindex);
	uint64_t now_ms = w->h->now_ms(w->h);

	if (n)
		record_pdu(n, pdu, len, now_ms);
	return !is_enough(w, now_ms);
}

static void forget(struct neighbours *ports, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ports[i] = (struct neighbours){ .ifindex = ports[i].ifindex };
}

bool neighbours_listen(struct host *h, struct neighbours *ports, size_t count, unsigned wait_ms,
		       unsigned enough, struct err *err)
{
	struct lldp_watch w = { h, ports, count, enough };
	_free_ unsigned *ifindexes = calloc(count + 1, sizeof(*ifindexes));
	struct lldp_listener l = { ifindexes, count, wait_ms, receive_one, &w };

	if (!ifindexes)
		return err_no_memory(err);
	for (size_t i = 0; i < count; i++)
		ifindexes[i] = ports[i].ifindex;
	forget(ports, count);
	if (host_listen_lldp(h, &l, err))
		return true;
	forget(ports, count);
	return false;
}
