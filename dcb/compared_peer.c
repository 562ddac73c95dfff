#include "compared_peer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "../agent/host/cleanup.h"
#include "../policy/util/oom.h"

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
