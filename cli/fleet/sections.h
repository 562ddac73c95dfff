/* The sections of the report: text and JSON print the same rows. */
#ifndef LOSSLESSCTL_CLI_FLEET_SECTIONS_H
#define LOSSLESSCTL_CLI_FLEET_SECTIONS_H

struct section {
	const char *key;   /* in JSON */
	const char *title; /* heading in the text */
	const char *empty; /* the line in place of an empty table; NULL: none */
	/* A table without which nothing is known, and the line that says so; NULL: there is none.
	 */
	const char *basis, *unknown;
	const char *more; /* where to read on, where the table is cut */
	/* As scope_prepare() takes it. The columns are keys of JSON, and headings. */
	const char *sql;
};

/* In the order of the report. The last row is all NULL. */
extern const struct section sections[];

#endif
