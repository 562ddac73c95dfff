#include "peer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../policy/util/oom.h"
#include "lldp/listen.h"
#include "lldpad/client.h"

/* Decodes one PDU from lldpad; a missing or malformed one counts as absent. */
static bool decode_pdu(const struct lldpad_pdu *pdu, struct lldp *ret, struct err *err)
{
	return lldp_decode(pdu->bytes, pdu->size, ret, err);
}

/* Sets *why to ERR_UNKNOWN if lldpad does not answer. lldpad drops expired neighbours by itself. */
static void read_from_lldpad(const struct lldpad *l, const char *port, struct peer_info *ret,
			     struct err *why)
{
	struct lldpad_pdu pdu;
	struct err quiet = { 0 };

	ret->advertises =
		lldpad_get_sent(l, port, &pdu, why) && decode_pdu(&pdu, &ret->local, &quiet);
	if (why->kind == ERR_UNKNOWN)
		return;
	*why = (struct err){ 0 };
	if (!lldpad_get_received(l, port, &pdu, why))
		return;
	ret->source = "lldpad";
	ret->heard = decode_pdu(&pdu, &ret->peer, &ret->malformed_error);
	ret->expired = ret->heard && ret->peer.ttl_s == 0;
	ret->senders = ret->heard && !ret->expired;
}

/* Stops asking after the first timeout, which takes seconds. */
static void read_all_from_lldpad(struct host *h, const struct peer_request *q,
				 struct peer_info *ret)
{
	struct lldpad l;
	struct err why = { 0 };

	if (!lldpad_open(h, &l, &why))
		return;
	for (size_t i = 0; i < q->count; i++) {
		if (!q->ports[i]->carrier || q->ports[i]->no_interface)
			continue;
		if (why.kind != ERR_UNKNOWN) {
			why = (struct err){ 0 };
			read_from_lldpad(&l, q->ports[i]->id.name, &ret[i], &why);
		}
		if (why.kind == ERR_UNKNOWN)
			ret[i].lldpad_error = why;
	}
}

static bool is_same_port(const struct lldp *a, const struct lldp *b)
{
	return strcmp(a->chassis, b->chassis) == 0 && strcmp(a->port, b->port) == 0;
}

/*
 * The peer among the neighbours heard: the one that lldpad reported, else one that is present
 * before one that has expired.
 */
static const struct neighbour *find_peer(const struct neighbours *n, uint64_t now_ms,
					 const struct peer_info *seen)
{
	const struct neighbour *best = NULL;

	for (unsigned i = 0; i < n->count; i++) {
		const struct neighbour *one = &n->list[i];

		if (seen->heard && !is_same_port(&one->pdu, &seen->peer))
			continue;
		if (!best || !neighbour_is_present(best, now_ms))
			best = one;
	}
	return best;
}

/* Finds senders other than the peer; lldpad only keeps the one that sent last. */
static void add_others(const struct neighbours *n, uint64_t now_ms, struct peer_info *ret)
{
	ret->senders = (ret->heard && !ret->expired) + (n->more > 0);
	for (unsigned i = 0; i < n->count; i++) {
		const struct neighbour *other = &n->list[i];

		if (!neighbour_is_present(other, now_ms) || is_same_port(&other->pdu, &ret->peer))
			continue;
		ret->other_peer = other->pdu;
		ret->senders++;
	}
}

/* Adds what the raw socket received: a first peer, a newer PDU of the peer, and other senders. */
static void add_heard(const struct neighbours *n, uint64_t now_ms, struct peer_info *ret)
{
	const struct neighbour *peer = find_peer(n, now_ms, ret);

	if (!ret->heard && (peer || n->malformed)) {
		ret->source = "raw_socket";
		ret->malformed_error = peer ? (struct err){ 0 } : n->why;
	}
	if (peer) {
		ret->heard = true;
		ret->peer = peer->pdu;
		ret->expired = !neighbour_is_present(peer, now_ms);
	}
	add_others(n, now_ms, ret);
}

/* The ports that are listened on, and their indexes in the request. */
struct raw_listen {
	struct neighbours *neighbours;
	size_t *indexes, count;
};

static void free_raw_listen(struct raw_listen *e)
{
	free(e->neighbours);
	free(e->indexes);
}

/*
 * Listens on ports with a link: on all of them if full_time is set, else on those without a peer
 * from lldpad.
 */
static bool choose_listen_ports(const struct peer_request *q, const struct peer_info *ret,
				struct raw_listen *e, struct err *err)
{
	e->neighbours = calloc(q->count + 1, sizeof(*e->neighbours));
	e->indexes = calloc(q->count + 1, sizeof(*e->indexes));
	if (!e->neighbours || !e->indexes)
		return err_no_memory(err);
	for (size_t i = 0; i < q->count; i++) {
		if (!q->ports[i]->carrier || q->ports[i]->no_interface ||
		    (ret[i].heard && !q->full_time))
			continue;
		e->indexes[e->count] = i;
		e->neighbours[e->count++].ifindex = q->ports[i]->ifindex;
	}
	return true;
}

static void report_waiting(struct host *h, const struct peer_request *q, const struct raw_listen *e)
{
	char others[48] = "";

	if (e->count > 1)
		snprintf(others, sizeof(others), " here and on %zu more port%s", e->count - 1,
			 e->count == 2 ? "" : "s");
	host_report(h, PROGRESS_WAIT, q->ports[e->indexes[0]]->id.name,
		    "listening for LLDP%s, %s%u s; most switches send every 30 s", others,
		    q->full_time ? "" : "up to ", q->wait_ms / 1000);
}

/* Fails only on an interruption. A missing privilege is reported in *listen_error. */
static bool listen_on_raw_socket(struct host *h, const struct peer_request *q, struct raw_listen *e,
				 struct err *listen_error, struct err *err)
{
	report_waiting(h, q, e);
	if (neighbours_listen(h, e->neighbours, e->count, q->wait_ms, q->full_time ? 0 : 1,
			      listen_error) ||
	    listen_error->kind != ERR_INTERRUPTED)
		return true;
	*err = *listen_error;
	return false;
}

bool peers_read(struct host *h, const struct peer_request *q, struct peer_info *ret,
		struct err *err)
{
	__attribute__((cleanup(free_raw_listen))) struct raw_listen e = { .count = 0 };
	struct err listen_error = { 0 };

	for (size_t i = 0; i < q->count; i++)
		ret[i] = (struct peer_info){ .source = "raw_socket",
					     .no_interface = q->ports[i]->no_interface,
					     .no_carrier = !q->ports[i]->carrier };
	read_all_from_lldpad(h, q, ret);
	if (!choose_listen_ports(q, ret, &e, err) ||
	    (e.count && !listen_on_raw_socket(h, q, &e, &listen_error, err)))
		return false;
	for (size_t i = 0; i < e.count; i++) {
		struct peer_info *seen = &ret[e.indexes[i]];

		seen->listened_s = q->wait_ms / 1000;
		add_heard(&e.neighbours[i], h->now_ms(h), seen);
		if (!seen->heard)
			seen->listen_error = listen_error;
	}
	return true;
}
