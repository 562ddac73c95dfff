/* Draws the screen of `watch`: a header, one row per port, and the symptoms as text. */
#ifndef LOSSLESSCTL_CLI_WATCH_SCREEN_H
#define LOSSLESSCTL_CLI_WATCH_SCREEN_H

#include "../cli.h"
#include "live.h"
#include "screen_buffer.h"

/* The content of one screen. All pointers are borrowed. */
struct scene {
	const struct live_port *ports;
	size_t count;
	unsigned interval_s;
	const char *host, *time;
	const struct style *style;
};

/*
 * Draws all rows of a screen buffer that screen_buffer_start() started. Counts rows that do not
 * fit: "… N more ports".
 */
void frame_draw(const struct scene *s, struct screen_buffer *c);

#endif
