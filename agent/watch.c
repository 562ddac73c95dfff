#include "watch.h"

#include <errno.h>
#include <stdlib.h>

struct scratch {
	uint64_t bytes[SCRATCH_BYTES / sizeof(uint64_t)]; /* aligned for the kernel's structs */
};

struct scratch *scratch_new(void)
{
	return malloc(sizeof(struct scratch));
}

void *scratch_bytes(struct scratch *s)
{
	return s->bytes;
}

bool sample_take(struct host *h, struct meters all, const struct port *port, struct scratch *s,
		 struct sample *ret, struct err *err)
{
	struct err first = { 0 };
	size_t read = 0;

	*ret = (struct sample){ .at_ms = h->now_ms(h) };
	for (size_t i = 0; i < all.count; i++) {
		struct err why = { 0 };
		bool ok = all.list[i]->read(h, port, s, ret, &why);

		read += ok;
		if (!ok && (!first.kind || why.kind == ERR_GONE))
			first = why;
		if (why.kind == ERR_GONE)
			break;
	}
	if (read && first.kind != ERR_GONE)
		return true;
	*err = first;
	return err_at(err, false, "%s: reading counters", port->id.name);
}

void watch_disturb(struct watched *w)
{
	w->disturbed = true;
}

/* How often the link went down, over a longer time than the rest is judged by. */
static void count_link_downs(struct watched *w, const struct interval *s, const struct limits *l)
{
	uint64_t now = w->last.at_ms;

	if (!w->link_since_ms ||
	    now - w->link_since_ms > (uint64_t)l->is[LIMIT_LINK_WINDOW_S] * 1000) {
		w->link_since_ms = w->first.at_ms;
		w->link_downs = 0;
	}
	if (!w->disturbed)
		w->link_downs += interval_count(s, COUNT_LINK_DOWNS, 0);
}

static void judge(struct watched *w, const struct config *have, const struct config *want,
		  const struct limits *l)
{
	struct interval s = interval_between(&w->first, &w->last);
	struct evidence e = { .interval = &s, .have = have, .want = want, .limits = l };

	count_link_downs(w, &s, l);
	e.link_downs = w->link_downs;
	e.steady = !w->disturbed && !s.restarted[FROM_ETHTOOL] &&
		   !interval_count(&s, COUNT_LINK_DOWNS, 0);
	w->complaints_count = symptoms_judge(&e, w->complaints);
	w->judged_ms = w->last.at_ms;
}

bool watch_add(struct watched *w, const struct sample *s, const struct config *have,
	       const struct config *want, const struct limits *l)
{
	w->last = *s;
	if (!w->begun) {
		w->first = *s;
		w->begun = true;
		return false;
	}
	if (w->last.at_ms - w->first.at_ms < (uint64_t)l->is[LIMIT_WINDOW_S] * 1000)
		return false;
	judge(w, have, want, l);
	w->first = w->last;
	w->disturbed = false;
	return true;
}
