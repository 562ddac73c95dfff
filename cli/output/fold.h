/*
 * Reports of many ports: the ones that say the same are printed once, below the list of their
 * ports.
 *
 * The text that a verb prints of each port is collected. Two ports are alike when their texts
 * differ in nothing but the port's own names and addresses, so whatever a verb prints is compared.
 */
#ifndef LOSSLESSCTL_CLI_OUTPUT_FOLD_H
#define LOSSLESSCTL_CLI_OUTPUT_FOLD_H

#include <stdio.h>

#include "../../policy/util/sanitize.h"
#include "../cli.h"

#define FOLD_FROM 3 /* ports alike; fewer are printed one by one */
#define OWN_MAX	  12

struct folded; /* one port, and its text */

struct text {
	char *bytes;
	size_t used, room;
	bool incomplete; /* there was no memory for more */
};

struct fold {
	const struct cli *c;
	const struct port *port;		/* the port that is being printed */
	char name[ID_MAX * SANITIZED_CHAR_MAX]; /* its name, as it is printed */
	FILE *collector, *to; /* where standard output goes meanwhile, and the real one */
	struct folded *ports;
	size_t *first;
	size_t count;
	struct text printed, compared;
	struct own {
		const char *text, *instead;
	} own[OWN_MAX];
	size_t own_count;
	bool alone, last;
};

/* Begins a report of up to `most` ports; f->c is set. Without memory each port is printed at once.
 */
void fold_open(struct fold *f, size_t most);

/* Everything printed on standard output from here to fold_end() is about this port. */
void fold_begin(struct fold *f, const struct port *p);
void fold_end(struct fold *f);

/*
 * Between the two: `text` is the port's own, and other ports alike have another one there, for
 * which `instead` is printed. Names and addresses in struct port are known already. Borrows both.
 */
void fold_own(struct fold *f, const char *text, const char *instead);

/* Between the two: the port failed. It is printed by itself, behind all others if any are folded.
 */
void fold_failed(struct fold *f);

/* Prints the ports alike, then the others in their order. A port named on the command line is never
 * folded.
 */
void fold_print(struct fold *f);

void fold_close(struct fold *f);
#define _fold_ __attribute__((cleanup(fold_close)))

#endif
