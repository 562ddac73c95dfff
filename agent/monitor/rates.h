/* Rates of a port between two samples, in common units. */
#ifndef LOSSLESSCTL_AGENT_MONITOR_RATES_H
#define LOSSLESSCTL_AGENT_MONITOR_RATES_H

#include <jansson.h>

#include "counter.h"

enum rate {
	RATE_PAUSE_SENT, /* percent of the time, for the worst priority or global pause */
	RATE_PAUSE_RECEIVED,
	RATE_CNP_SENT, /* per second, like those below unless stated */
	RATE_CNP_HANDLED,
	RATE_CNP_IGNORED,
	RATE_ECN_MARKED,
	RATE_RDMA_RECEIVED, /* Gb/s */
	RATE_RDMA_SENT,
	RATE_RDMA_PACKETS_RECEIVED,
	RATE_RDMA_PACKETS_SENT,
	RATE_DROPS,
	RATE_OUT_OF_ORDER,
	RATE_PFC_SENT,
	RATE_PFC_RECEIVED,
	RATE_LINK_ERRORS, /* damaged on arrival, by the counter that rose most */
	RATE_PCI_STALLED, /* percent of the last second, for reads or writes, whichever is worse */
	RATE_COUNT
};

/* Keys in --json. */
extern const char *const rate_keys[RATE_COUNT];

#define ON_NONE (-1)	/* no pause, or unknown */
#define ON_ALL	(PRIOS) /* global pause */

struct rates {
	double value[RATE_COUNT]; /* NAN: its counters are absent */
	int sent_on, received_on; /* the priority paused most, ON_NONE or ON_ALL */
};

/* The rates between the two samples of a delta. */
struct rates rates_of(const struct counter_delta *s);

/* The larger of two rates; if one is NAN, the other. */
double rate_larger(double a, double b);

/* Rates of an unreadable port: all NAN. */
struct rates rates_unknown(void);

/* Rates as numbers of JSON documents. */

/* Significant digits of numbers in JSON: exact thousandths below 10^9, integers below 10^12. */
#define JSON_DIGITS 12

/* Returns the value rounded to a thousandth, or null for NAN. The caller owns it. */
json_t *rates_number(double value);

/* Adds each rate under its key, and the priorities that were paused most. */
void rates_to_json(json_t *object, const struct rates *f);

/* Reads the rates that rates_to_json() added. False: one is missing, negative or no number. */
bool rates_from_json(const json_t *object, struct rates *ret);

#endif
