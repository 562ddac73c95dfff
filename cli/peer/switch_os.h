/* The operating systems of switches whose commands `peer --fix-switch` prints. */
#ifndef LOSSLESSCTL_CLI_PEER_SWITCH_OS_H
#define LOSSLESSCTL_CLI_PEER_SWITCH_OS_H

#include "../../policy/util/err.h"

enum switch_os { SWITCH_CUMULUS, SWITCH_SONIC, SWITCH_EOS, SWITCH_NXOS, SWITCH_OS_COUNT };

struct switch_os_info {
	const char *name, *title; /* "nxos", "Cisco NX-OS" */
	const char *described;	  /* part of its LLDP system description */
	const char *ports[2];	  /* prefixes of the names of its ports */
	const char *comment;	  /* begins a comment on its command line */
	const char *source;	  /* the vendor's reference for the commands */
};

extern const struct switch_os_info switch_systems[SWITCH_OS_COUNT];

/* Finds a system by its name. Fails with ERR_USAGE. */
bool switch_os_find(enum switch_os *ret, const char *name, struct err *err) must_check;

/* Recognises the system that an LLDP system description names; false: none of these. */
bool switch_os_recognise(enum switch_os *ret, const char *description);

/*
 * True if `name` is the name of a port of this system: its prefix, letters, digits, '/', '_' and
 * '-'. The name comes off the wire: nothing else may stand in a command.
 */
bool switch_os_names_port(enum switch_os os, const char *name);

#endif
