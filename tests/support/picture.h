/* A picture of `watch`, drawn without a terminal. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_PICTURE_H
#define LOSSLESSCTL_TESTS_SUPPORT_PICTURE_H

#include "cli/watch/screen.h"

#define PORTS_MAX 40

/* A picture, and its rows as a terminal without colours would have them. */
struct picture {
	struct live_port ports[PORTS_MAX];
	struct scene scene;
	char bytes[CANVAS_BYTES + 1];
	char rows[CANVAS_ROWS_MAX][3 * CANVAS_COLS_MAX + 1];
	size_t count;
};

/* A picture of a port. */
int picture_begin(void **s);

/* Draws the picture with this many columns and rows. */
void picture_draw(struct picture *p, unsigned cols, unsigned rows);

/* Frees the picture. */
int picture_end(void **s);

#endif
