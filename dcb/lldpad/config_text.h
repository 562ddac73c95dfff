/*
 * Edits the text of lldpad's configuration file: changes, extracts and restores the section of one
 * port. Opens no file; the caller frees each result. Comments are lost, as whenever lldpad writes
 * the file.
 */
#ifndef LOSSLESSCTL_DCB_LLDPAD_CONFIG_TEXT_H
#define LOSSLESSCTL_DCB_LLDPAD_CONFIG_TEXT_H

#include "../../policy/util/err.h"

struct config;

/* ERR_REFUSED if it has no group that lldpad has in its files, ERR_UNKNOWN if it has no groups. */
bool lldpad_conf_check(const char *conf, struct err *err) must_check;

/*
 * The file with the port's section changed, so that lldpad -R advertises the settings of
 * `advertised`; TLVs whose settings are incomplete are not sent. If says->dcbx.advertise is false,
 * the port sends no DCBX. "" stands for a missing file; otherwise a complete file cannot be told
 * from one that lldpad is writing. Under -R a willing port advertises its neighbour's
 * recommendation as its own configuration. Errors: ERR_UNKNOWN if it is not such a file or includes
 * others; ERR_UNSUPPORTED if lldpad cannot store the port's name, or the shares do not add up to
 * 100.
 */
bool lldpad_conf_amend(const char *conf, const char *port, const struct config *advertised,
		       char **ret, struct err *err) must_check;

/* The port's section, for lldpad_conf_restore(); *ret is NULL if there is none. */
bool lldpad_conf_section(const char *conf, const char *port, char **ret,
			 struct err *err) must_check;

/* The part of the port's section that lldpad_conf_amend() changes, as text to compare; "": none. */
bool lldpad_conf_advertised(const char *conf, const char *port, char **ret,
			    struct err *err) must_check;

/* True if lldpad_conf_amend() would leave that part as it is. */
bool lldpad_conf_has(const char *conf, const char *port, const struct config *advertised, bool *ret,
		     struct err *err) must_check;

/* The file with the port's section replaced by `section`, or without one if that is NULL. */
bool lldpad_conf_restore(const char *conf, const char *port, const char *section, char **ret,
			 struct err *err) must_check;

#endif
