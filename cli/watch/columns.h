/* The columns of `watch`, one row each, for the screen and for lines of text. */
#ifndef LOSSLESSCTL_CLI_WATCH_COLUMNS_H
#define LOSSLESSCTL_CLI_WATCH_COLUMNS_H

#include "live.h"

#define COLUMN_CELL_MAX 24
#define COLUMNS_MAX	24

enum column_curve { CURVE_NONE, CURVE_PAUSE, CURVE_CNP };

struct column {
	const char *name;  /* in lines of text; NULL: omitted there */
	const char *group; /* the heading above this column and the ones that follow; or NULL */
	const char *head;
	unsigned width;
	unsigned rank; /* on a narrow screen the column with rank 1 is dropped last */
	bool left;
	enum column_curve curve; /* widened to the remaining space */
	void (*write)(const struct column *c, const struct live_port *p,
		      char cell[COLUMN_CELL_MAX]);
	enum rate rate;
};

extern const struct column columns[];
extern const size_t columns_count;

/* The width of each column, in characters; 0: hidden. */
struct widths {
	unsigned of[COLUMNS_MAX];
};

/*
 * Returns the widths for a screen of `cols` columns; `name` is the length of the longest port name.
 */
struct widths columns_fit(unsigned cols, unsigned name);

/* Writes "-" for NAN, else "0", "0.4", "12", "340", "5.6k", "78M": at most five characters. */
const char *columns_number(double value, char cell[COLUMN_CELL_MAX]);

/*
 * Writes a rate in this way; of pause with its priority: "85%p3", "85%all" for global pause, or
 * "0".
 */
const char *columns_rate(const struct rates *f, enum rate rate, char cell[COLUMN_CELL_MAX]);

#endif
