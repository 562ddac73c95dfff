#include "peer_reasons.h"

/* clang-format off: one block per reason */
static const struct peer_reason peer_reasons[] = {
	[REASON_PORT_LINK_DOWN] = {
		"port-link-down", PEER_STATUS_UNKNOWN, "the link is down",
		"check the cable and the switch's port",
		"LLDP received before the link went down may be outdated.",
	},
	[REASON_PORT_WITHOUT_INTERFACE] = {
		"port-without-interface", PEER_STATUS_UNKNOWN,
		"its interface is in another network namespace",
		"run `losslessctl peer` on its PF",
		"A pod has the interface, and only the RDMA device is here. The switch sends LLDP "
		"to the PF.",
	},
	[REASON_NOT_COLLECTED] = {
		"peer-not-collected", PEER_STATUS_UNKNOWN,
		"the document does not have what the switch advertises",
		"run `losslessctl bundle --listen-for 35` on the host",
		"show --json does not listen for LLDP, and bundle only with --listen-for.",
	},
	[REASON_LLDP_LISTEN_FAILED] = {
		"lldp-listen-failed", PEER_STATUS_UNKNOWN, "this host cannot listen for LLDP",
		"run `sudo losslessctl peer`; in a container it needs CAP_NET_RAW",
		"LLDP is received by lldpad, or on a raw socket of losslessctl.",
	},
	[REASON_LLDP_MISSING] = {
		"peer-lldp-missing", PEER_STATUS_UNKNOWN, "no LLDP frame of the switch arrived",
		"enable LLDP on the switch's port; an LLDP agent in the adapter's firmware may "
		"also consume the frames",
		"Without LLDP, the switch's configuration is unknown. Most switches send every "
		"30 seconds.",
	},
	[REASON_LLDPDU_MALFORMED] = {
		"peer-lldpdu-malformed", PEER_STATUS_UNKNOWN, "the switch sends malformed LLDP",
		"capture the frame with tcpdump, and report it to the switch's vendor",
		"A frame whose lengths do not add up is ignored as a whole.",
	},
	[REASON_LLDP_EXPIRED] = {
		"peer-lldp-expired", PEER_STATUS_UNKNOWN,
		"the LLDP neighbour shut down, or its data expired",
		"check whether the switch's port still sends LLDP",
		"Each LLDPDU has a time to live (0: the agent shuts down). After it, the "
		"switch's configuration is unknown.",
	},
	[REASON_NOT_UNIQUE] = {
		"peer-not-unique", PEER_STATUS_UNKNOWN, "several devices send LLDP on this cable",
		"find the devices between this port and the switch, and let only one send LLDP",
		"DCBX connects two ports. With a third, the configuration may change with each "
		"frame.",
	},
	[REASON_TLV_MALFORMED] = {
		"peer-tlv-malformed", PEER_STATUS_UNKNOWN,
		"a TLV of the switch is malformed",
		"report it to the switch's vendor; do not make this port willing",
		"An agent that does not validate it may have configured the port wrongly.",
	},
	[REASON_CEE_ONLY] = {
		"peer-cee-only", PEER_STATUS_DIFFERS,
		"the switch sends the older CEE version of DCBX",
		"set DCBX on the switch's port to IEEE (802.1Qaz)",
		"CEE and IEEE agents ignore each other, so nothing is negotiated.",
	},
	[REASON_TLV_MISSING] = {
		"peer-tlv-missing", PEER_STATUS_UNKNOWN, "the switch does not advertise it",
		"enable the DCBX TLVs (IEEE 802.1Qaz) on the switch's port",
		"Without the TLV, the switch's configuration is unknown.",
	},
	[REASON_SETTING_UNKNOWN] = {
		"port-setting-unknown", PEER_STATUS_UNKNOWN, "the port's own setting is unknown",
		"run `losslessctl show` to see the reason",
		"The port's setting cannot be read, so there is nothing to compare.",
	},
	[REASON_ADVERTISEMENT_MISMATCH] = {
		"port-advertisement-mismatch", PEER_STATUS_DIFFERS,
		"this port does not advertise its actual settings",
		"set dcbx.advertise to true and dcbx.willing to false, and run `losslessctl "
		"apply`; if that does not help, check lldpad's configuration (`lldptool -t -i "
		"PORT`)",
		"lldpad never reads the kernel's state. If a driver refused a value, or another "
		"program wrote one, the switch receives stale state.",
	},
	[REASON_BOTH_WILLING] = {
		"dcbx-both-willing", PEER_STATUS_DIFFERS, "both sides are willing",
		"let one side decide: set dcbx.mode to host, dcbx.advertise to true and "
		"dcbx.willing to false, or make the switch not willing",
		"If both sides are willing, the MAC address breaks the tie: the outcome is "
		"arbitrary.",
	},
	[REASON_PFC_CAP_EXCEEDED] = {
		"peer-pfc-cap-exceeded", PEER_STATUS_DIFFERS,
		"more lossless priorities than the switch's port supports",
		"use fewer lossless priorities",
		"Switches support two to eight lossless priorities per port.",
	},
	[REASON_PFC_MISMATCH] = {
		"peer-pfc-mismatch", PEER_STATUS_DIFFERS, "PFC differs",
		"set the same priorities on the switch's port and in the policy; `losslessctl peer "
		"--fix-switch` prints the switch's commands",
		"A priority that is lossless on one side only drops frames: the other side "
		"never pauses, or ignores pauses. Some switches turn PFC off altogether.",
	},
	[REASON_ETS_MISMATCH] = {
		"peer-ets-mismatch", PEER_STATUS_DIFFERS_ALLOWED, "ETS differs",
		"set the same classes and shares on the switch, if both directions should have "
		"them",
		"Each side schedules its own direction; only a willing side follows the other.",
	},
	[REASON_APP_CONFLICT] = {
		"peer-app-conflict", PEER_STATUS_DIFFERS, "the same traffic has two priorities",
		"set the same priority for it on the switch and in the policy; `losslessctl peer "
		"--fix-switch` prints the switch's commands",
		"Its frames use one class on this port and another on the switch, where PFC may "
		"be off.",
	},
	[REASON_PORT_DRIFTED] = {
		"port-drifted", PEER_STATUS_DIFFERS,
		"the port itself differs from the policy",
		"run `losslessctl apply`",
		"The switch is compared with the port's actual settings, which differ from the "
		"policy.",
	},
	[REASON_LLDPAD_UNRESPONSIVE] = {
		"lldpad-unresponsive", PEER_STATUS_UNKNOWN, "lldpad runs but does not answer",
		"check whether lldpad hangs (`systemctl status lldpad`), and restart it",
		"It is unknown what this port advertises. The switch forgets it when the time "
		"to live ends.",
	},
};
/* clang-format on */

#define PEER_REASONS_COUNT (sizeof(peer_reasons) / sizeof(peer_reasons[0]))

const struct peer_reason *peer_reason_at(size_t i)
{
	return i < PEER_REASONS_COUNT ? &peer_reasons[i] : NULL;
}

enum word peer_word(enum peer_status a)
{
	static const enum word words[] = {
		[PEER_STATUS_AGREES] = WORD_AGREES,
		[PEER_STATUS_DIFFERS_ALLOWED] = WORD_DIFFERS_ALLOWED,
		[PEER_STATUS_UNKNOWN] = WORD_UNKNOWN,
		[PEER_STATUS_DIFFERS] = WORD_DIFFERS,
	};

	return words[a];
}
