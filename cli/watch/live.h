/* The ports that `watch` monitors: samples, rates and symptoms, updated once a round. */
#ifndef LOSSLESSCTL_CLI_WATCH_LIVE_H
#define LOSSLESSCTL_CLI_WATCH_LIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "../../agent/monitor/rates.h"
#include "../../agent/monitor/sampler.h"

/* ---- sparklines ---- */

/* A sparkline: the last values of a series as a line of blocks of different heights. */

#define CURVE_MAX     256
#define SPARKLINE_MAX (3 * CURVE_MAX + 1) /* a block is three bytes of UTF-8 */

/* The last CURVE_MAX values. Owns no memory; all zero is empty. */
struct curve {
	float at[CURVE_MAX]; /* a ring buffer; NAN: unknown */
	size_t next, count;
};

/* Adds the newest value and drops the oldest one if the ring is full. */
void curve_add(struct curve *c, double value);

/*
 * Writes the last `width` values, the newest at the right, as blocks from "▁" to "█" or, without
 * UTF-8, as characters from "." to "@". Zero is the lowest level and only zero uses it. Unknown and
 * missing values are blank. The highest level stands for `top`; if top is 0, for the largest value
 * shown. Returns buf.
 */
const char *sparkline(const struct curve *c, size_t width, double top, bool utf8,
		      char buf[SPARKLINE_MAX]);

/* ---- live ---- */

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
