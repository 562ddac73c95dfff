#include "peer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../policy/util/oom.h"
#include "lldp/listen.h"
#include "lldpad/client.h"

/* Decodes one PDU from lldpad; a missing or malformed one counts as absent. */
static bool take_pdu(const struct lldpad_pdu *pdu, struct lldp *ret, struct err *err)
{
	return lldp_decode(pdu->bytes, pdu->size, ret, err);
}

/* Sets *why to ERR_UNKNOWN if lldpad does not answer. lldpad drops expired neighbours by itself. */
static void ask_lldpad(const struct lldpad *l, const char *port, struct peer_seen *ret,
		       struct err *why)
{
	struct lldpad_pdu pdu;
	struct err quiet = { 0 };

	ret->speaks = lldpad_get_sent(l, port, &pdu, why) && take_pdu(&pdu, &ret->local, &quiet);
	if (why->kind == ERR_UNKNOWN)
		return;
	*why = (struct err){ 0 };
	if (!lldpad_get_received(l, port, &pdu, why))
		return;
	ret->source = "lldpad";
	ret->heard = take_pdu(&pdu, &ret->peer, &ret->garbled);
	ret->stale = ret->heard && ret->peer.ttl_s == 0;
	ret->senders = ret->heard && !ret->stale;
}

/* Stops asking after the first timeout, which takes seconds. */
static void ask_lldpad_of_all(struct host *h, const struct peer_question *q, struct peer_seen *ret)
{
	struct lldpad l;
	struct err why = { 0 };

	if (!lldpad_open(h, &l, &why))
		return;
	for (size_t i = 0; i < q->count; i++) {
		if (!q->ports[i]->carrier)
			continue;
		if (why.kind != ERR_UNKNOWN) {
			why = (struct err){ 0 };
			ask_lldpad(&l, q->ports[i]->id.name, &ret[i], &why);
		}
		if (why.kind == ERR_UNKNOWN)
			ret[i].mute = why;
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
					 const struct peer_seen *seen)
{
	const struct neighbour *best = NULL;

	for (unsigned i = 0; i < n->count; i++) {
		const struct neighbour *one = &n->list[i];

		if (seen->heard && !is_same_port(&one->said, &seen->peer))
			continue;
		if (!best || !neighbour_is_present(best, now_ms))
			best = one;
	}
	return best;
}

/* Finds senders other than the peer; lldpad only keeps the one that sent last. */
static void take_others(const struct neighbours *n, uint64_t now_ms, struct peer_seen *ret)
{
	ret->senders = (ret->heard && !ret->stale) + (n->more > 0);
	for (unsigned i = 0; i < n->count; i++) {
		const struct neighbour *other = &n->list[i];

		if (!neighbour_is_present(other, now_ms) || is_same_port(&other->said, &ret->peer))
			continue;
		ret->another = other->said;
		ret->senders++;
	}
}

/* Adds what the raw socket received: a first peer, a newer PDU of the peer, and other senders. */
static void take_heard(const struct neighbours *n, uint64_t now_ms, struct peer_seen *ret)
{
	const struct neighbour *peer = find_peer(n, now_ms, ret);

	if (!ret->heard && (peer || n->malformed)) {
		ret->source = "wire";
		ret->garbled = peer ? (struct err){ 0 } : n->why;
	}
	if (peer) {
		ret->heard = true;
		ret->peer = peer->said;
		ret->stale = !neighbour_is_present(peer, now_ms);
	}
	take_others(n, now_ms, ret);
}

/* The ports that are listened on, and their indexes in the request. */
struct event_sockets {
	struct neighbours *wire;
	size_t *places, count;
};

static void free_event_sockets(struct event_sockets *e)
{
	free(e->wire);
	free(e->places);
}

/*
 * Listens on ports with a link: on all of them if to_the_end is set, else on those without a peer
 * from lldpad.
 */
static bool choose_event_sockets(const struct peer_question *q, const struct peer_seen *ret,
				 struct event_sockets *e, struct err *err)
{
	e->wire = calloc(q->count + 1, sizeof(*e->wire));
	e->places = calloc(q->count + 1, sizeof(*e->places));
	if (!e->wire || !e->places)
		return err_no_memory(err);
	for (size_t i = 0; i < q->count; i++) {
		if (!q->ports[i]->carrier || (ret[i].heard && !q->to_the_end))
			continue;
		e->places[e->count] = i;
		e->wire[e->count++].ifindex = q->ports[i]->ifindex;
	}
	return true;
}

static void tell_of_waiting(struct host *h, const struct peer_question *q,
			    const struct event_sockets *e)
{
	char others[48] = "";

	if (e->count > 1)
		snprintf(others, sizeof(others), "with %zu more, ", e->count - 1);
	host_tell(h, NOTICE_WAIT, q->ports[e->places[0]]->id.name,
		  "%slistening for the switch, %s%u s: most send every 30 s", others,
		  q->to_the_end ? "" : "up to ", q->wait_ms / 1000);
}

/* Fails only on an interruption. A missing privilege is reported in *deaf. */
static bool listen_on_wire(struct host *h, const struct peer_question *q, struct event_sockets *e,
			   struct err *deaf, struct err *err)
{
	tell_of_waiting(h, q, e);
	if (neighbours_hear(h, e->wire, e->count, q->wait_ms, q->to_the_end ? 0 : 1, deaf) ||
	    deaf->kind != ERR_INTERRUPTED)
		return true;
	*err = *deaf;
	return false;
}

bool peers_look(struct host *h, const struct peer_question *q, struct peer_seen *ret,
		struct err *err)
{
	__attribute__((cleanup(free_event_sockets))) struct event_sockets e = { .count = 0 };
	struct err deaf = { 0 };

	for (size_t i = 0; i < q->count; i++)
		ret[i] =
			(struct peer_seen){ .source = "wire", .no_carrier = !q->ports[i]->carrier };
	ask_lldpad_of_all(h, q, ret);
	if (!choose_event_sockets(q, ret, &e, err) ||
	    (e.count && !listen_on_wire(h, q, &e, &deaf, err)))
		return false;
	for (size_t i = 0; i < e.count; i++) {
		struct peer_seen *seen = &ret[e.places[i]];

		take_heard(&e.wire[i], h->now_ms(h), seen);
		if (!seen->heard)
			seen->deaf = deaf;
	}
	return true;
}
