#include "peer_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "print.h"

/* Who is asked about, and where the answers belong. */
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

static bool make_question(struct question *q, const struct targets *all,
			  bool (*asked)(const struct target *t), struct err *err)
{
	q->ports = calloc(all->count + 1, sizeof(*q->ports));
	q->places = calloc(all->count + 1, sizeof(*q->places));
	q->answers = calloc(all->count + 1, sizeof(*q->answers));
	if (!q->ports || !q->places || !q->answers)
		return err_no_memory(err);
	for (size_t i = 0; i < all->count; i++) {
		if (asked && !asked(&all->list[i]))
			continue;
		q->ports[q->count] = &all->list[i].task.port;
		q->places[q->count++] = i;
	}
	return true;
}

static bool ask(struct cli *c, const struct question *q, struct err *err)
{
	const struct peer_request whole = {
		.ports = q->ports,
		.count = q->count,
		.wait_ms = c->opt.listen_s ? c->opt.listen_s * 1000 : PEER_WAIT_MS,
		.full_time = c->opt.listen_s != 0,
	};

	return peers_read(c->h, &whole, q->answers, err);
}

bool counterparts_find(struct cli *c, const struct targets *all,
		       bool (*asked)(const struct target *t), struct counterpart **ret,
		       struct err *err)
{
	__attribute__((cleanup(free_question))) struct question q = { .count = 0 };
	struct counterpart *found = calloc(all->count + 1, sizeof(*found));

	if (!found || !make_question(&q, all, asked, err) || !ask(c, &q, err)) {
		free(found);
		return err_no_memory(err);
	}
	for (size_t i = 0; i < q.count; i++) {
		const struct target *t = &all->list[q.places[i]];
		struct counterpart *n = &found[q.places[i]];

		n->seen = q.answers[i];
		peer_compare_all(&t->task.desired, &t->seen.actual, &n->seen, t->must_agree,
				 n->agreed);
	}
	*ret = found;
	return true;
}

static json_t *text_or_null(const char *text)
{
	return text[0] ? json_from_text(text) : json_null();
}

json_t *counterpart_to_json(const struct peer_info *s)
{
	if (!s->heard)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:i, s:i}", "chassis", text_or_null(s->peer.chassis),
			 "port", text_or_null(s->peer.port), "system", text_or_null(s->peer.system),
			 "port_description", text_or_null(s->peer.port_description), "ttl_s",
			 (int)s->peer.ttl_s, "senders", (int)s->senders);
}

static void print_bold(const struct cli *c, const char *text)
{
	fputs(c->out.bold, stdout);
	print_clean(stdout, text);
	fputs(c->out.reset, stdout);
}

/* Its name where it has one, else its chassis; both ports' names are what people look for. */
void print_counterpart(const struct cli *c, const struct peer_info *s)
{
	if (!s->heard)
		return;
	print_bold(c, s->peer.system[0] ? s->peer.system : s->peer.chassis);
	if (s->peer.system[0])
		print_outside(stdout, " (%s)", s->peer.chassis);
	fputs(", port ", stdout);
	print_bold(c, s->peer.port);
	if (s->peer.port_description[0])
		print_outside(stdout, " (%s)", s->peer.port_description);
	printf("%s, heard %s %s%s", c->out.dim, strcmp(s->source, "wire") == 0 ? "on the" : "by",
	       s->source, c->out.reset);
}
