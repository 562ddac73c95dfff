/* A curve in one line of text: the last values of something, each a block of some height. */
#ifndef LOSSLESSCTL_CLI_WATCH_SPARKLINE_H
#define LOSSLESSCTL_CLI_WATCH_SPARKLINE_H

#include <stdbool.h>
#include <stddef.h>

#define CURVE_MAX     256
#define SPARKLINE_MAX (3 * CURVE_MAX + 1) /* a block has three bytes */

/* The last values, the oldest of which makes room. Plain data; all zero is the beginning. */
struct curve {
	float at[CURVE_MAX]; /* a ring; NAN: not known */
	size_t next, count;
};

/* Adds the newest value; the oldest goes. */
void curve_add(struct curve *c, double value);

/*
 * Writes the last `width` values, the newest at the right: blocks from "▁" to
 * "█", or letters from "." to "@". Zero is the lowest; what is more than zero
 * is higher than that; what is not known, or was not yet, is blank. The highest
 * stands for `top`, or for the most that is shown if top is 0.
 */
const char *sparkline(const struct curve *c, size_t width, double top, bool utf8,
		      char buf[SPARKLINE_MAX]);

#endif
