/*
 * The commands that would give a switch's port the settings of this port. A table has them, for
 * each operating system. They are printed, and never run.
 */
#ifndef LOSSLESSCTL_CLI_PEER_SWITCH_COMMANDS_H
#define LOSSLESSCTL_CLI_PEER_SWITCH_COMMANDS_H

#include "../../policy/model/setting.h"
#include "switch_os.h"

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

#endif
