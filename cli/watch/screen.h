/* Draws the screen of `watch`: a header, one row per port, and the symptoms as text. */
#ifndef LOSSLESSCTL_CLI_WATCH_SCREEN_H
#define LOSSLESSCTL_CLI_WATCH_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "../cli.h"
#include "live.h"

#define CANVAS_COLS_MAX 512
#define CANVAS_ROWS_MAX 256
#define CANVAS_BYTES	(CANVAS_ROWS_MAX * (CANVAS_COLS_MAX * 3 + 256))

/* Borrows CANVAS_BYTES bytes. Rows and columns are counted from 0. */
struct screen_buffer {
	char *bytes;
	size_t used;
	unsigned cols, rows;
	unsigned column, row;
};

/*
 * Starts at the top left corner, over the old content. Clamps the size to CANVAS_COLS_MAX and
 * CANVAS_ROWS_MAX.
 */
void screen_buffer_start(struct screen_buffer *c, char *bytes, unsigned cols, unsigned rows);

/* Appends text, clipped at the end of the line. */
void screen_buffer_put(struct screen_buffer *c, const char *text);

/* Appends text from outside and replaces every byte that is not printable ASCII by "?". */
void screen_buffer_put_clean(struct screen_buffer *c, const char *text);

/* Appends a colour sequence, which takes no columns. */
void screen_buffer_style(struct screen_buffer *c, const char *sequence);

/* Pads with blanks up to a column. Does nothing if the line is already that long. */
void screen_buffer_to(struct screen_buffer *c, unsigned column);

/* Ends the line and erases the rest of it. Ignores text below the last row. */
void screen_buffer_line(struct screen_buffer *c);

/* Ends all remaining lines. */
void screen_buffer_end(struct screen_buffer *c);

/* Returns how many rows are still empty. */
unsigned screen_buffer_left(const struct screen_buffer *c);

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
