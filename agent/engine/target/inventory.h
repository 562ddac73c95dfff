/* The ports of this host that losslessctl can speak of. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_INVENTORY_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_INVENTORY_H

#include "../engine.h"

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
 * can do and not by their driver, and keeps those that are selected; a word that names none is
 * ERR_GONE.
 */
bool inventory_take(const struct engine *e, const struct selection *s, struct inventory *ret,
		    struct err *err) must_check;

#define EVERY_PORT (&(const struct selection){ NULL, 0 })

#endif
