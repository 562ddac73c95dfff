/* Writes a port's settings through lldpad, which would otherwise overwrite them. */
#ifndef LOSSLESSCTL_DCB_LLDPAD_CONFIGURE_H
#define LOSSLESSCTL_DCB_LLDPAD_CONFIGURE_H

#include "client.h"

/* True if an lldpad runs that writes to ports (without -R). */
bool lldpad_writes_here(struct host *h);

/*
 * True if this lldpad takes PFC from the switch: also if that is unset, but not if lldpad only
 * advertises or cannot configure this port.
 */
bool lldpad_follows(const struct lldpad *l, const char *port, bool *ret,
		    struct err *err) must_check;

/*
 * True if the switch last advertised PFC or ETS that differ from the desired settings. TLVs that it
 * does not send do not count.
 */
bool lldpad_switch_differs(struct host *h, const struct port *port, const struct config *desired);

/* Makes the port unwilling, so that it no longer follows the switch. */
bool lldpad_stop_following(const struct lldpad *l, const char *port, struct err *err) must_check;

/*
 * Sends lldpad both ETS and PFC: it writes them together, and clears what it was not sent. Whether
 * the port is willing is sent first.
 */
bool lldpad_send_settings(const struct lldpad *l, const char *port, const struct config *to,
			  bool willing, struct err *err) must_check;

/* Sets *ret if the port has the settings. */
typedef bool has_settings_fn(struct host *h, const struct port *port, const struct config *to,
			     bool *ret, struct err *err);

/*
 * The same for an unwilling port, and waits until the kernel has the settings: as long as lldpad
 * waits for a peer (15 s), and a little longer. lldpad reads no answer of the kernel, so a driver's
 * refusal only shows here (ERR_VERIFY). After a failure lldpad is sent the previous settings, if
 * possible.
 */
bool lldpad_write(struct host *h, const struct port *port, const struct config *from,
		  const struct config *to, has_settings_fn *has_settings,
		  struct err *err) must_check;

#endif
