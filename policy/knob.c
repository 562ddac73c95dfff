#include "knob.h"

#include <string.h>

#define AT(member) \
	.offset = offsetof(struct config, member), .size = sizeof(((struct config *)0)->member), \
	.count = 1
#define EACH(member) \
	.offset = offsetof(struct config, member), \
	.size = sizeof(((struct config *)0)->member[0]), \
	.count = sizeof(((struct config *)0)->member) / sizeof(((struct config *)0)->member[0])

static const char *const dcbx_names[] = { "firmware", "host", NULL };
static const char *const tsa_names[] = { "strict", "cbs", "ets", "vendor", NULL };
static const char *const trust_names[] = { "pcp", "dscp", NULL };
static const char *const rest_names[] = { "class", "keep", "none", NULL };
static const char *const roce_names[] = { "v1", "v2", NULL };

/* clang-format off: one block per knob, aligned by hand */
const struct knob knobs[KNOB_COUNT] = {
	[KNOB_MTU] = { "mtu", T_INT, AT(mtu), 68, 65535, .unit = "bytes", .preset = "1500",
		       .surface = "rtnetlink IFLA_MTU",
		       .doc = "Largest Ethernet payload of the port.",
		       .why = "A 4096-byte RDMA packet needs an MTU of at least 4200; headroom is "
			      "sized from it." },
	[KNOB_DCBX_MODE] = { "dcbx.mode", T_ENUM, AT(dcbx.mode), 0, 1, .names = dcbx_names,
			     .preset = "set by firmware", .surface = "dcbnl DCB_CMD_SDCBX",
			     .doc = "Who configures the port: this host, or the adapter's own DCBX "
				    "agent.",
			     .why = "In firmware mode a willing adapter takes over what the switch "
				    "says, whenever it says it, "
				    "and tells nobody." },
	[KNOB_PAUSE_RX] = { "pause.rx", T_BOOL, AT(pause.rx), 0, 1, .preset = "true",
			    .surface = "ethtool PAUSE_SET",
			    .doc = "Obey 802.3x global pause frames.",
			    .why = "Global pause stops every priority at once and excludes PFC." },
	[KNOB_PAUSE_TX] = { "pause.tx", T_BOOL, AT(pause.tx), 0, 1, .preset = "true",
			    .surface = "ethtool PAUSE_SET",
			    .doc = "Send 802.3x global pause frames.",
			    .why = "Global pause stops every priority at once and excludes PFC." },
	[KNOB_PFC_PRIORITIES] = { "pfc.priorities", T_PRIOSET, AT(pfc.priorities), 0, 7,
				  .preset = "[]", .surface = "dcbnl DCB_ATTR_IEEE_PFC pfc_en",
				  .doc = "Priorities that are paused instead of dropped (802.1Q "
					 "priority flow control).",
				  .why = "The switch must pause the same priorities. On mlx5 a "
					 "change takes the link down for a "
					 "moment and switches global pause off." },
	[KNOB_PFC_CABLE_M] = { "pfc.cable_m", T_INT, AT(pfc.cable_m), 1, 999, .unit = "metres",
			       .preset = "7", .surface = "dcbnl DCB_ATTR_IEEE_PFC delay",
			       .doc = "Length of the cable, from which the adapter computes "
				      "headroom.",
			       .why = "Data in flight when a pause is sent must fit: too short a "
				      "length here means drops "
				      "on a long cable." },
	[KNOB_ETS_PRIO_TC] = { "ets.prio_tc", T_INT, EACH(ets.prio_tc), 0, 7,
			       .preset = "[1,0,2,3,4,5,6,7]",
			       .surface = "dcbnl DCB_ATTR_IEEE_ETS prio_tc",
			       .doc = "Traffic class of each priority, for priorities 0 to 7.",
			       .why = "A lossless priority that shares a class with a lossy one "
				      "blocks it when paused." },
	[KNOB_ETS_TSA] = { "ets.tsa", T_ENUM, EACH(ets.tsa), 0, 3, .names = tsa_names,
			   .preset = "all vendor", .surface = "dcbnl DCB_ATTR_IEEE_ETS tc_tsa",
			   .doc = "Transmission selection of each traffic class, for classes 0 to "
				  "7.",
			   .why = "Strict classes are served first and can starve the others; CNPs "
				  "belong there, data does not. "
				  "A driver re-initialisation resets all to vendor." },
	[KNOB_ETS_BANDWIDTH] = { "ets.bandwidth", T_INT, EACH(ets.bandwidth), 0, 100,
				 .unit = "percent", .preset = "[0,0,0,0,0,0,0,0]",
				 .surface = "dcbnl DCB_ATTR_IEEE_ETS tc_tx_bw",
				 .doc = "Guaranteed share of each ets class; 0 for the others.",
				 .why = "The shares of the ets classes must add up to 100." },
	[KNOB_TRUST] = { "trust", T_ENUM, AT(trust), 0, 1, .names = trust_names, .preset = "pcp",
			 .surface = "dcbnl DCB_ATTR_IEEE_APP_TABLE (any DSCP entry)",
			 .doc = "What gives a frame its priority: the VLAN tag's PCP or the DSCP.",
			 .why = "RoCE v2 across routed links has no VLAN tag, so only DSCP carries "
				"the priority. On mlx5 "
				"trust is dscp exactly while a DSCP entry exists." },
	[KNOB_DSCP_PRIO] = { "dscp.prio", T_DSCPMAP, EACH(dscp.prio), 0, 7, .preset = "DSCP >> 3",
			     .surface = "dcbnl DCB_ATTR_IEEE_APP_TABLE selector 5",
			     .doc = "Priority of each DSCP that is named; dscp.rest says what the "
				    "others get.",
			     .why = "The first entry switches the whole port to DSCP trust, so all "
				    "64 are written and proven." },
	[KNOB_DSCP_REST] = { "dscp.rest", T_REST, AT(dscp.rest), 0, 7, .names = rest_names,
			     .preset = "class",
			     .surface = "dcbnl DCB_ATTR_IEEE_APP_TABLE selector 5",
			     .doc = "Priority of every DSCP not named: class (DSCP >> 3), a "
				    "number, keep (not judged) or "
				    "none (no entry).",
			     .why = "An unnamed DSCP follows whatever the adapter's table holds, "
				    "and nobody can read that." },
	[KNOB_ROCE_MODE] = { "roce.mode", T_ENUM, AT(roce.mode), 0, 1, .names = roce_names,
			     .preset = "v2",
			     .surface = "configfs rdma_cm/DEVICE/ports/N/default_roce_mode",
			     .doc = "RoCE version of new connections made through rdma_cm.",
			     .why = "RoCE v1 is not routable and has no DSCP. Programs that choose "
				    "a GID themselves are not "
				    "affected." },
	[KNOB_ROCE_TOS] = { "roce.tos", T_INT, AT(roce.tos), 0, 255, .preset = "0",
			    .surface = "configfs rdma_cm/DEVICE/ports/N/default_roce_tos",
			    .doc = "ToS byte (DSCP << 2 | ECN) of new connections made through "
				   "rdma_cm.",
			    .why = "It puts RoCE traffic into its lossless class; 106 is DSCP 26, "
				   "ECN capable. Programs that "
				   "set their own traffic class are not affected." },
};
/* clang-format on */

static const void *where(const struct knob *k, const struct config *c)
{
	return (const char *)c + k->offset;
}

const struct knob *knob_find(const char *path)
{
	for (size_t i = 0; i < KNOB_COUNT; i++)
		if (strcmp(knobs[i].path, path) == 0)
			return &knobs[i];
	return NULL;
}

int64_t knob_element(const struct knob *k, const struct config *c, size_t i)
{
	const char *p = (const char *)where(k, c) + i * k->size;

	if (k->type == T_DSCPMAP)
		return *(const int8_t *)p;
	switch (k->size) {
	case 1:
		return *(const uint8_t *)p;
	case 2:
		return *(const uint16_t *)p;
	default:
		return *(const uint32_t *)p;
	}
}

void knob_set_element(const struct knob *k, struct config *c, size_t i, int64_t v)
{
	char *p = (char *)c + k->offset + i * k->size;

	switch (k->size) {
	case 1:
		*(uint8_t *)p = (uint8_t)v;
		break;
	case 2:
		*(uint16_t *)p = (uint16_t)v;
		break;
	default:
		*(uint32_t *)p = (uint32_t)v;
		break;
	}
}

static bool same_element(const struct knob *k, const struct config *a, const struct config *b,
			 size_t i)
{
	int64_t x = knob_element(k, a, i), y = knob_element(k, b, i);

	return x == y || (k->type == T_DSCPMAP && (x == DSCP_KEEP || y == DSCP_KEEP));
}

bool knob_equal(const struct knob *k, const struct config *a, const struct config *b)
{
	for (size_t i = 0; i < k->count; i++)
		if (!same_element(k, a, b, i))
			return false;
	return true;
}

void knob_copy(const struct knob *k, struct config *to, const struct config *from)
{
	bool merge = k->type == T_DSCPMAP && (to->has & KNOB(k - knobs));

	for (size_t i = 0; i < k->count; i++) {
		int64_t v = knob_element(k, from, i);

		if (!merge || v != DSCP_KEEP)
			knob_set_element(k, to, i, v);
	}
	to->has |= KNOB(k - knobs);
}

void knob_narrow(const struct knob *k, struct config *a, struct config *b)
{
	for (size_t i = 0; k->type == T_DSCPMAP && i < k->count; i++) {
		if (!same_element(k, a, b, i))
			continue;
		knob_set_element(k, a, i, DSCP_KEEP);
		knob_set_element(k, b, i, DSCP_KEEP);
	}
}

knobset config_diff(const struct config *want, const struct config *have)
{
	knobset differ = want->has & ~have->has;

	for (size_t i = 0; i < KNOB_COUNT; i++)
		if ((want->has & have->has & KNOB(i)) && !knob_equal(&knobs[i], want, have))
			differ |= KNOB(i);
	return differ;
}

bool config_withdraws_pfc(const struct config *from, const struct config *to)
{
	unsigned lost = from->pfc.priorities & ~to->pfc.priorities;
	unsigned gained = to->pfc.priorities & ~from->pfc.priorities;

	return lost && !gained;
}

struct config config_overlay(const struct config *base, const struct config *over)
{
	struct config out = *base;

	for (size_t i = 0; i < KNOB_COUNT; i++)
		if (over->has & KNOB(i))
			knob_copy(&knobs[i], &out, over);
	return out;
}
