/* Writing a port's setup through an lldpad that would otherwise write over it. */
#ifndef LOSSLESSCTL_DCB_LLDPAD_CONFIGURE_H
#define LOSSLESSCTL_DCB_LLDPAD_CONFIGURE_H

#include "client.h"

/* Does an lldpad run that writes (without -R), over whatever is there? */
bool lldpad_writes_here(struct host *h);

/*
 * Does this lldpad take PFC from the switch? Unset is yes; one that only speaks, or
 * cannot set up this port, follows nobody.
 */
bool lldpad_follows(const struct lldpad *l, const char *port, bool *ret,
		    struct err *err) must_check;

/*
 * Does the switch say something else of PFC or ETS than is wanted? By what lldpad
 * heard last; what it does not say is not otherwise.
 */
bool lldpad_hears_otherwise(struct host *h, const struct port *port, const struct config *desired);

/* Takes nothing from the switch any more. */
bool lldpad_stop_following(const struct lldpad *l, const char *port, struct err *err) must_check;

/*
 * Tells lldpad what the port is to have of ETS and PFC, both: it writes them
 * together, and what it was not told of it sets to nothing. First of all whether
 * the port is willing.
 */
bool lldpad_tell(const struct lldpad *l, const char *port, const struct config *to, bool willing,
		 struct err *err) must_check;

/* Does the port have it yet? */
typedef bool arrived_fn(struct host *h, const struct port *port, const struct config *to, bool *ret,
			struct err *err);

/*
 * The same, not willing, and waits until the kernel has it: as long as lldpad
 * waits for a peer (15 s) and a little more. lldpad reads no answer of the kernel,
 * so that what a driver refused is found here (ERR_VERIFY). What was not to be had is
 * not left with lldpad: it is told what the port had before, if it can be.
 */
bool lldpad_write(struct host *h, const struct port *port, const struct config *from,
		  const struct config *to, arrived_fn *arrived, struct err *err) must_check;

#endif
