/*
 * Recovery of a run that was killed, by the next one: restores its files after a boot, takes up its
 * journal, and restores the settings that it touched. recovery_ports.h finds its ports; a rollback
 * recovers by itself (rollback.h).
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_WRITE_RECOVERY_H
#define LOSSLESSCTL_AGENT_ENGINE_WRITE_RECOVERY_H

#include "../feature.h"
#include "../observe.h"
#include "../journal/journal.h"

/*
 * Loads what an interrupted run left. If that is damaged, no run can restore it: a rollback says
 * so, and every other run goes on without it, with the reason in *ret_set_aside. One of an earlier
 * boot only has its files restored; its journal stays until they are.
 */
bool recovery_load(struct host *h, struct features all, bool rolling_back, struct journal *ret,
		   struct err *ret_set_aside, struct err *err) must_check;

/*
 * The state to restore if this run is interrupted: the earlier one, `back`, for an apply; `desired`
 * for a rollback, which is then completed.
 */
struct config recovery_state(bool rolling_back, const struct config *desired,
			     const struct config *back);

/* The port's settings from before the interrupted run, without VLAN devices that are gone. */
struct config recovery_back(const struct journal_entry *left, const struct observation *seen);

/*
 * Those of `back` that cannot be read now. The policy's own settings are judged; others are
 * restored if they can be read.
 */
setting_set recovery_left_out(const struct config *back, const struct config *desired,
			      const struct observation *seen);

/*
 * The end state of this run as if the interrupted run had never started: settings that one of them
 * touched have their earlier value, the desired one, or that of a side effect.
 */
struct config recovery_goal(const struct port *port, const struct config *desired,
			    const struct config *back, const struct observation *seen);

#endif
