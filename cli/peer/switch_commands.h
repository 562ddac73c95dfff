/*
 * The commands that would give a switch's port the settings of this port. A table has them, for
 * each operating system. They are printed, and never run.
 */
#ifndef LOSSLESSCTL_CLI_PEER_SWITCH_COMMANDS_H
#define LOSSLESSCTL_CLI_PEER_SWITCH_COMMANDS_H

#include "../../dcb/peer.h"
#include "../../policy/model/setting.h"
#include "../../policy/util/err.h"
#include "../cli.h"

/* ---- operating systems ---- */

enum switch_os { SWITCH_CUMULUS, SWITCH_SONIC, SWITCH_EOS, SWITCH_NXOS, SWITCH_OS_COUNT };

struct switch_os_info {
	const char *name, *title; /* "nxos", "Cisco NX-OS" */
	const char *described;	  /* part of its LLDP system description */
	const char *ports[2];	  /* prefixes of the names of its ports */
	bool numbers_ports;	  /* a name is a prefix and a number; else it may be Ethernet1/2 */
	bool describes_ports;	  /* it sends the name as description, and an alias as ID */
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

/* ---- commands ---- */

#define SWITCH_LINE_MAX 192

/* One command. */
struct switch_line {
	enum agreement subject;
	const char *text;
	const char *caveat; /* static: what is not certain of it; NULL: the reference has it so */
};

/* A change of the switch's port. */
struct switch_change {
	const char *port;	     /* valid by switch_os_names_port(), or a stand-in */
	const struct config *ours;   /* the settings that it should have */
	const struct config *theirs; /* the settings that it advertises */
	unsigned subjects;	     /* a bit per enum agreement: they differ in it */
};

typedef void switch_line_fn(const struct switch_line *line, void *arg);

/* Calls `each` with every command, in order. */
void switch_commands(enum switch_os os, const struct switch_change *change, switch_line_fn *each,
		     void *arg);

/* ---- a switch's fix ---- */

/* The report of `peer --fix-switch`: what would give the switch's port the settings of this one. */

/* Rejects a name of --switch-os that is none, and --switch-os without --fix-switch. */
bool fix_switch_check(const struct cli *c, struct err *err) must_check;

/*
 * Prints the commands for the switch's system: that of --switch-os, else the one that its system
 * description names, else all.
 */
void fix_switch_print(const struct cli *c, const struct target *t, const struct compared_peer *n);

/* The same as a list. The caller owns it. */
json_t *fix_switch_to_json(const struct cli *c, const struct target *t,
			   const struct compared_peer *n);

#endif
