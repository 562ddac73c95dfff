/* The ports of this host that losslessctl can speak of. */
#ifndef LOSSLESSCTL_CLI_INVENTORY_H
#define LOSSLESSCTL_CLI_INVENTORY_H

#include "cli.h"

/* Looks like a port, and is none of ours. */
struct passed_over {
	char name[ID_MAX];
	const char *why;
};

/* Owned by whoever asked for it; inventory_free() frees. */
struct inventory {
	struct port *ports;
	size_t count;
	struct passed_over *others;
	size_t others_count;
};

void inventory_free(struct inventory *i);
#define _inventory_ __attribute__((cleanup(inventory_free)))

/*
 * Lists the network ports that answer DCB or have an RDMA device, by what they
 * can do and not by their driver. The command line's words (naming.h) narrow it to
 * the ports that they name; a word that names none is ERR_GONE.
 */
bool inventory_take(struct cli *c, struct inventory *ret, struct err *err) must_check;

#endif
