/*
 * lldpad's configuration file, as text: one port's section is written, taken
 * out and put back. No file is opened here; each result is the caller's to
 * free. Comments are lost, as they are whenever lldpad writes.
 */
#ifndef LOSSLESSCTL_DCB_LLDPAD_CONFIG_TEXT_H
#define LOSSLESSCTL_DCB_LLDPAD_CONFIG_TEXT_H

#include "../../policy/util/err.h"

struct config;

/*
 * The file with the port's section such that lldpad -R advertises what `says`
 * has; a TLV of which it has not all is not sent. Where says->dcbx.advertise is
 * false the port falls silent. "" is a file yet to be made; beside that, nothing
 * tells a whole file from one that lldpad is just writing. A willing port says
 * under -R that it has what its neighbour recommends, whatever it has.
 * Errors: ERR_UNKNOWN: it is no such file, or includes others; ERR_UNSUPPORTED:
 * lldpad cannot store a port of this name, or the shares do not add up to 100.
 */
bool lldpad_conf_amend(const char *conf, const char *port, const struct config *says, char **ret,
		       struct err *err) must_check;

/* The port's section, for lldpad_conf_restore(); *ret is NULL where there is none. */
bool lldpad_conf_section(const char *conf, const char *port, char **ret,
			 struct err *err) must_check;

/* The file with that section for the port, whatever is there now; NULL: without one. */
bool lldpad_conf_restore(const char *conf, const char *port, const char *section, char **ret,
			 struct err *err) must_check;

#endif
