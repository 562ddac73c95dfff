/* The configuration of the ports as `show` reports it, and its document, which `bundle` holds. */
#ifndef LOSSLESSCTL_CLI_VERBS_SHOW_DOCUMENT_H
#define LOSSLESSCTL_CLI_VERBS_SHOW_DOCUMENT_H

#include <jansson.h>

#include "../../agent/engine/observe.h"
#include "../../agent/engine/target/inventory.h"
#include "../../agent/engine/verify/setups.h"
#include "../../roce/gid.h"
#include "../cli.h"

/* One port as it was read. Plain data; borrows the port from the inventory. */
struct shown_port {
	const struct port *port;
	struct observation seen;
	struct capabilities capabilities;
	struct gid_list gids;
	struct owner owner;
	bool has_owner; /* false: the DCBX owner is unknown */
};

/* Reads a port. Fails if the port is gone. */
bool show_read_port(struct cli *c, const struct port *p, struct shown_port *ret,
		    struct err *err) must_check;

/* Returns the settings of all ports, to compare them; the caller frees it. NULL: out of memory. */
struct setup *shown_setups(const struct inventory *inv, const struct shown_port *shown);

/*
 * Returns losslessctl/show/1: everything that judging a policy offline needs of a host. The caller
 * owns it. NULL: the kernel does not answer.
 */
json_t *show_to_json(const struct cli *c, const struct inventory *inv,
		     const struct shown_port *shown, struct err *err);

#endif
