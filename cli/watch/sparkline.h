/* A sparkline: the last values of a series as a line of blocks of different heights. */
#ifndef LOSSLESSCTL_CLI_WATCH_SPARKLINE_H
#define LOSSLESSCTL_CLI_WATCH_SPARKLINE_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
