/* What two samples of a port come to, in the units that people think in. */
#ifndef LOSSLESSCTL_CLI_FIGURES_H
#define LOSSLESSCTL_CLI_FIGURES_H

#include "../agent/counter.h"

enum figure {
	FIGURE_PAUSE_SENT, /* percent of the time, of the worst priority or of global pause */
	FIGURE_PAUSE_RECEIVED,
	FIGURE_CNP_SENT, /* these and the following each second */
	FIGURE_CNP_HANDLED,
	FIGURE_CNP_IGNORED,
	FIGURE_ECN_MARKED,
	FIGURE_RDMA_RECEIVED, /* Gb/s */
	FIGURE_RDMA_SENT,
	FIGURE_RDMA_PACKETS_RECEIVED,
	FIGURE_RDMA_PACKETS_SENT,
	FIGURE_DROPS,
	FIGURE_OUT_OF_ORDER,
	FIGURE_PFC_SENT,
	FIGURE_PFC_RECEIVED,
	FIGURE_LINK_ERRORS, /* damaged on arrival, by the counter that rose most */
	FIGURE_PCI_STALLED, /* percent of the last second, the worse of reading and writing */
	FIGURE_COUNT
};

/* The keys of --json. */
extern const char *const figure_keys[FIGURE_COUNT];

#define ON_NONE (-1)	/* no pause at all, or not known */
#define ON_ALL	(PRIOS) /* global pause */

struct figures {
	double is[FIGURE_COUNT];  /* NAN: a counter of it is absent */
	int sent_on, received_on; /* the priority that was paused most, ON_NONE or ON_ALL */
};

/* What happened in an interval, in the units that people read. */
struct figures figures_of(const struct interval *s);

/* Of two figures the larger; of one that is NAN the other. */
double figure_larger(double a, double b);

/* Those of a port that cannot be read: all NAN. */
struct figures figures_unknown(void);

#endif
