#include "peer_reasons.h"

/* clang-format off: one block per reason */
static const struct peer_reason peer_reasons[] = {
	[REASON_PORT_LINK_DOWN] = {
		"port-link-down", PEER_STATUS_UNKNOWN, "the link is down",
		"look at the cable and at the port of the switch",
		"What was heard before the link went down says nothing of what is there now.",
	},
	[REASON_LLDP_LISTEN_FAILED] = {
		"lldp-listen-failed", PEER_STATUS_UNKNOWN, "nobody here can listen for the switch",
		"run it as root, or with CAP_NET_RAW",
		"LLDP is heard by lldpad, or by a raw socket of our own.",
	},
	[REASON_LLDP_MISSING] = {
		"peer-lldp-missing", PEER_STATUS_UNKNOWN, "the switch sends no LLDP",
		"switch LLDP on at the switch's port; an agent in the adapter's firmware may "
		"keep LLDP to itself, too",
		"A switch that sends nothing cannot be asked; most send every 30 seconds.",
	},
	[REASON_LLDPDU_MALFORMED] = {
		"peer-lldpdu-malformed", PEER_STATUS_UNKNOWN, "what the switch sends is no LLDP",
		"look at the frame with tcpdump, and report it to the switch's maker",
		"A frame with a length that does not add up is not believed in any part.",
	},
	[REASON_LLDP_EXPIRED] = {
		"peer-lldp-expired", PEER_STATUS_UNKNOWN,
		"the LLDP neighbour shut down, or its data expired",
		"look whether the switch's port still sends LLDP",
		"Each LLDPDU says how long it is good for (0: no more); after that nothing is "
		"known.",
	},
	[REASON_NOT_UNIQUE] = {
		"peer-not-unique", PEER_STATUS_UNKNOWN, "several devices send LLDP on this cable",
		"find out what sits between this port and the switch, and let only one speak",
		"DCBX is between two ports. With a third the setup may flip with each frame.",
	},
	[REASON_TLV_MALFORMED] = {
		"peer-tlv-malformed", PEER_STATUS_UNKNOWN,
		"a part of what the switch says is malformed",
		"report it to the switch's maker; do not let this port be willing",
		"An agent that does not check it may have set up the port with garbage.",
	},
	[REASON_CEE_ONLY] = {
		"peer-cee-only", PEER_STATUS_DIFFERS,
		"the switch speaks the older CEE dialect of DCBX",
		"set DCBX of the switch's port to IEEE (802.1Qaz)",
		"CEE and IEEE agents do not understand each other, and nothing is agreed.",
	},
	[REASON_TLV_MISSING] = {
		"peer-tlv-missing", PEER_STATUS_UNKNOWN, "the switch says nothing of it",
		"let the switch's port send its DCBX TLVs (IEEE 802.1Qaz)",
		"Without it nobody can tell whether the switch is set up for it.",
	},
	[REASON_SETTING_UNKNOWN] = {
		"port-setting-unknown", PEER_STATUS_UNKNOWN, "the port itself does not tell",
		"look at `losslessctl show`",
		"What the port has cannot be read, so that nothing can be compared.",
	},
	[REASON_ADVERTISEMENT_MISMATCH] = {
		"port-advertisement-mismatch", PEER_STATUS_DIFFERS,
		"this port advertises something else than it has",
		"apply the policy again; if that does not help, look at what lldpad is set up for "
		"(lldptool -t -i PORT)",
		"lldpad never reads what the kernel has: a driver that refused, or somebody else "
		"who wrote, is not seen by it, and the switch is told a tale.",
	},
	[REASON_BOTH_WILLING] = {
		"dcbx-both-willing", PEER_STATUS_DIFFERS, "both ends are willing",
		"let one end decide: dcbx.mode host, or a switch that is not willing",
		"Two willing ends are told apart by their MAC addresses, which nobody chose.",
	},
	[REASON_PFC_CAP_EXCEEDED] = {
		"peer-pfc-cap-exceeded", PEER_STATUS_DIFFERS,
		"more lossless priorities than the switch's port can have",
		"use fewer lossless priorities",
		"Switches have room for two to eight lossless priorities a port.",
	},
	[REASON_PFC_MISMATCH] = {
		"peer-pfc-mismatch", PEER_STATUS_DIFFERS, "PFC differs",
		"set the same priorities on the switch's port and in the policy",
		"A priority that is lossless at one end only loses frames: the other never pauses, "
		"or is not heard. Some switches turn PFC off altogether.",
	},
	[REASON_ETS_MISMATCH] = {
		"peer-ets-mismatch", PEER_STATUS_DIFFERS_ALLOWED, "ETS differs",
		"set the same classes and shares on the switch, if its direction should have them",
		"Each end shares out its own direction; only a willing end follows the other.",
	},
	[REASON_APP_CONFLICT] = {
		"peer-app-conflict", PEER_STATUS_DIFFERS, "the same traffic has two priorities",
		"set the same priority for it on the switch and in the policy",
		"Its frames travel in one class here and in another there, where PFC may be off.",
	},
	[REASON_PORT_DRIFTED] = {
		"port-drifted", PEER_STATUS_DIFFERS,
		"the port itself has not what the policy wants",
		"losslessctl apply",
		"What the switch says is compared with what the port has, and that is not what it "
		"should be.",
	},
	[REASON_LLDPAD_UNRESPONSIVE] = {
		"lldpad-unresponsive", PEER_STATUS_UNKNOWN, "lldpad runs, and does not answer",
		"look whether lldpad hangs (systemctl status lldpad), and restart it",
		"What this port advertises is not known; the switch forgets it when its time to "
		"live is over.",
	},
};
/* clang-format on */

#define PEER_REASONS_COUNT (sizeof(peer_reasons) / sizeof(peer_reasons[0]))

const struct peer_reason *peer_reason_at(size_t i)
{
	return i < PEER_REASONS_COUNT ? &peer_reasons[i] : NULL;
}

const char *peer_status_name(enum peer_status a)
{
	static const char *const names[] = {
		[PEER_STATUS_AGREES] = "agrees",
		[PEER_STATUS_DIFFERS_ALLOWED] = "differs_allowed",
		[PEER_STATUS_UNKNOWN] = "unknown",
		[PEER_STATUS_DIFFERS] = "differs",
	};

	return names[a];
}
