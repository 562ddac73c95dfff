#include "sampler.h"

#include <stdio.h>
#include <stdlib.h>

#include "symptom.h"

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

/* True if the port has the counters; those of a bond's RDMA device are with another member. */
static bool failed_to_read(const struct counter_reader *r, const struct err *why)
{
	return why->kind != ERR_UNSUPPORTED && why->kind != ERR_ELSEWHERE && !r->is_extra;
}

bool sample_read(struct host *h, struct counter_readers all, const struct port *port,
		 struct scratch *s, struct sample *ret, struct err *err)
{
	struct err first = { 0 };
	size_t read = 0;

	*ret = (struct sample){ .at_ms = h->now_ms(h) };
	for (size_t i = 0; i < all.count; i++) {
		struct err why = { 0 };
		bool ok = false;

		if (port->no_interface && !all.list[i]->needs_no_interface)
			continue;
		ok = all.list[i]->read(h, port, s, ret, &why);
		read += ok;
		if (!ok && (!first.kind || why.kind == ERR_GONE))
			first = why;
		if (why.kind == ERR_GONE)
			break;
		if (!ok && failed_to_read(all.list[i], &why) && !ret->unread[0])
			snprintf(ret->unread, sizeof(ret->unread), "%s: %.100s", all.list[i]->name,
				 why.text);
	}
	if (read && first.kind != ERR_GONE)
		return true;
	*err = first;
	return err_in(err, "%s: reading counters", port->id.name);
}

void sampler_mark_inconclusive(struct sampled_port *w)
{
	w->inconclusive = true;
}

void sampler_begin_anew(struct sampled_port *w)
{
	w->begun = false;
	w->inconclusive = true;
}

bool sampler_link_changed(const struct sampled_port *w, const struct sample *s)
{
	static const enum counter_id signs[] = { COUNT_LINK_DOWNS, COUNT_CARRIER_DOWNS,
						 COUNT_CARRIER_UPS };

	for (size_t i = 0; w->begun && i < sizeof(signs) / sizeof(signs[0]); i++) {
		size_t slot = counter_slot(signs[i], 0);

		if (s->has[slot] && s->value[slot] != w->last.value[slot])
			return true;
	}
	return false;
}

/* Adds to the newest span, and starts a new one once that covers a sixteenth of the window. */
static void note_link_downs(struct link_history *l, uint64_t now, uint64_t downs, uint64_t window)
{
	if (downs && now > l->until_ms[l->newest]) {
		l->newest = (l->newest + 1) % LINK_SPANS;
		l->until_ms[l->newest] = now + window / LINK_SPANS;
		l->downs[l->newest] = 0;
	}
	if (downs)
		l->downs[l->newest] += downs;
}

/* The number of link downs within thresholds.link_down_window_s. */
static uint64_t recent_link_downs(const struct link_history *l, uint64_t now, uint64_t window)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < LINK_SPANS; i++)
		if (now < l->until_ms[i] + window)
			sum += l->downs[i];
	return sum;
}

static void check_window(struct sampled_port *w, const struct config *actual,
			 const struct config *desired, const struct thresholds *l)
{
	struct counter_delta s = counter_delta_between(&w->first, &w->last);
	struct symptom_input e = symptom_input_of(&s, actual, desired, l);
	uint64_t now = w->last.at_ms,
		 window = (uint64_t)l->value[THRESHOLD_LINK_DOWN_WINDOW_S] * 1000;
	bool inconclusive = w->inconclusive || w->first.unread[0] || w->last.unread[0];

	note_link_downs(&w->link, now, inconclusive ? 0 : e.link_downs, window);
	e.link_downs = recent_link_downs(&w->link, now, window);
	e.steady = e.steady && !inconclusive;
	w->active_symptoms_count =
		symptom_state_add(&w->symptoms, &e, w->active_symptoms, w->active_symptoms_count);
	w->checked_ms = w->last.at_ms;
}

bool sampler_add(struct sampled_port *w, const struct sample *s, const struct config *actual,
		 const struct config *desired, const struct thresholds *l)
{
	w->last = *s;
	if (!w->begun) {
		w->first = *s;
		w->begun = true;
		return false;
	}
	if (w->last.at_ms - w->first.at_ms < (uint64_t)l->value[THRESHOLD_WINDOW_S] * 1000)
		return false;
	check_window(w, actual, desired, l);
	w->first = w->last;
	w->inconclusive = false;
	return true;
}
