/* A screen's worth of text that is written in one go: lines that end where the terminal does. */
#ifndef LOSSLESSCTL_CLI_WATCH_SCREEN_BUFFER_H
#define LOSSLESSCTL_CLI_WATCH_SCREEN_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#define CANVAS_COLS_MAX 512
#define CANVAS_ROWS_MAX 256
#define CANVAS_BYTES	(CANVAS_ROWS_MAX * (CANVAS_COLS_MAX * 3 + 256))

/* The bytes are borrowed: as many as CANVAS_BYTES. Rows and columns are counted from 0. */
struct canvas {
	char *bytes;
	size_t used;
	unsigned cols, rows;
	unsigned column, row;
};

/* Begins at the top left corner, over what is there. A size beyond reason is cut. */
void canvas_begin(struct canvas *c, char *bytes, unsigned cols, unsigned rows);

/* Puts text down, as far as the line goes. */
void canvas_put(struct canvas *c, const char *text);

/* The same for what comes from outside: each byte but plain letters is a "?". */
void canvas_put_clean(struct canvas *c, const char *text);

/* A colour, which takes no room. */
void canvas_style(struct canvas *c, const char *sequence);

/* Blanks up to a column; nothing where the line is there already. */
void canvas_to(struct canvas *c, unsigned column);

/* Ends the line; what a terminal has behind it is erased. Nothing is put below the last row. */
void canvas_line(struct canvas *c);

/* Ends all lines that are left. */
void canvas_end(struct canvas *c);

/* Rows that nothing was put on yet. */
unsigned canvas_left(const struct canvas *c);

#endif
