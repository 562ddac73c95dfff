/* A buffer for one screen of text, written at once and clipped at the terminal's width. */
#ifndef LOSSLESSCTL_CLI_WATCH_SCREEN_BUFFER_H
#define LOSSLESSCTL_CLI_WATCH_SCREEN_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#define CANVAS_COLS_MAX 512
#define CANVAS_ROWS_MAX 256
#define CANVAS_BYTES	(CANVAS_ROWS_MAX * (CANVAS_COLS_MAX * 3 + 256))

/* Borrows CANVAS_BYTES bytes. Rows and columns are counted from 0. */
struct canvas {
	char *bytes;
	size_t used;
	unsigned cols, rows;
	unsigned column, row;
};

/*
 * Starts at the top left corner, over the old content. Clamps the size to CANVAS_COLS_MAX and
 * CANVAS_ROWS_MAX.
 */
void canvas_begin(struct canvas *c, char *bytes, unsigned cols, unsigned rows);

/* Appends text, clipped at the end of the line. */
void canvas_put(struct canvas *c, const char *text);

/* Appends text from outside and replaces every byte that is not printable ASCII by "?". */
void canvas_put_clean(struct canvas *c, const char *text);

/* Appends a colour sequence, which takes no columns. */
void canvas_style(struct canvas *c, const char *sequence);

/* Pads with blanks up to a column. Does nothing if the line is already that long. */
void canvas_to(struct canvas *c, unsigned column);

/* Ends the line and erases the rest of it. Ignores text below the last row. */
void canvas_line(struct canvas *c);

/* Ends all remaining lines. */
void canvas_end(struct canvas *c);

/* Returns how many rows are still empty. */
unsigned canvas_left(const struct canvas *c);

#endif
