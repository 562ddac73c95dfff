#include "setting.h"

#define AT(member) \
	.offset = offsetof(struct config, member), .size = sizeof(((struct config *)0)->member), \
	.count = 1
#define EACH(member) \
	.offset = offsetof(struct config, member), \
	.size = sizeof(((struct config *)0)->member[0]), \
	.count = sizeof(((struct config *)0)->member) / sizeof(((struct config *)0)->member[0])

static const char *const fec_names[] = { "off", "baser", "rs", "llrs", NULL };
static const char *const dcbx_names[] = { "firmware", "host", "switch", NULL };
static const char *const tsa_names[] = { "strict", "cbs", "ets", "vendor", NULL };
static const char *const trust_names[] = { "pcp", "dscp", NULL };
static const char *const rest_names[] = { "class", "keep", "none", NULL };
static const char *const roce_names[] = { "v1", "v2", NULL };
static const char *const storm_names[] = { "auto", NULL };
static const char *const unset_names[] = { "unset", NULL };
static const char *const agree_names[] = { "pfc", "ets", "app", NULL };
static const char *const selector_names[] = {
	"ethertype", "tcp", "udp", "any", "dscp", "pcp", NULL
};

/*
 * mlx5 stores a rate in 8 bits: in steps of 100 Mb/s up to 25.5 Gb/s, of 1 Gb/s above (en_dcbnl.c).
 */
static uint32_t rate_rounded(uint32_t mbps)
{
	uint32_t step = mbps <= 25500 ? 100 : 1000;

	return mbps && mbps < step ? step : mbps / step * step;
}

/* The adapter stores the timeout that "auto" stands for, not the word. */
static uint32_t storm_rounded(uint32_t ms)
{
	return ms == STORM_AUTO ? 100 : ms;
}

#define DCQCN(name) "debugfs cc_params/rp_" name ", or sysfs ecn/roce_rp"

/* clang-format off: one block per setting, aligned by hand */
const struct setting settings[SETTING_COUNT] = {
	[SETTING_LINK_UP] = {
		"link.up", T_BOOL, AT(link.up), 0, 1,
		.default_value = "set by the cable", .kernel_interface = "rtnetlink IFLA_CARRIER",
		.doc = "Whether the port has a link: verified, never written.",
		.why = "A port without a link carries nothing, however right its settings are.",
	},
	[SETTING_LINK_MIN_SPEED_MBPS] = {
		"link.min_speed_mbps", T_INT, AT(link.min_speed_mbps), 1, 10000000,
		.at_least = true, .unit = "Mb/s",
		.default_value = "set by the cable", .kernel_interface = "ethtool LINKMODES_GET",
		.doc = "Speed that the link must have at least: verified, never written.",
		.why = "A link that trained at a lower speed slows every job that uses it, and "
		       "pauses the fabric.",
	},
	[SETTING_LINK_FEC] = {
		"link.fec", T_ENUM, AT(link.fec), 0, 3, .names = fec_names,
		.default_value = "set by the peer", .kernel_interface = "ethtool GFECPARAM",
		.doc = "Forward error correction in force on the link: verified, never written.",
		.why = "Without the correction that the cable needs, frames are lost on the wire, "
		       "and RDMA sends them again.",
	},
	[SETTING_MTU] = {
		"mtu", T_INT, AT(mtu), 68, 65535, .unit = "bytes",
		.default_value = "1500", .kernel_interface = "rtnetlink IFLA_MTU",
		.doc = "Largest Ethernet payload of the port.",
		.why = "A 4096-byte RDMA packet needs an MTU of at least 4200; headroom is sized "
		       "from it.",
	},
	[SETTING_DCBX_MODE] = {
		"dcbx.mode", T_ENUM, AT(dcbx.mode), 0, 2, .names = dcbx_names,
		.default_value = "set by firmware", .kernel_interface = "dcbnl DCB_CMD_SDCBX",
		.doc = "Who decides over PFC and ETS of the port: this host, the adapter's own "
		       "DCBX agent, or the switch, which a willing lldpad follows.",
		.why = "In firmware mode a willing adapter takes over what the switch says, "
		       "whenever it says it, and tells nobody.",
	},
	[SETTING_DCBX_ADVERTISE] = {
		"dcbx.advertise", T_BOOL, AT(dcbx.advertise), 0, 1,
		.default_value = "false",
		.kernel_interface = "lldpad: the LLDPDU that it sent last",
		.doc = "Whether the switch is told what the port has: PFC and ETS, by lldpad.",
		.why = "A switch that hears nothing cannot tell a wrong setup from a missing "
		       "one; some switch PFC off then.",
	},
	[SETTING_DCBX_WILLING] = {
		"dcbx.willing", T_BOOL, AT(dcbx.willing), 0, 1,
		.default_value = "false",
		.kernel_interface = "lldpad: the LLDPDU that it sent last",
		.doc = "Whether the port says that it takes PFC and ETS from the switch.",
		.why = "A willing host changes with the switch, and nobody on the host is told; "
		       "two willing ends decide by their MAC addresses.",
	},
	[SETTING_PAUSE_RX] = {
		"pause.rx", T_BOOL, AT(pause.rx), 0, 1,
		.default_value = "true", .kernel_interface = "ethtool PAUSE_SET",
		.doc = "Obey 802.3x global pause frames.",
		.why = "Global pause stops every priority at once and excludes PFC.",
	},
	[SETTING_PAUSE_TX] = {
		"pause.tx", T_BOOL, AT(pause.tx), 0, 1,
		.default_value = "true", .kernel_interface = "ethtool PAUSE_SET",
		.doc = "Send 802.3x global pause frames.",
		.why = "Global pause stops every priority at once and excludes PFC.",
	},
	[SETTING_PFC_PRIORITIES] = {
		"pfc.priorities", T_PRIOSET, AT(pfc.priorities), 0, 7,
		.default_value = "[]", .kernel_interface = "dcbnl DCB_ATTR_IEEE_PFC pfc_en",
		.doc = "Priorities that are paused instead of dropped (802.1Q priority flow "
		       "control).",
		.why = "The switch must pause the same priorities. On mlx5 a change takes the "
		       "link down for a moment and switches global pause off.",
	},
	[SETTING_PFC_CABLE_M] = {
		"pfc.cable_m", T_INT, AT(pfc.cable_m), 1, 999, .unit = "metres",
		.default_value = "7", .kernel_interface = "dcbnl DCB_ATTR_IEEE_PFC delay",
		.doc = "Length of the cable, from which the adapter computes headroom.",
		.why = "Data in flight when a pause is sent must fit: too short a length here "
		       "means drops on a long cable.",
	},
	[SETTING_PFC_STORM_TIMEOUT_MS] = {
		"pfc.storm_timeout_ms", T_WORD_OR_INT, AT(pfc.storm_timeout_ms), 0, 8000,
		.min_above_zero = 80, .rounded = storm_rounded, .names = storm_names,
		.unit = "milliseconds",
		.default_value = "8000", .kernel_interface = "ethtool tunable pfc-prevention-tout",
		.doc = "How long the port may keep sending pause before it gives up "
		       "losslessness; 0: for ever.",
		.why = "A host that pauses for ever stops the whole fabric; \"auto\" is 100 ms.",
	},
	[SETTING_BUFFER_SIZE_BYTES] = {
		"buffer.size_bytes", T_INT, EACH(buffer.size_bytes), 0, 16777215, .tolerance = 1024,
		.unit = "bytes",
		.default_value = "sized by firmware",
		.kernel_interface = "dcbnl DCB_ATTR_DCB_BUFFER buffer_size",
		.doc = "Size of each receive buffer, for buffers 0 to 7; the adapter rounds down "
		       "to its cells.",
		.why = "A lossless buffer must hold what arrives after its pause was sent. Once "
		       "written, sizes stay manual until the driver starts again.",
	},
	[SETTING_BUFFER_PRIO_BUFFER] = {
		"buffer.prio_buffer", T_INT, EACH(buffer.prio_buffer), 0, 7, .index = true,
		.default_value = "sized by firmware",
		.kernel_interface = "dcbnl DCB_ATTR_DCB_BUFFER prio2buffer",
		.doc = "Receive buffer of each priority, for priorities 0 to 7.",
		.why = "A lossy priority in a lossless buffer fills it, and pauses what should "
		       "not be paused.",
	},
	[SETTING_ETS_PRIO_TC] = {
		"ets.prio_tc", T_INT, EACH(ets.prio_tc), 0, 7, .index = true,
		.default_value = "[1,0,2,3,4,5,6,7]",
		.kernel_interface = "dcbnl DCB_ATTR_IEEE_ETS prio_tc",
		.doc = "Traffic class of each priority, for priorities 0 to 7.",
		.why = "A lossless priority that shares a class with a lossy one blocks it when "
		       "paused.",
	},
	[SETTING_ETS_TSA] = {
		"ets.tsa", T_ENUM, EACH(ets.tsa), 0, 3, .names = tsa_names,
		.default_value = "all vendor", .kernel_interface = "dcbnl DCB_ATTR_IEEE_ETS tc_tsa",
		.doc = "Transmission selection of each traffic class, for classes 0 to 7.",
		.why = "Strict classes are served first and can starve the others; CNPs belong "
		       "there, data does not. A driver re-initialisation resets all to vendor.",
	},
	[SETTING_ETS_BANDWIDTH] = {
		"ets.bandwidth", T_INT, EACH(ets.bandwidth), 0, 100, .unit = "percent",
		.default_value = "[0,0,0,0,0,0,0,0]",
		.kernel_interface = "dcbnl DCB_ATTR_IEEE_ETS tc_tx_bw",
		.doc = "Guaranteed share of each ets class; 0 for the others.",
		.why = "The shares of the ets classes must add up to 100.",
	},
	[SETTING_ETS_RECO_PRIO_TC] = {
		"ets.reco_prio_tc", T_INT, EACH(ets.reco_prio_tc), 0, 7, .index = true,
		.default_value = "none", .kernel_interface = "dcbnl DCB_ATTR_IEEE_ETS reco_prio_tc",
		.doc = "Traffic class of each priority that the host recommends to its peer.",
		.why = "Only some drivers keep a recommendation; mlx5 drops it without a word.",
	},
	[SETTING_ETS_RECO_TSA] = {
		"ets.reco_tsa", T_ENUM, EACH(ets.reco_tsa), 0, 3, .names = tsa_names,
		.default_value = "none", .kernel_interface = "dcbnl DCB_ATTR_IEEE_ETS tc_reco_tsa",
		.doc = "Transmission selection of each traffic class that the host recommends to "
		       "its peer.",
		.why = "Only some drivers keep a recommendation; mlx5 drops it without a word.",
	},
	[SETTING_ETS_RECO_BANDWIDTH] = {
		"ets.reco_bandwidth", T_INT, EACH(ets.reco_bandwidth), 0, 100, .unit = "percent",
		.default_value = "none", .kernel_interface = "dcbnl DCB_ATTR_IEEE_ETS tc_reco_bw",
		.doc = "Share of each ets class that the host recommends to its peer.",
		.why = "Only some drivers keep a recommendation; mlx5 drops it without a word.",
	},
	[SETTING_MAXRATE_TC_MBPS] = {
		"maxrate.tc_mbps", T_INT, EACH(maxrate.tc_mbps), 0, 255000,
		.rounded = rate_rounded, .unit = "Mb/s",
		.default_value = "[0,0,0,0,0,0,0,0]",
		.kernel_interface = "dcbnl DCB_ATTR_IEEE_MAXRATE",
		.doc = "Rate limit of each traffic class, for classes 0 to 7; 0: none.",
		.why = "A limit on the lossless class backs up into pause. mlx5 keeps steps of "
		       "100 Mb/s up to 25.5 Gb/s, of 1 Gb/s above.",
	},
	[SETTING_TRUST] = {
		"trust", T_ENUM, AT(trust), 0, 1, .names = trust_names,
		.default_value = "pcp",
		.kernel_interface = "dcbnl DCB_ATTR_IEEE_APP_TABLE (any DSCP entry)",
		.doc = "What gives a frame its priority: the VLAN tag's PCP or the DSCP.",
		.why = "RoCE v2 across routed links has no VLAN tag, so only DSCP carries the "
		       "priority. On mlx5 trust is dscp exactly while a DSCP entry exists.",
	},
	[SETTING_DSCP_PRIO] = {
		"dscp.prio", T_DSCPMAP, EACH(dscp.prio), 0, 7,
		.default_value = "DSCP >> 3",
		.kernel_interface = "dcbnl DCB_ATTR_IEEE_APP_TABLE selector 5",
		.doc = "Priority of each DSCP that is named; dscp.rest says what the others get.",
		.why = "The first entry switches the whole port to DSCP trust, so all 64 are "
		       "written and proven.",
	},
	[SETTING_DSCP_REST] = {
		"dscp.rest", T_WORD_OR_INT, AT(dscp.rest), 0, 7, .names = rest_names,
		.default_value = "class",
		.kernel_interface = "dcbnl DCB_ATTR_IEEE_APP_TABLE selector 5",
		.doc = "Priority of every DSCP not named: class (DSCP >> 3), a number, keep (not "
		       "judged) or none (no entry).",
		.why = "An unnamed DSCP follows whatever the adapter's table holds, and nobody "
		       "can read that.",
	},
	[SETTING_APP_ENTRIES] = {
		"app.entries", T_APPS, EACH(app.entries), 0, 7,
		.default_value = "[]",
		.kernel_interface = "dcbnl DCB_ATTR_IEEE_APP_TABLE selectors 1 to 4",
		.doc = "Priorities by ethertype or port number: all APP entries other than DSCP.",
		.why = "A ConnectX takes DSCP only; other drivers and DCBX peers use these for "
		       "RoCE (UDP 4791).",
	},
	[SETTING_APP_TRUST] = {
		"app.trust", T_ORDER, EACH(app.trust), 0, 6, .names = selector_names,
		.default_value = "set by the driver",
		.kernel_interface = "dcbnl DCB_ATTR_DCB_APP_TRUST_TABLE",
		.doc = "Which APP selectors the port trusts, first things first.",
		.why = "Linux 6.2 and drivers that have it say trust in so many words; mlx5 "
		       "derives it.",
	},
	[SETTING_VLAN_EGRESS] = {
		"vlan.egress", T_VLANMAP, EACH(vlan.egress), 0, 7,
		.default_value = "all 0", .kernel_interface = "rtnetlink IFLA_VLAN_EGRESS_QOS",
		.doc = "PCP that each priority leaves with, by VLAN device on the port.",
		.why = "Without it every frame of a VLAN leaves with PCP 0, and a switch that "
		       "trusts PCP drops RoCE under load.",
	},
	[SETTING_ECN_NP] = {
		"ecn.np", T_BOOL, AT(ecn.np), 0, 1,
		.default_value = "set by firmware",
		.kernel_interface = "sysfs ecn/roce_np/enable (MLNX_OFED)",
		.doc = "Notification point: answer congestion marks with CNPs; one switch for "
		       "the whole port.",
		.why = "Without CNPs senders never slow down, and PFC has to stop them. Without "
		       "MLNX_OFED firmware decides (ROCE_CC_PRIO_MASK).",
	},
	[SETTING_ECN_RP_PRIORITIES] = {
		"ecn.rp_priorities", T_PRIOSET, AT(ecn.rp_priorities), 0, 7,
		.default_value = "set by firmware",
		.kernel_interface = "sysfs ecn/roce_rp/enable (MLNX_OFED)",
		.doc = "Reaction point: priorities whose senders slow down when CNPs arrive.",
		.why = "A sender that ignores CNPs fills the fabric for all. Without MLNX_OFED "
		       "firmware decides (ROCE_CC_PRIO_MASK).",
	},
	[SETTING_CNP_DSCP] = {
		"cnp.dscp", T_INT, AT(cnp.dscp), 0, 63, .index = true,
		.default_value = "48",
		.kernel_interface = "debugfs cc_params/np_cnp_dscp, or sysfs ecn/roce_np",
		.doc = "DSCP of the CNPs that this port sends.",
		.why = "CNPs must overtake the data they slow down: a class of their own, strict "
		       "and not lossless.",
	},
	[SETTING_CNP_PRIORITY] = {
		"cnp.priority", T_INT, AT(cnp.priority), 0, 7, .index = true,
		.default_value = "6",
		.kernel_interface = "debugfs cc_params/np_cnp_prio, or sysfs ecn/roce_np",
		.doc = "Priority (802.1p) of the CNPs that this port sends.",
		.why = "It should be the priority that cnp.dscp maps to. On upstream kernels "
		       "writing it sets cnp.priority_mode to 0.",
	},
	[SETTING_CNP_PRIORITY_MODE] = {
		"cnp.priority_mode", T_INT, AT(cnp.priority_mode), 0, 1,
		.default_value = "set by firmware",
		.kernel_interface = "debugfs cc_params/np_cnp_prio_mode",
		.doc = "Where the priority of CNPs comes from; 0: cnp.priority.",
		.why = "A change of cnp.priority clears it, so going back has to restore it.",
	},
	[SETTING_CNP_MIN_INTERVAL_US] = {
		"cnp.min_interval_us", T_INT, AT(cnp.min_interval_us), 0, UINT32_MAX,
		.documented_max = 131071, .unit = "microseconds",
		.default_value = "4",
		.kernel_interface = "debugfs cc_params/np_min_time_between_cnps, or sysfs "
				    "ecn/roce_np",
		.doc = "Shortest time between two CNPs of the port.",
		.why = "Too long, and flows learn of congestion too late; too short, and CNPs "
		       "crowd the port.",
	},
	[SETTING_DCQCN_CLAMP_TGT_RATE] = {
		"dcqcn.clamp_tgt_rate", T_BOOL, AT(dcqcn.clamp_tgt_rate), 0, 1,
		.default_value = "false", .kernel_interface = DCQCN("clamp_tgt_rate"),
		.doc = "On every rate cut set the target rate to the current one, too.",
		.why = "Recovery after a cut is slower and steadier.",
	},
	[SETTING_DCQCN_CLAMP_TGT_RATE_AFTER_TIME_INC] = {
		"dcqcn.clamp_tgt_rate_after_time_inc", T_BOOL,
		AT(dcqcn.clamp_tgt_rate_after_time_inc), 0, 1,
		.default_value = "true", .kernel_interface = DCQCN("clamp_tgt_rate_ati"),
		.doc = "On a CNP set the target rate to the current one if the last increase "
		       "came from the timer.",
		.why = "It decides how fast a flow is back at its old rate.",
	},
	[SETTING_DCQCN_RPG_TIME_RESET] = {
		"dcqcn.rpg_time_reset_us", T_INT, AT(dcqcn.rpg_time_reset), 0, UINT32_MAX,
		.documented_min = 1, .documented_max = 131071, .unit = "microseconds",
		.default_value = "300", .kernel_interface = DCQCN("time_reset"),
		.doc = "Time between rate increases while no CNP arrives.",
		.why = "Shorter recovers faster and congests again sooner.",
	},
	[SETTING_DCQCN_RPG_BYTE_RESET] = {
		"dcqcn.rpg_byte_reset", T_INT, AT(dcqcn.rpg_byte_reset), 0, UINT32_MAX,
		.documented_max = 32767,
		.default_value = "32767", .kernel_interface = DCQCN("byte_reset"),
		.doc = "Bytes between rate increases, in firmware's units; 0: off.",
		.why = "The byte counter drives increases of fast flows.",
	},
	[SETTING_DCQCN_RPG_THRESHOLD] = {
		"dcqcn.rpg_threshold", T_INT, AT(dcqcn.rpg_threshold), 0, UINT32_MAX,
		.documented_min = 1, .documented_max = 31,
		.default_value = "1", .kernel_interface = DCQCN("threshold"),
		.doc = "Stages before the next phase of increase.",
		.why = "It separates fast recovery from active increase.",
	},
	[SETTING_DCQCN_RPG_AI_RATE] = {
		"dcqcn.rpg_ai_rate_mbps", T_INT, AT(dcqcn.rpg_ai_rate), 0, UINT32_MAX,
		.documented_min = 1, .documented_max = 131071, .unit = "Mb/s",
		.default_value = "5", .kernel_interface = DCQCN("ai_rate"),
		.doc = "Step of additive increase.",
		.why = "Larger steps fill the link sooner and overshoot more.",
	},
	[SETTING_DCQCN_RPG_MAX_RATE] = {
		"dcqcn.rpg_max_rate_mbps", T_INT, AT(dcqcn.rpg_max_rate), 0, UINT32_MAX,
		.documented_max = 2147483647, .unit = "Mb/s",
		.default_value = "0", .kernel_interface = DCQCN("max_rate"),
		.doc = "Rate at which the limiter lets go; 0: the port's speed.",
		.why = "A limited flow stays limited until it gets there.",
	},
	[SETTING_DCQCN_RPG_HAI_RATE] = {
		"dcqcn.rpg_hai_rate_mbps", T_INT, AT(dcqcn.rpg_hai_rate), 0, UINT32_MAX,
		.documented_min = 1, .documented_max = 131071, .unit = "Mb/s",
		.default_value = "50", .kernel_interface = DCQCN("hai_rate"),
		.doc = "Step of hyper increase.",
		.why = "It decides how fast a long unlimited flow takes back its share.",
	},
	[SETTING_DCQCN_RPG_MIN_DEC_FAC] = {
		"dcqcn.rpg_min_dec_fac", T_INT, AT(dcqcn.rpg_min_dec_fac), 0, 100,
		.unit = "percent",
		.default_value = "50", .kernel_interface = DCQCN("min_dec_fac"),
		.doc = "Least that one cut leaves of the current rate; 100: never cut.",
		.why = "It bounds how hard one CNP can hit.",
	},
	[SETTING_DCQCN_RPG_MIN_RATE] = {
		"dcqcn.rpg_min_rate_mbps", T_INT, AT(dcqcn.rpg_min_rate), 1, UINT32_MAX,
		.documented_min = 1, .documented_max = 800000, .unit = "Mb/s",
		.default_value = "1", .kernel_interface = DCQCN("min_rate"),
		.doc = "Rate below which a flow is never cut.",
		.why = "A floor too high keeps the congestion.",
	},
	[SETTING_DCQCN_RATE_TO_SET_ON_FIRST_CNP] = {
		"dcqcn.rate_to_set_on_first_cnp_mbps", T_INT,
		AT(dcqcn.rate_to_set_on_first_cnp), 0, UINT32_MAX,
		.documented_max = 800000, .unit = "Mb/s",
		.default_value = "0", .kernel_interface = DCQCN("rate_to_set_on_first_cnp"),
		.doc = "Rate of a flow after its first CNP; 0: the port's speed.",
		.why = "A low start tames incast and slows single flows.",
	},
	[SETTING_DCQCN_DCE_TCP_G] = {
		"dcqcn.dce_tcp_g", T_INT, AT(dcqcn.dce_tcp_g), 0, 1023,
		.default_value = "1019", .kernel_interface = DCQCN("dce_tcp_g"),
		.doc = "Gain of the congestion estimate alpha, in 1/1024.",
		.why = "It decides how much history counts.",
	},
	[SETTING_DCQCN_DCE_TCP_RTT] = {
		"dcqcn.dce_tcp_rtt_us", T_INT, AT(dcqcn.dce_tcp_rtt), 1, 131071,
		.unit = "microseconds",
		.default_value = "1", .kernel_interface = DCQCN("dce_tcp_rtt"),
		.doc = "Period of the congestion estimate alpha.",
		.why = "It should be near the round trip of the fabric.",
	},
	[SETTING_DCQCN_RATE_REDUCE_MONITOR_PERIOD] = {
		"dcqcn.rate_reduce_monitor_period_us", T_INT,
		AT(dcqcn.rate_reduce_monitor_period), 1, UINT32_MAX,
		.unit = "microseconds",
		.default_value = "4", .kernel_interface = DCQCN("rate_reduce_monitor_period"),
		.doc = "Least time between two cuts of a flow.",
		.why = "Without it a burst of CNPs would cut many times for one congestion.",
	},
	[SETTING_DCQCN_INITIAL_ALPHA_VALUE] = {
		"dcqcn.initial_alpha_value", T_INT, AT(dcqcn.initial_alpha_value), 1, 1023,
		.default_value = "1023", .kernel_interface = DCQCN("initial_alpha_value"),
		.doc = "Congestion estimate alpha at the first CNP, in 1/1024.",
		.why = "It decides how hard the first cut is.",
	},
	[SETTING_DCQCN_RPG_GD] = {
		"dcqcn.rpg_gd", T_INT, AT(dcqcn.rpg_gd), 10, 11,
		.default_value = "11", .kernel_interface = DCQCN("gd"),
		.doc = "Divisor from alpha to the cut, as a power of two.",
		.why = "Smaller cuts harder.",
	},
	[SETTING_ROCE_ENABLED] = {
		"roce.enabled", T_BOOL, AT(roce.enabled), 0, 1,
		.default_value = "true", .kernel_interface = "devlink parameter enable_roce",
		.doc = "RoCE as a whole; verified, never written.",
		.why = "A change needs a reload of the driver, which takes the RDMA device away "
		       "and resets ETS: that is for you to time.",
	},
	[SETTING_ROCE_V2_GID] = {
		"roce.v2_gid", T_BOOL, AT(roce.v2_gid), 0, 1,
		.default_value = "true",
		.kernel_interface = "sysfs infiniband/DEVICE/ports/N/gid_attrs/types",
		.doc = "The port has a RoCE v2 GID; verified, never written.",
		.why = "Without one no RoCE v2 connection can be made: the port is down, has no "
		       "address, or is in another mode.",
	},
	[SETTING_ROCE_MODE] = {
		"roce.mode", T_ENUM, AT(roce.mode), 0, 1, .names = roce_names,
		.default_value = "v2",
		.kernel_interface = "configfs rdma_cm/DEVICE/ports/N/default_roce_mode",
		.doc = "RoCE version of new connections made through rdma_cm.",
		.why = "RoCE v1 is not routable and has no DSCP. Programs that choose a GID "
		       "themselves are not affected.",
	},
	[SETTING_ROCE_TOS] = {
		"roce.tos", T_INT, AT(roce.tos), 0, 255,
		.default_value = "0",
		.kernel_interface = "configfs rdma_cm/DEVICE/ports/N/default_roce_tos",
		.doc = "ToS byte (DSCP << 2 | ECN) of new connections made through rdma_cm.",
		.why = "It puts RoCE traffic into its lossless class; 106 is DSCP 26, ECN "
		       "capable. Programs that set their own traffic class are not affected.",
	},
	[SETTING_ROCE_TRAFFIC_CLASS] = {
		"roce.traffic_class", T_WORD_OR_INT, AT(roce.traffic_class), 0, 255,
		.names = unset_names,
		.default_value = "unset",
		.kernel_interface = "sysfs infiniband/DEVICE/tc/N/traffic_class (MLNX_OFED)",
		.doc = "Traffic class byte (DSCP << 2 | ECN) forced on all RC connections, or "
		       "\"unset\".",
		.why = "It marks programs that set no traffic class and do not use rdma_cm.",
	},
	[SETTING_HOST_TCP_ECN] = {
		"host.tcp_ecn", T_INT, AT(host.tcp_ecn), 0, 2,
		.default_value = "2", .kernel_interface = "sysctl net.ipv4.tcp_ecn",
		.doc = "ECN of TCP: 0 off, 1 on, 2 when the peer asks; advice: verified, never "
		       "written.",
		.why = "TCP that ignores ECN keeps shared queues full, and CNPs go to the wrong "
		       "flows.",
	},
	[SETTING_PEER_MUST_AGREE] = {
		"peer.must_agree", T_WORDS, AT(peer.must_agree), 0, (1 << AGREE_COUNT) - 1,
		.names = agree_names,
		.default_value = "[]",
		.kernel_interface = "the switch's LLDP, heard by lldpad or on the wire",
		.doc = "What the switch must advertise as the port has it; verified, never "
		       "written.",
		.why = "PFC on one end of a cable only loses frames there: the other end never "
		       "pauses, or is never heard.",
	},
};
/* clang-format on */
