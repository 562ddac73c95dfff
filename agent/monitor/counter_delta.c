#include "counter.h"

#define WRAPS_NEAR_END ((uint64_t)3 << 30) /* near 2^32 */
#define WRAPS_TO_BEGIN ((uint64_t)1 << 30)

static bool has_wrapped(const struct counter *c, uint64_t from, uint64_t to)
{
	return c->bits == 32 && from >= WRAPS_NEAR_END && to < WRAPS_TO_BEGIN;
}

/* The delta of a gauge is its last reading. */
static void compare_counter(struct counter_delta *s, size_t slot, const struct sample *from,
			    const struct sample *to)
{
	int prio;
	const struct counter *c = &counters[slot_counter(slot, &prio)];
	uint64_t a = from->value[slot], b = to->value[slot];

	s->known[slot] = true;
	s->latest[slot] = b;
	if (c->is_gauge)
		s->count[slot] = b;
	else if (b >= a)
		s->count[slot] = b - a;
	else if (has_wrapped(c, a, b))
		s->count[slot] = ((uint64_t)1 << c->bits) - a + b;
	else
		s->restarted[c->source] = true;
}

struct counter_delta counter_delta_between(const struct sample *from, const struct sample *to)
{
	struct counter_delta s = { .seconds = (double)(to->at_ms - from->at_ms) / 1000 };
	int prio;

	for (size_t i = 0; i < COUNTER_SLOTS; i++)
		if (from->has[i] && to->has[i])
			compare_counter(&s, i, from, to);
	for (size_t i = 0; i < COUNTER_SLOTS; i++)
		if (s.restarted[counters[slot_counter(i, &prio)].source]) {
			s.known[i] = false;
			s.count[i] = 0;
		}
	return s;
}

bool counter_delta_known(const struct counter_delta *s, enum counter_id id, unsigned prio)
{
	return s->known[counter_slot(id, prio)];
}

uint64_t counter_delta_count(const struct counter_delta *s, enum counter_id id, unsigned prio)
{
	size_t slot = counter_slot(id, prio);

	return s->known[slot] ? s->count[slot] : 0;
}

uint64_t counter_delta_latest(const struct counter_delta *s, enum counter_id id)
{
	size_t slot = counter_slot(id, 0);

	return s->known[slot] ? s->latest[slot] : 0;
}

double counter_delta_rate(const struct counter_delta *s, enum counter_id id)
{
	return s->seconds > 0 ? (double)counter_delta_count(s, id, 0) / s->seconds : 0;
}
