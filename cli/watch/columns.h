/* The table of `watch`: one row per column, for the screen and for lines. */
#ifndef LOSSLESSCTL_CLI_WATCH_COLUMNS_H
#define LOSSLESSCTL_CLI_WATCH_COLUMNS_H

#include "live.h"

#define COLUMN_CELL_MAX 24
#define COLUMNS_MAX	24

enum column_curve { CURVE_NONE, CURVE_PAUSE, CURVE_CNP };

struct column {
	const char *name;  /* in lines; NULL: it is not in lines */
	const char *group; /* above its heading on the screen, and those that follow; or NULL */
	const char *head;
	unsigned width;
	unsigned rank; /* where there is no room for all: 1 is the last to go */
	bool left;
	enum column_curve curve; /* takes what room is left */
	void (*write)(const struct column *c, const struct live_port *p,
		      char cell[COLUMN_CELL_MAX]);
	enum rate rate;
};

extern const struct column columns[];
extern const size_t columns_count;

/* How wide each column is; 0: there is no room for it. */
struct widths {
	unsigned of[COLUMNS_MAX];
};

/* Chooses the columns for a screen of so many, where the longest name of a port has `name`. */
struct widths columns_fit(unsigned cols, unsigned name);

/* "-" for NAN, else "0", "0.4", "12", "340", "5.6k", "78M": never more than five letters. */
const char *columns_number(double value, char cell[COLUMN_CELL_MAX]);

#endif
