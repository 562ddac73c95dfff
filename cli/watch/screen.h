/* The picture of `watch` on a screen: a header, one row per port, and the symptoms in words. */
#ifndef LOSSLESSCTL_CLI_WATCH_SCREEN_H
#define LOSSLESSCTL_CLI_WATCH_SCREEN_H

#include "../cli.h"
#include "live.h"
#include "screen_buffer.h"

/* What is to be seen. All of it is borrowed. */
struct scene {
	const struct live_port *ports;
	size_t count;
	unsigned interval_s;
	const char *host, *time;
	const struct style *style;
};

/*
 * Draws it from a begun canvas' first row to its last. Rows that do not fit
 * are counted: "… N more ports".
 */
void frame_draw(const struct scene *s, struct canvas *c);

#endif
