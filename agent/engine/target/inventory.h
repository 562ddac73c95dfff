/* The ports of this host that losslessctl supports. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_INVENTORY_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_INVENTORY_H

#include "../engine.h"

/* Owned by the caller; inventory_free() frees. */
struct inventory {
	struct port *ports;
	size_t count;
	struct ignored_port *others;
	size_t others_count;
};

void inventory_free(struct inventory *i);
#define _inventory_ __attribute__((cleanup(inventory_free)))

/*
 * Lists the selected network ports that answer DCB or have an RDMA device, by these abilities and
 * not by their driver. A word that names no port is ERR_GONE.
 */
bool inventory_read(const struct engine *e, const struct selection *s, struct inventory *ret,
		    struct err *err) must_check;

/*
 * True if the port of a record is selected, by its names in the record, or by those that a port of
 * that name has now: the port may no longer exist.
 */
bool record_is_selected(const struct engine *e, const char *name, const char *pci);

#define EVERY_PORT (&(const struct selection){ NULL, 0 })

#endif
