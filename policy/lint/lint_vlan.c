#include "lint_list.h"

/* A map of all 0 is the kernel's default: nobody has configured it. */
static bool egress_is_mapped(const struct vlan_egress *v)
{
	for (int p = 0; p < PRIOS; p++)
		if (v->pcp[p] != 0)
			return true;
	return false;
}

static bool any_mapped(const struct config *c)
{
	for (int i = 0; i < VLANS_MAX && c->vlan.egress[i].name[0]; i++)
		if (egress_is_mapped(&c->vlan.egress[i]))
			return true;
	return false;
}

static bool pcp_trust_has_a_map(const struct config *c)
{
	return c->trust != TRUST_PCP || !c->pfc.priorities ||
	       (HAS(c, SETTING_VLAN_EGRESS) && any_mapped(c));
}

static bool device_keeps_lossless(const struct config *c, const struct vlan_egress *v)
{
	for (int p = 0; p < PRIOS; p++)
		if (is_lossless(c, p) && !is_lossless(c, v->pcp[p]))
			return false;
	return true;
}

static bool egress_keeps_lossless(const struct config *c)
{
	for (int i = 0; i < VLANS_MAX && c->vlan.egress[i].name[0]; i++)
		if (c->trust == TRUST_PCP && egress_is_mapped(&c->vlan.egress[i]) &&
		    !device_keeps_lossless(c, &c->vlan.egress[i]))
			return false;
	return true;
}

static bool has_a_dscp(const struct config *c, int prio)
{
	for (int d = 0; d < DSCPS; d++)
		if (c->dscp.prio[d] == prio || c->dscp.prio[d] == DSCP_KEEP)
			return true;
	return false;
}

/* A port with trust dscp never receives a priority that only a VLAN tag carries. */
static bool egress_has_dscps(const struct config *c)
{
	for (int i = 0; i < VLANS_MAX && c->vlan.egress[i].name[0]; i++)
		for (int p = 0; p < PRIOS; p++)
			if (c->trust == TRUST_DSCP && c->vlan.egress[i].pcp[p] != 0 &&
			    !has_a_dscp(c, p))
				return false;
	return true;
}

/* clang-format off: one block per lint, aligned by hand */
const struct lint lints_vlan[] = {
	{ "trust-pcp-without-vlan-egress", SEVERITY_INFO,
	  SETTING(SETTING_TRUST) | SETTING(SETTING_PFC_PRIORITIES),
	  "the port trusts PCP, and no VLAN device maps a priority to a PCP",
	  "map the priorities of each VLAN device to PCPs in vlan.egress",
	  "Without a map frames have PCP 0, and untagged frames have none: the peer treats both "
	  "as lossy.",
	  .passes = pcp_trust_has_a_map, .also_reads = SETTING(SETTING_VLAN_EGRESS) },
	{ "vlan-egress-not-lossless", SEVERITY_WARNING,
	  SETTING(SETTING_TRUST) | SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_VLAN_EGRESS),
	  "a VLAN device sends a lossless priority with a PCP that is not lossless",
	  "map it to its own number in vlan.egress",
	  "The peer derives the priority from the PCP, so it would pause another priority, or "
	  "none.",
	  .passes = egress_keeps_lossless },
	{ "vlan-egress-without-dscp", SEVERITY_WARNING,
	  SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_VLAN_EGRESS),
	  "a VLAN device sends a priority that no DSCP maps to, and the port trusts DSCP",
	  "map a DSCP to that priority in dscp.prio, or set trust to pcp",
	  "Peers mark such frames by PCP alone, which a port that trusts DSCP ignores.",
	  .passes = egress_has_dscps },
	{ .name = NULL }
};
/* clang-format on */
