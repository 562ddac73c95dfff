/*
 * Settings that a port's driver lost when a write failed, while every reading shows them as they
 * should be (feature.h, `write`). Only the run that wrote knows it: it is kept in /run/losslessctl
 * until the driver starts again, so that every verb and the agent know it, too.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_LOST_SETTINGS_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_LOST_SETTINGS_H

#include "../observe.h"
#include "../plan.h"

/* What is known of a port. Where nothing is recorded, or it cannot be read: nothing. */
struct lost_settings lost_settings_of(struct host *h, const struct port *port);

/* Under the lock of the run: what is known of the port now. */
bool lost_settings_record(struct host *h, const struct port *port, const struct lost_settings *l,
			  struct err *err) must_check;

/* Lets an observation say what the adapter has of settings that were lost, and not what is read. */
void lost_settings_reveal(struct host *h, const struct port *port, struct observation *seen);

#endif
