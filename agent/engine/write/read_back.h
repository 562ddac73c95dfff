/* Reading back: what was written is called done only if a read proves it. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_WRITE_READ_BACK_H
#define LOSSLESSCTL_AGENT_ENGINE_WRITE_READ_BACK_H

#include "../observe.h"

/*
 * Verifies that the desired settings are in effect; reads again for a while. Fails with ERR_VERIFY,
 * which names the settings that differ, and stores them in *ret_off unless that is NULL.
 */
bool read_back(struct host *h, struct features all, const struct port *port,
	       const struct config *desired, setting_set *ret_off, struct err *err) must_check;

#endif
