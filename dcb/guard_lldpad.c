/*
 * Is lldpad here, and does it write? It sends its own ETS and PFC to every
 * port that it can configure, within 30 s of any change, and never looks at
 * what is there. Started with -R it only speaks.
 */
#include <stdio.h>

#include "../policy/knob.h"
#include "guards.h"
#include "lldpad_process.h"

static bool lldpad_objects(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	struct lldpad_process lldpad;

	(void)port;
	if (!lldpad_find(h, &lldpad) || lldpad.speaks_only)
		return false;
	snprintf(why, GUARD_WHY_MAX,
		 "lldpad (pid %u) manages this port and would overwrite it within 30 s",
		 lldpad.pid);
	return true;
}

const struct guard guard_lldpad = {
	.name = "lldpad",
	.over = KNOB(KNOB_DCBX_MODE) | KNOB(KNOB_PFC_PRIORITIES) | KNOB(KNOB_PFC_CABLE_M) |
		KNOB(KNOB_ETS_PRIO_TC) | KNOB(KNOB_ETS_TSA) | KNOB(KNOB_ETS_BANDWIDTH) |
		KNOB(KNOB_TRUST) | KNOB(KNOB_DSCP_PRIO),
	.objects = lldpad_objects,
	.mend = "stop it (systemctl disable --now lldpad.service lldpad.socket), or start it with "
		"-R so "
		"that it only advertises",
};
