/*
 * Guards against other programs that write to a port, and for those that advertise it. lldpad
 * writes its own ETS and PFC to every port that it can configure, within 30 s of any change and
 * without reading what is there. Started with -R it only advertises.
 */
#include <stdio.h>

#include "../../policy/model/setting.h"
#include "../../policy/model/setting_table.h"
#include "../lldpad/detect.h"
#include "../registry.h"
#include "dcbx_owner.h"

#define WRITTEN_BY_OTHERS \
	(SET_BY_DCBX | SETTING(SETTING_DCBX_MODE) | SETTING(SETTING_PFC_CABLE_M) | \
	 SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO))

static bool lldpad_objects(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	struct lldpad_process lldpad;

	(void)port;
	if (lldpad_may_be_hidden(h)) {
		snprintf(
			why, GUARD_WHY_MAX,
			"a program outside this container holds lldpad's socket, and may overwrite "
			"what is written to the ports");
		return true;
	}
	if (!lldpad_find(h, &lldpad) || lldpad.advertise_only)
		return false;
	snprintf(why, GUARD_WHY_MAX,
		 "lldpad (pid %u) manages the host's ports and would overwrite them within 30 s",
		 lldpad.pid);
	return true;
}

/* Waives the guard: with dcbx.advertise PFC and ETS are written through lldpad. */
static bool is_advertised(const struct config *desired)
{
	return (desired->has & SETTING(SETTING_DCBX_ADVERTISE)) && desired->dcbx.advertise;
}

const struct guard guard_lldpad = {
	.name = "lldpad",
	.owner = OWNER_LLDPAD,
	.over = WRITTEN_BY_OTHERS,
	.objects = lldpad_objects,
	.waived = is_advertised,
	.fix = "run `systemctl disable --now lldpad.service lldpad.socket`, start lldpad with -R "
	       "so that it only advertises, or set dcbx.advertise so that losslessctl configures "
	       "it; a container must see the host's processes (hostPID)",
};

static bool no_follower(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	struct lldpad_process lldpad;

	(void)port;
	if (lldpad_find(h, &lldpad) && !lldpad.advertise_only)
		return false;
	snprintf(why, GUARD_WHY_MAX, "no lldpad runs on this host to follow the switch");
	return true;
}

static bool is_not_following(const struct config *desired)
{
	return !(desired->has & SETTING(SETTING_DCBX_MODE)) || desired->dcbx.mode != DCBX_SWITCH;
}

const struct guard guard_follower = {
	.name = "follower",
	.over = SETTING(SETTING_DCBX_MODE) | SETTING(SETTING_DCBX_WILLING),
	.objects = no_follower,
	.waived = is_not_following,
	.fix = "start lldpad without -R, or set dcbx.mode to host",
};

static bool network_manager_objects(struct host *h, const struct port *port,
				    char why[GUARD_WHY_MAX])
{
	struct owner owner;

	if (!owner_is_network_manager(h, port, &owner))
		return false;
	snprintf(why, GUARD_WHY_MAX, "%s", owner.what);
	return true;
}

const struct guard guard_network_manager = {
	.name = "networkmanager",
	.owner = OWNER_NETWORKMANAGER,
	.over = WRITTEN_BY_OTHERS,
	.objects = network_manager_objects,
	.fix = "remove the dcb settings from that profile of NetworkManager, as nmcli connection "
	       "modify does",
};

static bool no_advertiser(const struct capabilities *c, char why[GUARD_WHY_MAX])
{
	if (!c->lldpad_running)
		snprintf(why, GUARD_WHY_MAX,
			 "no lldpad runs on this host to advertise the settings");
	return !c->lldpad_running;
}

const struct guard guard_advertiser = {
	.name = "speaker",
	.over = SETTING(SETTING_DCBX_ADVERTISE),
	.lacks = no_advertiser,
	.fix = "start lldpad with -R, so that it only advertises "
	       "(/usr/share/doc/losslessctl/examples/lldpad/advertise-only.conf)",
};
