/* What two samples of a port come to, in the units that people think in. */
#ifndef LOSSLESSCTL_AGENT_MONITOR_RATES_H
#define LOSSLESSCTL_AGENT_MONITOR_RATES_H

#include "counter.h"

enum rate {
	RATE_PAUSE_SENT, /* percent of the time, of the worst priority or of global pause */
	RATE_PAUSE_RECEIVED,
	RATE_CNP_SENT, /* these and the following each second */
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
	RATE_PCI_STALLED, /* percent of the last second, the worse of reading and writing */
	RATE_COUNT
};

/* The keys of --json. */
extern const char *const rate_keys[RATE_COUNT];

#define ON_NONE (-1)	/* no pause at all, or not known */
#define ON_ALL	(PRIOS) /* global pause */

struct rates {
	double value[RATE_COUNT]; /* NAN: a counter of it is absent */
	int sent_on, received_on; /* the priority that was paused most, ON_NONE or ON_ALL */
};

/* What happened in an interval, in the units that people read. */
struct rates rates_of(const struct interval *s);

/* Of two rates the larger; of one that is NAN the other. */
double rate_larger(double a, double b);

/* Those of a port that cannot be read: all NAN. */
struct rates rates_unknown(void);

#endif
