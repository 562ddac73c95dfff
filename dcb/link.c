/* Read-only settings that follow from the cable and the peer: carrier, speed and FEC. */
#include <errno.h>
#include <linux/ethtool.h>

#include "../policy/model/setting.h"
#include "ethtool.h"
#include "registry.h"

static bool up_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	struct link link;

	if (!host_link(h, port, &link, err))
		return false;
	out->link.up = link.up && link.carrier;
	out->has |= feature_link_up.owns;
	return true;
}

static bool speed_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	struct link_speeds speeds;

	if (!ethtool_get_speeds(h, port->id.name, &speeds, err))
		return false;
	if (!speeds.now)
		return err_set(err, ERR_UNKNOWN, ENETDOWN,
			       "the driver reports no speed; the link may be down");
	out->link.min_speed_mbps = speeds.now;
	out->has |= feature_link_speed.owns;
	return true;
}

static bool fec_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	static const uint32_t modes[] = {
		[FEC_OFF] = ETHTOOL_FEC_OFF,
		[FEC_BASER] = ETHTOOL_FEC_BASER,
		[FEC_RS] = ETHTOOL_FEC_RS,
		[FEC_LLRS] = ETHTOOL_FEC_LLRS,
	};
	uint32_t active;

	if (!ethtool_get_fec(h, port->id.name, &active, err))
		return false;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (active == modes[i]) {
			out->link.fec = (uint8_t)i;
			out->has |= feature_link_fec.owns;
			return true;
		}
	return err_set(err, ERR_UNKNOWN, ENETDOWN,
		       "the driver reports no single active mode (0x%x); the link may be down",
		       active);
}

static const char *up_hint(const struct config *desired, const struct config *actual)
{
	(void)actual;
	return desired->link.up ? NULL : "run `ip link set dev PORT down`";
}

const struct feature feature_link_up = {
	.name = "link",
	.owns = SETTING(SETTING_LINK_UP),
	.source = "rtnetlink link",
	.read = up_read,
	.hint = up_hint,
	.readonly_hint = "check the cable, the transceiver and the switch's port; if the port is "
			 "administratively down, run `ip link set dev PORT up`",
};

const struct feature feature_link_speed = {
	.name = "link-speed",
	.owns = SETTING(SETTING_LINK_MIN_SPEED_MBPS),
	.source = "ethtool link modes",
	.read = speed_read,
	.readonly_hint =
		"compare the link modes that ethtool prints with those of the switch's port: "
		"both must offer the speed, and the cable must support it",
};

const struct feature feature_link_fec = {
	.name = "link-fec",
	.owns = SETTING(SETTING_LINK_FEC),
	.source = "ethtool FEC",
	.read = fec_read,
	.readonly_hint = "set the same mode on both sides: run `ethtool --set-fec PORT encoding "
			 "VALUE` (the link will flap), and configure the switch's port",
};
