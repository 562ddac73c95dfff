/* The report of `peer --fix-switch`: what would give the switch's port the settings of this one. */
#ifndef LOSSLESSCTL_CLI_PEER_FIX_SWITCH_H
#define LOSSLESSCTL_CLI_PEER_FIX_SWITCH_H

#include "../../dcb/peer.h"
#include "../cli.h"

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
