#include "congestion_control.h"

#include <string.h>

#define ECN (SETTING(SETTING_ECN_NP) | SETTING(SETTING_ECN_RP_PRIORITIES))
#define RTT SETTING(SETTING_CNP_RTT_RESP_DSCP)

/* Settings that DCQCN alone uses: from the first parameter to the last, and the CNPs. */
#define DCQCN \
	((SETTING(SETTING_DCQCN_RPG_GD + 1) - SETTING(SETTING_DCQCN_CLAMP_TGT_RATE)) | \
	 SETTING(SETTING_CNP_DSCP) | SETTING(SETTING_CNP_PRIORITY) | \
	 SETTING(SETTING_CNP_PRIORITY_MODE) | SETTING(SETTING_CNP_MIN_INTERVAL_US))

const setting_set congestion_settings = ECN | RTT | DCQCN;

/* clang-format off: one block a row */
const struct congestion_control congestion_controls[] = {
	{ .name = "dcqcn",
	  .description = "DCQCN: switches mark, receivers send CNPs, senders slow down.",
	  .source = "NVIDIA DOCA 3.4, DCQCN CC Parameters" },
	{ .name = "spectrum-x",
	  .description = "Spectrum-X: an algorithm in the adapter's programmable slot replaces "
			 "DCQCN; RoCE stays lossless on priority 3.",
	  .owner = "Spectrum-X (the adapter's programmable congestion control)",
	  .asserted = { .has = SETTING(SETTING_TRUST) | SETTING(SETTING_PFC_PRIORITIES),
			.trust = TRUST_DSCP,
			.pfc.priorities = 1 << 3 },
	  .verified = ECN | RTT,
	  .rejected = DCQCN,
	  .reason = "the adapter's DCQCN slot is off, so it has no effect",
	  .source = "Mellanox/nic-configuration-operator, bindata/spectrum-x/RA2.1.yaml" },
	{ .name = "mrc",
	  .description =
		  "MRC: each node controls its own paths; the fabric is lossy, trims packets, "
		  "and has no PFC.",
	  .owner = "MRC (the node's own transport, NSCC)",
	  .asserted = { .has = SETTING(SETTING_PFC_PRIORITIES), .pfc.priorities = 0 },
	  .rejected = ECN | RTT | DCQCN,
	  .reason = "MRC has a congestion control of its own (NSCC), so it has no effect",
	  .source = "OCP, Multipath Reliable Connection 1.0 (May 2026); arXiv:2605.04333" },
	{ .name = "uec",
	  .description =
		  "Ultra Ethernet: the transport controls congestion; LLDP negotiates LLR and "
		  "CBFC, for which Linux has no interface.",
	  .owner = "the Ultra Ethernet transport",
	  .verified = ECN | RTT | DCQCN,
	  .source = "UEC specification 1.0.2, sections 5.1 and 5.2" },
	{ .name = "other",
	  .description = "Another congestion control, such as TIMELY, Swift or HPCC: ECN and DCQCN "
			 "settings do not describe it.",
	  .owner = "another congestion control",
	  .verified = ECN | RTT | DCQCN,
	  .source = "TIMELY (SIGCOMM 2015), HPCC (SIGCOMM 2019), Swift (SIGCOMM 2020)" },
	{ .name = NULL },
};
/* clang-format on */

const struct congestion_control *congestion_control_find(const char *name)
{
	for (const struct congestion_control *c = congestion_controls; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

setting_set congestion_verified(const struct congestion_control *c)
{
	return c ? c->verified : 0;
}
