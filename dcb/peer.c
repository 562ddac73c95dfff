#include "peer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lldpad.h"
#include "neighbours.h"

/* One PDU that lldpad kept; what is not there, or is none, is not spoken of. */
static bool take_pdu(const struct lldpad_pdu *pdu, struct lldp *ret, struct err *err)
{
	return lldp_decode(pdu->bytes, pdu->size, ret, err);
}

static void ask_lldpad(const struct lldpad *l, const char *port, struct peer_seen *ret)
{
	struct lldpad_pdu pdu;
	struct err quiet = { 0 };

	ret->speaks = lldpad_get_sent(l, port, &pdu, &quiet) && take_pdu(&pdu, &ret->local, &quiet);
	quiet = (struct err){ 0 };
	if (!lldpad_get_received(l, port, &pdu, &quiet))
		return;
	ret->source = "lldpad";
	ret->heard = take_pdu(&pdu, &ret->peer, &ret->garbled);
	ret->senders = 1;
	ret->stale = ret->heard && ret->peer.ttl_s == 0;
}

static void ask_lldpad_of_all(struct host *h, const struct peer_question *q, struct peer_seen *ret)
{
	struct lldpad l;
	struct err quiet = { 0 };

	if (!lldpad_open(h, &l, &quiet))
		return;
	for (size_t i = 0; i < q->count; i++)
		if (q->ports[i]->carrier)
			ask_lldpad(&l, q->ports[i]->id.name, &ret[i]);
}

/* What the wire adds to what lldpad said: another sender, or a first one. */
static void take_heard(const struct neighbours *n, struct peer_seen *ret)
{
	unsigned senders = neighbours_present(n);

	if (senders > ret->senders)
		ret->senders = senders;
	if (ret->heard || ret->garbled.kind != ERR_NONE)
		return;
	if (n->malformed && !n->count)
		ret->garbled = n->why;
	if (!n->count)
		return;
	ret->heard = true;
	ret->peer = n->list[0].said;
	ret->stale = ret->peer.ttl_s == 0;
}

/* The ports that are listened to, and where they stand among those asked for. */
struct ears {
	struct neighbours *wire;
	size_t *places, count;
};

static void free_ears(struct ears *e)
{
	free(e->wire);
	free(e->places);
}

/* Those whose peer lldpad does not know, or all with a link, to the end. */
static bool choose_ears(const struct peer_question *q, const struct peer_seen *ret, struct ears *e,
			struct err *err)
{
	e->wire = calloc(q->count + 1, sizeof(*e->wire));
	e->places = calloc(q->count + 1, sizeof(*e->places));
	if (!e->wire || !e->places)
		return err_set(err, ERR_SYSTEM, ENOMEM, "out of memory");
	for (size_t i = 0; i < q->count; i++) {
		if (!q->ports[i]->carrier || (ret[i].senders && !q->to_the_end))
			continue;
		e->places[e->count] = i;
		e->wire[e->count++].ifindex = q->ports[i]->ifindex;
	}
	return true;
}

static void tell_of_waiting(struct host *h, const struct peer_question *q, const struct ears *e)
{
	char others[48] = "";

	if (e->count > 1)
		snprintf(others, sizeof(others), "with %zu more, ", e->count - 1);
	host_tell(h, NOTICE_WAIT, q->ports[e->places[0]]->id.name,
		  "%slistening for the switch, %s%u s: most send every 30 s", others,
		  q->to_the_end ? "" : "up to ", q->wait_ms / 1000);
}

/* Only an interruption ends it; who may not listen is deaf, and says so. */
static bool listen_on_wire(struct host *h, const struct peer_question *q, struct ears *e,
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
	__attribute__((cleanup(free_ears))) struct ears e = { .count = 0 };
	struct err deaf = { 0 };

	for (size_t i = 0; i < q->count; i++)
		ret[i] = (struct peer_seen){ .source = "the wire",
					     .no_carrier = !q->ports[i]->carrier };
	ask_lldpad_of_all(h, q, ret);
	if (!choose_ears(q, ret, &e, err) || (e.count && !listen_on_wire(h, q, &e, &deaf, err)))
		return false;
	for (size_t i = 0; i < e.count; i++) {
		struct peer_seen *seen = &ret[e.places[i]];

		take_heard(&e.wire[i], seen);
		if (!seen->heard)
			seen->deaf = deaf;
	}
	return true;
}
