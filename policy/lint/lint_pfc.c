#include <stdio.h>

#include "lint_list.h"

/*
 * Each lossless priority takes its own headroom of 45 to 230 kB out of a port's few buffers, and
 * the defaults of switches have at most two (SONiC: 3 and 4).
 */
#define LOSSLESS_USUAL 2

/* 4096 bytes and their headers: IP, UDP, BTH, RETH or AETH, ICRC. */
#define MTU_OF_RDMA_4096 4200

static bool pfc_excludes_pause(const struct config *c)
{
	return !c->pfc.priorities || (!c->pause.rx && !c->pause.tx);
}

static bool lossless_are_few(const struct config *c)
{
	return __builtin_popcount(c->pfc.priorities) <= LOSSLESS_USUAL;
}

/* IEEE 802.1Q limits the number of classes; without a known map each priority counts as a class. */
static unsigned lossless_classes(const struct config *c)
{
	unsigned classes = 0;

	if (!HAS(c, SETTING_ETS_PRIO_TC))
		return c->pfc.priorities;
	for (int p = 0; p < PRIOS; p++)
		if (is_lossless(c, p))
			classes |= 1u << c->ets.prio_tc[p];
	return classes;
}

static bool lossless_fit_the_port(const struct config *c, const struct capabilities *f)
{
	return !f->pfc_cap || __builtin_popcount(lossless_classes(c)) <= f->pfc_cap;
}

static bool storm_ends(const struct config *c)
{
	return !c->pfc.priorities || c->pfc.storm_timeout_ms != 0;
}

static bool dcbx_is_host(const struct config *c)
{
	return c->dcbx.mode != DCBX_FIRMWARE || !(c->has & SET_BY_DCBX);
}

static bool host_decides(const struct config *c)
{
	return c->dcbx.mode != DCBX_HOST || !c->dcbx.willing;
}

static bool follower_is_willing(const struct config *c)
{
	return c->dcbx.mode != DCBX_SWITCH || c->dcbx.willing;
}

static bool willing_is_advertised(const struct config *c)
{
	return !c->dcbx.willing || c->dcbx.advertise;
}

static bool agent_is_alone(const struct config *c, const struct capabilities *f)
{
	return !f->lldpad_running || c->dcbx.mode != DCBX_FIRMWARE;
}

static bool lldpad_stays_off(const struct config *c, const struct capabilities *f)
{
	return !f->lldpad_starts_at_boot || !c->pfc.priorities;
}

static bool mtu_fits_rdma(const struct config *c)
{
	return !c->pfc.priorities || c->mtu >= MTU_OF_RDMA_4096;
}

static bool upper_mtu_is_not_smaller(const struct config *c, const struct capabilities *f)
{
	return !f->upper_mtu || f->upper_mtu >= c->mtu;
}

static void describe_upper_mtu(const struct config *c, const struct capabilities *f,
			       char text[LINT_TEXT_MAX])
{
	snprintf(text, LINT_TEXT_MAX,
		 "%s above the port has an MTU of %u, and the port has %u: run `ip link set %s mtu "
		 "%u`",
		 f->upper, f->upper_mtu, c->mtu, f->upper, c->mtu);
}

/* clang-format off: one block per rule, aligned by hand */
const struct lint lints_pfc[] = {
	{ "pfc-with-global-pause", SEVERITY_ERROR,
	  SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX),
	  "PFC and 802.3x global pause are both on",
	  "set pause.rx and pause.tx to false, or pfc.priorities to []",
	  "Firmware treats the two as mutually exclusive; a global pause stops the lossless "
	  "priority too.",
	  .passes = pfc_excludes_pause },
	{ "pfc-cap-exceeded", SEVERITY_ERROR, SETTING(SETTING_PFC_PRIORITIES),
	  "more traffic classes are lossless than the port can have at once",
	  "take priorities out of pfc.priorities, or map them to fewer classes in ets.prio_tc",
	  "The port reports how many it can have (802.1Q: PFC cap); the driver refuses more, or "
	  "drops the rest.",
	  .passes_on = lossless_fit_the_port, .also_reads = SETTING(SETTING_ETS_PRIO_TC) },
	{ "lossless-too-many", SEVERITY_WARNING, SETTING(SETTING_PFC_PRIORITIES),
	  "more than two priorities are lossless", "keep one for RoCE, or two, in pfc.priorities",
	  "Each takes headroom of its own from the same buffers, on the host and on every switch; "
	  "switches come with one or two.",
	  .passes = lossless_are_few },
	{ "pfc-storm-timeout-disabled", SEVERITY_WARNING,
	  SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_PFC_STORM_TIMEOUT_MS),
	  "the port may send pause for ever",
	  "set pfc.storm_timeout_ms to \"auto\" (100 ms), or to what the port came with, 8000",
	  "A host that hangs and pauses its switch port stops, hop by hop, the whole fabric.",
	  .passes = storm_ends },
	{ "dcbx-host-mode-willing", SEVERITY_ERROR,
	  SETTING(SETTING_DCBX_MODE) | SETTING(SETTING_DCBX_WILLING),
	  "the host decides, and says that it takes what the switch says",
	  "set dcbx.willing to false",
	  "A willing lldpad sets the port up as the switch says, over what was written here.",
	  .passes = host_decides },
	{ "dcbx-switch-mode-not-willing", SEVERITY_ERROR,
	  SETTING(SETTING_DCBX_MODE) | SETTING(SETTING_DCBX_WILLING),
	  "the switch is to decide, and the port is not willing",
	  "set dcbx.willing to true, or leave it out",
	  "A port that is not willing keeps what it has, whatever the switch says.",
	  .passes = follower_is_willing },
	{ "dcbx-willing-not-advertised", SEVERITY_ERROR,
	  SETTING(SETTING_DCBX_WILLING) | SETTING(SETTING_DCBX_ADVERTISE),
	  "the port is to be willing, and to tell the switch nothing", "set dcbx.advertise to true",
	  "What a port takes from the switch it tells back; one that is silent looks unset.",
	  .passes = willing_is_advertised },
	{ "dcbx-firmware-mode", SEVERITY_WARNING, SETTING(SETTING_DCBX_MODE),
	  "PFC or ETS is set here, and the adapter's own DCBX may set them otherwise",
	  "set dcbx.mode to host",
	  "In firmware mode a willing adapter takes over what the switch says, at any time, and "
	  "tells nobody.",
	  .passes = dcbx_is_host, .also_reads = SET_BY_DCBX },
	{ "lldp-two-agents", SEVERITY_WARNING, SETTING(SETTING_DCBX_MODE),
	  "two LLDP agents speak on one cable: the adapter's firmware, and lldpad",
	  "stop lldpad (systemctl disable --now lldpad.service lldpad.socket), or set dcbx.mode to "
	  "host",
	  "The switch believes whoever spoke last, and both may set the port up; one that is not "
	  "told of by the other undoes it.",
	  .passes_on = agent_is_alone, .also_reads = SET_BY_DCBX },
	{ "lldpad-enabled-not-running", SEVERITY_WARNING, SETTING(SETTING_PFC_PRIORITIES),
	  "lldpad is enabled and does not run: started without -R, it switches PFC off",
	  "disable it (systemctl disable lldpad.service lldpad.socket), or have it only advertise "
	  "(packaging/lldpad/advertise-only.conf)",
	  "Fifteen seconds after its start it writes its own ETS and PFC to every port, and where "
	  "nobody configured it that is all-strict and none.",
	  .passes_on = lldpad_stays_off },
	{ "mtu-too-small-for-rdma", SEVERITY_INFO,
	  SETTING(SETTING_MTU) | SETTING(SETTING_PFC_PRIORITIES),
	  "the MTU is too small for RDMA packets of 4096 bytes",
	  "set mtu to 4200 or more, 9000 where the fabric takes it",
	  "RDMA falls back to 2048 or 1024 bytes, with two to four times the packets and headers.",
	  .passes = mtu_fits_rdma },
	{ "upper-mtu-too-small", SEVERITY_WARNING, SETTING(SETTING_MTU),
	  "a bond or VLAN device above the port has a smaller MTU than the port",
	  "raise the MTU of the device above the port, of a bond before that of its VLAN devices",
	  "RoCE takes its MTU from the interface whose GID it uses: RDMA packets through that "
	  "device stay small.",
	  .passes_on = upper_mtu_is_not_smaller, .describe = describe_upper_mtu },
	{ .name = NULL }
};
/* clang-format on */
