#include "counter.h"

#include <stdio.h>
#include <string.h>

#define WRAPS_NEAR_END ((uint64_t)3 << 30) /* near 2^32 */
#define WRAPS_TO_BEGIN ((uint64_t)1 << 30)

size_t counter_slot(enum counter_id id, unsigned prio)
{
	return id < COUNTERS_PER_PRIO ? id * PRIOS + prio
				      : COUNTERS_PER_PRIO * PRIOS + (id - COUNTERS_PER_PRIO);
}

enum counter_id slot_counter(size_t slot, int *ret_prio)
{
	if (slot < COUNTERS_PER_PRIO * PRIOS) {
		*ret_prio = (int)(slot % PRIOS);
		return (enum counter_id)(slot / PRIOS);
	}
	*ret_prio = -1;
	return (enum counter_id)(slot - COUNTERS_PER_PRIO * PRIOS + COUNTERS_PER_PRIO);
}

const char *counter_slot_name(size_t slot, char name[COUNTER_NAME_MAX])
{
	int prio;
	char *digit;

	snprintf(name, COUNTER_NAME_MAX, "%s", counters[slot_counter(slot, &prio)].name);
	digit = strchr(name, '#');
	if (digit)
		*digit = (char)('0' + prio);
	return name;
}

/* Compares with a row's name, in which '#' stands for the digit of a priority. */
static bool matches_name(const char *row, const char *name, size_t size, unsigned *ret_prio)
{
	size_t i;

	*ret_prio = 0;
	for (i = 0; i < size && row[i]; i++) {
		bool is_digit = name[i] >= '0' && name[i] < '0' + PRIOS;

		if (row[i] == '#' ? !is_digit : row[i] != name[i])
			return false;
		if (row[i] == '#')
			*ret_prio = (unsigned)(name[i] - '0');
	}
	return !row[i] && (i == size || !name[i]);
}

size_t slot_by_name(enum counter_source source, const char *name, size_t size)
{
	unsigned prio;

	for (unsigned id = 0; id < COUNTER_COUNT; id++)
		if (counters[id].source == source &&
		    matches_name(counters[id].name, name, size, &prio))
			return counter_slot(id, prio);
	return COUNTER_SLOTS;
}

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
