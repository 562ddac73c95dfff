#include "flight_samples.h"

#include <string.h>

_Static_assert(SYMPTOMS_MAX <= 32, "a bit for each in struct flight_sample");

void flight_begin(struct flight *f)
{
	memset(f, 0, sizeof(*f));
	for (size_t i = 0; i < FLIGHT_SAMPLES; i++)
		f->ring[i].sent_on = f->ring[i].received_on = ON_NONE;
}

void flight_interrupt(struct flight *f)
{
	f->begun = false;
}

/* The upper half of a float without its sign: 8 of the 23 digits of its fraction. */
#define LOWER_BITS 15

static uint16_t to_16_bits(double rate)
{
	float rounded = (float)rate;
	uint32_t bits;

	memcpy(&bits, &rounded, sizeof(bits));
	return (uint16_t)((bits + (1u << (LOWER_BITS - 1))) >> LOWER_BITS);
}

double flight_rate(const struct flight_sample *row, enum rate which)
{
	uint32_t bits = (uint32_t)row->rate[which] << LOWER_BITS;
	float rate;

	memcpy(&rate, &bits, sizeof(rate));
	return (double)rate;
}

struct rates flight_rates(const struct flight_sample *row)
{
	struct rates r = { .sent_on = row->sent_on, .received_on = row->received_on };

	for (size_t i = 0; i < RATE_COUNT; i++)
		r.value[i] = flight_rate(row, (enum rate)i);
	return r;
}

void flight_set_rates(struct flight_sample *row, const struct rates *r)
{
	for (size_t i = 0; i < RATE_COUNT; i++)
		row->rate[i] = to_16_bits(r->value[i]);
	row->sent_on = (int8_t)r->sent_on;
	row->received_on = (int8_t)r->received_on;
}

static uint16_t at_most_16_bits(uint64_t n)
{
	return n < UINT16_MAX ? (uint16_t)n : UINT16_MAX;
}

/* By the driver's counter, else by the kernel's: that one also counts an administrator's. */
static uint64_t link_downs(const struct counter_delta *s)
{
	bool known = counter_delta_known(s, COUNT_LINK_DOWNS, 0);

	return counter_delta_count(s, known ? COUNT_LINK_DOWNS : COUNT_CARRIER_DOWNS, 0);
}

/* Events are of all priorities, and errors of priority 0; kernels before 2026 lack events. */
static uint64_t watchdog_trips(const struct counter_delta *s)
{
	uint64_t first = counter_delta_count(s, COUNT_STORM_ERRORS, 0);
	uint64_t all = counter_delta_count(s, COUNT_STORM_EVENTS, 0);

	return all > first ? all : first;
}

static struct flight_sample row_of(const struct sample *from, const struct sample *to,
				   uint32_t raised)
{
	struct counter_delta s = counter_delta_between(from, to);
	struct rates r = rates_of(&s);
	uint64_t ms = to->at_ms - from->at_ms;
	struct flight_sample row = {
		.at_ms = to->at_ms,
		.interval_ms = ms < UINT32_MAX ? (uint32_t)ms : UINT32_MAX,
		.symptoms = raised,
		.link_downs = at_most_16_bits(link_downs(&s)),
		.watchdog_trips = at_most_16_bits(watchdog_trips(&s)),
	};

	flight_set_rates(&row, &r);
	return row;
}

static void push(struct flight *f, const struct flight_sample *row)
{
	f->newest = f->count ? (f->newest + 1) % FLIGHT_SAMPLES : 0;
	f->ring[f->newest] = *row;
	if (f->count < FLIGHT_SAMPLES)
		f->count++;
}

void flight_add(struct flight *f, const struct sample *s, uint32_t raised, bool at_once)
{
	uint64_t step = at_once ? 1 : FLIGHT_STEP_MS;
	struct flight_sample row;

	if (f->begun && s->at_ms - f->from.at_ms < step)
		return;
	if (f->begun) {
		row = row_of(&f->from, s, raised);
		push(f, &row);
	}
	f->from = *s;
	f->begun = true;
}

const struct flight_sample *flight_row(const struct flight *f, size_t i)
{
	size_t oldest = f->newest + FLIGHT_SAMPLES + 1 - f->count;

	return &f->ring[(oldest + i) % FLIGHT_SAMPLES];
}
