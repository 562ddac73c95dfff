/*
 * Folds reports of many ports: prints identical ones once, below the list of their ports.
 *
 * Two ports are alike if what a verb prints of them differs only in the ports' own names and
 * addresses, and if the policy desires the same of them. Nothing printed can differ unseen.
 */
#ifndef LOSSLESSCTL_CLI_OUTPUT_FOLD_H
#define LOSSLESSCTL_CLI_OUTPUT_FOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "../../agent/engine/verify/compare_ports.h"
#include "../cli.h"

#define FOLD_FROM 3 /* the smallest group of ports that is folded */
#define OWN_MAX	  12

/* A word that is specific to a port, and what a folded report prints instead; "": there is none. */
struct own {
	const char *text, *instead;
};

#define OWN_OF_PORT 4 /* name, PCI address, RDMA device, MAC */

/* Lists the names and addresses of a port. */
void own_of_port(const struct identity *id, struct own ret[OWN_OF_PORT]);

/* True if two texts differ only in their own words, which are the same ones of both lists. */
bool is_alike_but_own(const char *a, const struct own *own_a, const char *b,
		      const struct own *own_b, size_t count);

struct fold {
	const struct cli *c;
	struct cli into;      /* prints into the text of the last port */
	struct folded *ports; /* NULL: no memory, each port is printed at once */
	size_t *first;
	size_t count;
};

/* Starts a report of at most `most` ports; the caller has set f->c. */
void fold_open(struct fold *f, size_t most);

/*
 * Starts the report of a port, which is printed with the returned context until fold_end(). Borrows
 * `p` until fold_print().
 */
const struct cli *fold_begin(struct fold *f, const struct port *p);
void fold_end(struct fold *f);

/*
 * Declares, before fold_end(), `text` as specific to this port. Names and addresses in struct port
 * are declared already. Borrows both until fold_print().
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

/* True if the entries `a` and `b` of `all` are equal. */
typedef bool (*equal_entries)(const void *all, size_t a, size_t b);

/* Fills ret_first[i] with the index of the first of the `count` entries that equals entry i. */
void groups_find(const void *all, size_t count, equal_entries equal, size_t *ret_first);

/* Returns the number of entries in the group of entry i. */
size_t group_size(const size_t *first, size_t count, size_t i);

/* Returns [{setting, values: {PORT: VALUE}}] of those settings; the caller owns it. */
json_t *port_differences_to_json(const struct setup *setups, size_t count);

/*
 * Prints that all ports are alike, or a line for each setting that differs; nothing for a single
 * port.
 */
void print_port_differences(const struct cli *c, const struct setup *setups, size_t count);

#endif
