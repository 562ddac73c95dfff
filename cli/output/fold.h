/*
 * Folds reports of many ports: prints identical ones once, below the list of their ports.
 *
 * Collects the text that a verb prints for each port. Two ports are alike if their texts differ
 * only in the ports' own names and addresses, so this works for every verb's text, and if the
 * policy desires the same of them.
 */
#ifndef LOSSLESSCTL_CLI_OUTPUT_FOLD_H
#define LOSSLESSCTL_CLI_OUTPUT_FOLD_H

#include <stdio.h>

#include "../../policy/util/sanitize.h"
#include "../cli.h"

#define FOLD_FROM 3 /* the smallest group of ports that is folded */
#define OWN_MAX	  12

struct folded; /* a port and its text */

struct text {
	char *bytes;
	size_t used, room;
	bool incomplete; /* memory ran out, and text is missing */
};

struct fold {
	const struct cli *c;
	const struct port *port;		/* the port between fold_begin() and fold_end() */
	char name[ID_MAX * SANITIZED_CHAR_MAX]; /* the name of the port as printed */
	FILE *collector, *to;			/* stands in for standard output; the real one */
	struct folded *ports;
	size_t *first;
	size_t count;
	struct text printed, compared;
	struct own {
		const char *text, *instead;
	} own[OWN_MAX];
	size_t own_count;
	const struct config *desired;
	bool alone, last;
};

/*
 * Starts a report of at most `most` ports; the caller has set f->c. Without memory, prints each
 * port at once.
 */
void fold_open(struct fold *f, size_t most);

/*
 * Attributes all text on standard output to this port until fold_end(). Borrows `p` until
 * fold_print().
 */
void fold_begin(struct fold *f, const struct port *p);
void fold_end(struct fold *f);

/*
 * Declares, before fold_end(), `text` as specific to this port. A folded report prints `instead`.
 * Names and addresses in struct port are declared already. Borrows both until fold_end().
 */
void fold_own(struct fold *f, const char *text, const char *instead);

/*
 * Declares, before fold_end(), what the port should have: two ports are alike only if that is equal
 * as well, which texts such as "in sync" do not show. Borrows it until fold_print().
 */
void fold_desired(struct fold *f, const struct config *desired);

/*
 * Marks the port as failed, before fold_end(). It is never folded, and printed last if any ports
 * are.
 */
void fold_failed(struct fold *f);

/*
 * Prints the folded groups, then the other ports in their order. Never folds a port that the
 * command line names.
 */
void fold_print(struct fold *f);

void fold_close(struct fold *f);
#define _fold_ __attribute__((cleanup(fold_close)))

#endif
