/* The table of settings in the report of verify: status, setting, values and origin. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_VERIFY_VALUES_H
#define LOSSLESSCTL_CLI_OUTPUT_VERIFY_VALUES_H

#include "../../agent/engine/verify/verify_items.h"
#include "../cli.h"

/* Columns before the values: two blanks, the status, the name, and a blank behind each. */
#define STATUS_WIDTH 11

/* The widths of the columns of the name and the values. */
struct value_columns {
	int name, longest_name;
	int desired, actual, origin; /* desired 0: no row yet */
	bool has_origins; /* a column of origins fits; else they are printed below the rows */
};

/* Widens the columns for the row of a setting. */
void value_columns_fit(struct value_columns *w, const struct item *i);

/* Prints the headings. */
void print_value_headings(const struct cli *c, const struct value_columns *w);

/*
 * Prints the values and the origin of a setting, and a newline. Values that are too long for their
 * columns are printed one below the other.
 */
void print_values(const struct cli *c, const struct item *i, const struct value_columns *w,
		  const char *colour);

#endif
