/* The ports that `watch` monitors: samples, rates and symptoms, updated once a round. */
#ifndef LOSSLESSCTL_CLI_WATCH_LIVE_H
#define LOSSLESSCTL_CLI_WATCH_LIVE_H

#include "../../agent/monitor/rates.h"
#include "../../agent/monitor/sampler.h"
#include "sparkline.h"

struct cli;

/* One monitored port. Owns no memory. */
struct live_port {
	struct port port;
	bool gone;     /* the port is missing and may return */
	bool measured; /* two samples exist, and `last` is their difference */
	struct sampled_port sampler;
	struct config actual;
	struct counter_delta last;
	struct rates now;
	struct curve pause, cnp; /* percent of the time; CNPs sent and handled per second */
};

/* All monitored ports. The caller owns the struct and frees it with live_close(). */
struct live {
	struct live_port *ports;
	size_t count;
	unsigned interval_s;
	double seconds; /* between the last two rounds */
	struct thresholds thresholds;
	struct scratch *scratch;
	struct observation *seen;
	uint64_t round_ms, listed_ms;
};

/*
 * Finds the ports that the command line names, or all, and takes the first samples. Fails with
 * ERR_GONE if there is no port.
 */
bool live_open(struct live *l, struct cli *c, struct err *err) must_check;
void live_close(struct live *l);
#define _live_ __attribute__((cleanup(live_close)))

/*
 * Takes one round of samples without allocating memory. Every few seconds, and sooner while a port
 * is missing, it scans for ports that were added, removed or reconfigured. Values that cannot be
 * read are unknown; that is not an error.
 */
void live_round(struct live *l, struct cli *c);

#endif
