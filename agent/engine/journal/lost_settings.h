/*
 * Settings that a port's driver lost in a failed write, although they still read as desired
 * (feature.h, `write`). Only the run that wrote can detect this. It is recorded in /run/losslessctl
 * until the driver restarts, so that every verb and the agent know of it.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_LOST_SETTINGS_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_LOST_SETTINGS_H

#include "../../host/host.h"
#include "../observe.h"
#include "../plan.h"

/* Returns the known losses of a port; none if nothing is recorded or readable. */
struct lost_settings lost_settings_of(struct host *h, const struct port *port);

/* Records a port's losses, under the lock of the run. */
bool lost_settings_record(struct host *h, const struct port *port, const struct lost_settings *l,
			  struct err *err) must_check;

/* Replaces lost settings in an observation by the adapter's real values. */
void lost_settings_reveal(struct host *h, const struct port *port, struct observation *seen);

#endif
