/* `watch` without a screen: lines of text, or a JSON document on a line, for each sample. */
#ifndef LOSSLESSCTL_CLI_WATCH_LINES_H
#define LOSSLESSCTL_CLI_WATCH_LINES_H

#include "../output/table.h"
#include "columns.h"

/* The columns of lines, between the time and the symptoms: those that fit, by rank. */
struct watch_lines {
	struct table_column heads[COLUMNS_MAX + 2];
	const struct column *columns[COLUMNS_MAX];
	struct table table;
};

void watch_lines_free(struct watch_lines *l);
#define _watch_lines_ __attribute__((cleanup(watch_lines_free)))

/* Chooses the columns, and prints their names; in JSON nothing. */
void watch_lines_open(struct watch_lines *l, const struct cli *c);

/* Prints a sample of all ports: a line for each, or the document. `when` is its time. */
void watch_lines_print(struct watch_lines *l, const struct cli *c, const struct live *live,
		       const char *when);

#endif
