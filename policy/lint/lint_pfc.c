#include "lint_list.h"

/*
 * Each lossless priority takes its own headroom of 45 to 230 kB out of a port's few buffers, and
 * the defaults of switches have at most two (SONiC: 3 and 4).
 */
#define LOSSLESS_USUAL 2

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

/* clang-format off: one block per lint, aligned by hand */
const struct lint lints_pfc[] = {
	{ "pfc-with-global-pause", SEVERITY_CRITICAL,
	  SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX),
	  "PFC and 802.3x global pause are both on",
	  "set pause.rx and pause.tx to false, or pfc.priorities to []",
	  "Firmware treats the two as mutually exclusive. A global pause also stops the lossless "
	  "priority.",
	  .passes = pfc_excludes_pause },
	{ "pfc-cap-exceeded", SEVERITY_CRITICAL, SETTING(SETTING_PFC_PRIORITIES),
	  "more traffic classes are lossless than the port supports",
	  "remove priorities from pfc.priorities, or map them to fewer classes in ets.prio_tc",
	  "The port reports the number that it supports (802.1Q: PFC cap); the driver refuses "
	  "more, or ignores the rest.",
	  .passes_on = lossless_fit_the_port, .also_reads = SETTING(SETTING_ETS_PRIO_TC) },
	{ "lossless-too-many", SEVERITY_WARNING, SETTING(SETTING_PFC_PRIORITIES),
	  "more than two priorities are lossless", "keep one for RoCE, or two, in pfc.priorities",
	  "Each needs its own headroom in the same buffers, on the host and on every switch; "
	  "switches have one or two by default.",
	  .passes = lossless_are_few },
	{ "pfc-storm-timeout-disabled", SEVERITY_WARNING,
	  SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_PFC_STORM_TIMEOUT_MS),
	  "the port may send pause without limit",
	  "set pfc.storm_timeout_ms to \"auto\" (100 ms) or to the default, 8000",
	  "A host that hangs and pauses its switch port stops the whole fabric, hop by hop.",
	  .passes = storm_ends },
	{ "dcbx-host-mode-willing", SEVERITY_CRITICAL,
	  SETTING(SETTING_DCBX_MODE) | SETTING(SETTING_DCBX_WILLING),
	  "dcbx.mode is host, but the port tells the switch by IEEE 802.1Qaz that it is willing",
	  "set dcbx.advertise to true and dcbx.willing to false; an lldpad that only advertises "
	  "(-R) must be started by its unit with "
	  "/usr/share/doc/losslessctl/examples/lldpad/advertise-only.conf",
	  "A willing lldpad overwrites the policy's settings with those of the switch. One with -R "
	  "writes nothing, but the switch counts on a port that takes its settings.",
	  .passes = host_decides },
	{ "dcbx-switch-mode-not-willing", SEVERITY_CRITICAL,
	  SETTING(SETTING_DCBX_MODE) | SETTING(SETTING_DCBX_WILLING),
	  "dcbx.mode is switch, but the port is not willing",
	  "set dcbx.willing to true, or remove it",
	  "A port that is not willing ignores the switch's settings.",
	  .passes = follower_is_willing },
	{ "dcbx-willing-not-advertised", SEVERITY_CRITICAL,
	  SETTING(SETTING_DCBX_WILLING) | SETTING(SETTING_DCBX_ADVERTISE),
	  "the port is willing, but does not advertise its settings", "set dcbx.advertise to true",
	  "A willing port must advertise the settings that it adopted; without them the switch "
	  "sees a port without DCBX.",
	  .passes = willing_is_advertised },
	{ "dcbx-firmware-mode", SEVERITY_WARNING, SETTING(SETTING_DCBX_MODE),
	  "the adapter's own DCBX agent may overwrite PFC and ETS", "set dcbx.mode to host",
	  "In firmware mode a willing adapter adopts the switch's settings at any time, and no "
	  "program on the host is notified.",
	  .passes = dcbx_is_host, .also_reads = SET_BY_DCBX },
	{ "lldp-two-agents", SEVERITY_WARNING, SETTING(SETTING_DCBX_MODE),
	  "two LLDP agents send on one port: the adapter's firmware and lldpad",
	  "stop lldpad (systemctl disable --now lldpad.service lldpad.socket), or set dcbx.mode to "
	  "host",
	  "The switch uses the last LLDPDU that it received. Both agents may configure the port, "
	  "and each undoes the other's settings.",
	  .passes_on = agent_is_alone, .also_reads = SET_BY_DCBX },
	{ "lldpad-enabled-not-running", SEVERITY_WARNING, SETTING(SETTING_PFC_PRIORITIES),
	  "lldpad is enabled and not running: started without -R, it turns PFC off",
	  "disable it (systemctl disable lldpad.service lldpad.socket), or let it only advertise "
	  "(/usr/share/doc/losslessctl/examples/lldpad/advertise-only.conf)",
	  "Fifteen seconds after its start it writes its own ETS and PFC to every port: unless "
	  "configured, all classes strict and no PFC.",
	  .passes_on = lldpad_stays_off },
	{ .name = NULL }
};
/* clang-format on */
