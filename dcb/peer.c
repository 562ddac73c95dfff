#include "peer.h"

#include <errno.h>
#include <stdlib.h>

#include "../agent/cleanup.h"
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

static void ask_lldpad_of_all(struct host *h, const struct port *const *ports, size_t count,
			      struct peer_seen *ret)
{
	struct lldpad l;
	struct err quiet = { 0 };

	if (!lldpad_open(h, &l, &quiet))
		return;
	for (size_t i = 0; i < count; i++)
		if (ports[i]->carrier)
			ask_lldpad(&l, ports[i]->id.name, &ret[i]);
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

static void tell_of_waiting(struct host *h, const struct port *const *ports, size_t count,
			    unsigned wait_ms)
{
	if (count == 1)
		host_tell(h, NOTICE_WAIT, ports[0]->id.name,
			  "listening for the switch, up to %u s: most send every 30 s",
			  wait_ms / 1000);
	else
		host_tell(
			h, NOTICE_WAIT, ports[0]->id.name,
			"and %zu more: listening for the switch, up to %u s: most send every 30 s",
			count - 1, wait_ms / 1000);
}

/* Only an interruption ends it; who may not listen is deaf, and says so. */
static bool listen_on(struct host *h, struct neighbours *wire, size_t count, unsigned wait_ms,
		      unsigned enough, struct err *deaf, struct err *err)
{
	if (neighbours_hear(h, wire, count, wait_ms, enough, deaf))
		return true;
	if (deaf->kind != ERR_INTERRUPTED)
		return true;
	*err = *deaf;
	return false;
}

/* Ports whose peer lldpad does not know, or all with a link, to the end. */
static bool listen_to_all(struct host *h, const struct port *const *ports, size_t count,
			  unsigned wait_ms, bool to_the_end, struct peer_seen *ret, struct err *err)
{
	_free_ struct neighbours *wire = calloc(count + 1, sizeof(*wire));
	_free_ const struct port **whom = calloc(count + 1, sizeof(*whom));
	_free_ size_t *places = calloc(count + 1, sizeof(*places));
	struct err deaf = { 0 };
	size_t n = 0;

	if (!wire || !whom || !places)
		return err_set(err, ERR_SYSTEM, ENOMEM, "out of memory");
	for (size_t i = 0; i < count; i++) {
		if (!ports[i]->carrier || (ret[i].senders && !to_the_end))
			continue;
		places[n] = i;
		whom[n] = ports[i];
		wire[n++].ifindex = ports[i]->ifindex;
	}
	if (n)
		tell_of_waiting(h, whom, n, wait_ms);
	if (n && !listen_on(h, wire, n, wait_ms, to_the_end ? 0 : 1, &deaf, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		take_heard(&wire[i], &ret[places[i]]);
		if (!ret[places[i]].heard)
			ret[places[i]].deaf = deaf;
	}
	return true;
}

bool peers_look(struct host *h, const struct port *const *ports, size_t count, unsigned wait_ms,
		bool to_the_end, struct peer_seen *ret, struct err *err)
{
	for (size_t i = 0; i < count; i++)
		ret[i] = (struct peer_seen){ .source = "the wire",
					     .no_carrier = !ports[i]->carrier };
	ask_lldpad_of_all(h, ports, count, ret);
	return listen_to_all(h, ports, count, wait_ms, to_the_end, ret, err);
}
