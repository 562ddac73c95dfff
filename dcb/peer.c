#include "peer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../agent/host/cleanup.h"
#include "../policy/util/oom.h"
#include "lldp/lldp.h"
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

/* Asks no hidden lldpad, and none after its first timeout, which takes seconds. */
static void read_all_from_lldpad(struct host *h, const struct peer_request *q,
				 struct peer_info *ret)
{
	struct lldpad l = { .h = h };
	struct err why = { 0 };

	if (!lldpad_open(h, &l, &why) && why.kind != ERR_UNKNOWN)
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

/* The ports to ask about, and the places in the list of targets where the answers belong. */
struct question {
	const struct port **ports;
	size_t *places, count;
	struct peer_info *answers;
};

static void free_question(struct question *q)
{
	free(q->ports);
	free(q->places);
	free(q->answers);
}

static bool make_question(struct question *q, const struct targets *all, bool only_asked,
			  struct err *err)
{
	q->ports = calloc(all->count + 1, sizeof(*q->ports));
	q->places = calloc(all->count + 1, sizeof(*q->places));
	q->answers = calloc(all->count + 1, sizeof(*q->answers));
	if (!q->ports || !q->places || !q->answers)
		return err_no_memory(err);
	for (size_t i = 0; i < all->count; i++) {
		if (only_asked && !all->list[i].must_agree)
			continue;
		q->ports[q->count] = &all->list[i].task.port;
		q->places[q->count++] = i;
	}
	return true;
}

static bool listen_for(struct host *h, const struct question *q, unsigned listen_s, struct err *err)
{
	const struct peer_request whole = {
		.ports = q->ports,
		.count = q->count,
		.wait_ms = listen_s ? listen_s * 1000 : PEER_WAIT_MS,
		.full_time = listen_s != 0,
	};

	return peers_read(h, &whole, q->answers, err);
}

bool compared_peers_find(struct host *h, const struct targets *all, bool only_asked,
			 unsigned listen_s, struct compared_peer **ret, struct err *err)
{
	__attribute__((cleanup(free_question))) struct question q = { .count = 0 };
	_free_ struct compared_peer *found = calloc(all->count + 1, sizeof(*found));

	if (!found)
		return err_no_memory(err);
	if (!make_question(&q, all, only_asked, err) || !listen_for(h, &q, listen_s, err))
		return false;
	assert(q.places && q.answers);
	for (size_t i = 0; i < q.count; i++) {
		const struct target *t = &all->list[q.places[i]];
		struct compared_peer *n = &found[q.places[i]];

		n->seen = q.answers[i];
		peer_compare_all(&t->task.desired, &t->seen.actual, &n->seen, t->must_agree,
				 n->agreed);
	}
	*ret = take(found);
	return true;
}

static struct peer peer_of(const struct compared_peer *n)
{
	struct peer peer = { .source = n->seen.source };

	if (n->seen.heard)
		peer.config = lldp_to_config(&n->seen.peer);
	for (enum agreement a = 0; a < AGREE_COUNT; a++) {
		const struct peer_comparison *g = &n->agreed[a];
		struct peer_agreement *p = &peer.agreed[a];

		p->status = g->peer_status;
		p->about = agreement_settings(a);
		p->fix = g->peer_reason ? g->peer_reason->fix : NULL;
		snprintf(p->why, sizeof(p->why), "%s", g->peer_reason ? g->text : "");
	}
	return peer;
}

struct peer *compared_peers_plain(const struct compared_peer *found, size_t count)
{
	struct peer *plain = oom_calloc(count + 1, sizeof(*plain));

	for (size_t i = 0; plain && i < count; i++)
		plain[i] = peer_of(&found[i]);
	return plain;
}

bool compared_peers_read(struct host *h, const struct targets *all, unsigned listen_s,
			 struct peer **ret, struct err *err)
{
	_free_ struct compared_peer *found = NULL;

	if (!compared_peers_find(h, all, true, listen_s, &found, err))
		return false;
	*ret = compared_peers_plain(found, all->count);
	return *ret || err_no_memory(err);
}
