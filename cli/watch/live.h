/* Ports as they are watched: round after round of samples, and what they come to. */
#ifndef LOSSLESSCTL_CLI_WATCH_LIVE_H
#define LOSSLESSCTL_CLI_WATCH_LIVE_H

#include "../../agent/monitor/rates.h"
#include "../../agent/monitor/sampler.h"
#include "sparkline.h"

struct cli;

/* One port. Plain data. */
struct live_port {
	struct port port;
	bool gone;     /* it was there, and may come back */
	bool measured; /* there are two samples, and what is between them is in `last` */
	struct sampled_port sampler;
	struct config actual;
	struct counter_delta last;
	struct rates now;
	struct curve pause, cnp; /* percent of the time; CNPs a second, sent and handled */
};

/* Owned by whoever asked for it; live_close() frees. */
struct live {
	struct live_port *ports;
	size_t count;
	unsigned interval_s;
	double seconds; /* between the last two rounds */
	struct thresholds thresholds;
	struct scratch *scratch;
	struct observation *seen;
	uint64_t round_ms, looked_ms;
};

/* Finds the ports that the command line names, or all, and takes the first samples. */
bool live_open(struct live *l, struct cli *c, struct err *err) must_check;
void live_close(struct live *l);
#define _live_ __attribute__((cleanup(live_close)))

/*
 * One round of samples, which costs no allocation. Every few seconds, and when
 * a port is missed, it looks around for ports that came, went or were set up
 * otherwise. What cannot be read is not known; that is no failure.
 */
void live_round(struct live *l, struct cli *c);

#endif
