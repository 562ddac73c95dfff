#include <stdio.h>

#include "../model/marking.h"
#include "../model/switch_map.h"
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

static bool pcp_trust_has_a_map(const struct config *c, const struct capabilities *f)
{
	return c->trust != TRUST_PCP || !c->pfc.priorities || f->mqprio.there ||
	       (HAS(c, SETTING_VLAN_EGRESS) && any_mapped(c));
}

/* ---- packets through a VLAN device ---- */

/* Without mqprio, which only one lint judges: in its place the maps have no part in rdma_cm. */
static int pcp_of(enum sender sender, uint8_t tos, const struct vlan_egress *v)
{
	const struct packet p = { .sender = sender, .tos = tos, .vlan = v };

	return packet_pcp(&p);
}

/* A ToS for each priority that the kernel gives one, and others like it. */
static const struct {
	uint8_t tos;
	const char *text;
} tos_examples[] = {
	{ 0, "0, the default" },
	{ 8, "8, 72 or 104" },
	{ 24, "24, 56 or 184" },
	{ 16, "16, 48 or 176" },
};
#define TOS_EXAMPLES (sizeof(tos_examples) / sizeof(tos_examples[0]))

/* A ToS of 0 marks no packet: programs choose their ToS, or make queue pairs themselves. */
static bool has_tos(const struct config *c)
{
	return HAS(c, SETTING_ROCE_TOS) && c->roce.tos;
}

/* True if connections of rdma_cm get a lossless PCP; where their ToS is unknown: if any can. */
static bool rdma_cm_is_lossless(const struct config *c, const struct vlan_egress *v)
{
	if (HAS(c, SETTING_ROCE_TOS))
		return is_lossless(c, pcp_of(SENDER_RDMA_CM, c->roce.tos, v));
	for (size_t i = 0; i < TOS_EXAMPLES; i++)
		if (is_lossless(c, pcp_of(SENDER_RDMA_CM, tos_examples[i].tos, v)))
			return true;
	return false;
}

static bool maps_to_lossless(const struct config *c, const struct vlan_egress *v)
{
	for (int p = 0; p < PRIOS; p++)
		if (is_lossless(c, v->pcp[p]))
			return true;
	return false;
}

/* True if a device's map has a lossless PCP: it is RoCE's. */
static bool is_of_roce(const struct config *c, const struct vlan_egress *v)
{
	return egress_is_mapped(v) && maps_to_lossless(c, v);
}

/*
 * The first VLAN device that loses rdma_cm's class; or NULL. Where none is RoCE's, each that is
 * mapped may be.
 */
static const struct vlan_egress *first_lossy(const struct config *c)
{
	bool any = false;

	for (int i = 0; i < VLANS_MAX && c->vlan.egress[i].name[0]; i++)
		any = any || is_of_roce(c, &c->vlan.egress[i]);
	for (int i = 0; i < VLANS_MAX && c->vlan.egress[i].name[0]; i++) {
		const struct vlan_egress *v = &c->vlan.egress[i];

		if (egress_is_mapped(v) && (!any || is_of_roce(c, v)) && !rdma_cm_is_lossless(c, v))
			return v;
	}
	return NULL;
}

static bool egress_keeps_lossless(const struct config *c, const struct capabilities *f)
{
	return c->trust != TRUST_PCP || !c->pfc.priorities || !has_tos(c) || f->mqprio.there ||
	       !first_lossy(c);
}

static void describe_lossy(const struct config *c, const struct capabilities *f,
			   char text[LINT_TEXT_MAX])
{
	const struct vlan_egress *v = first_lossy(c);

	(void)f;
	snprintf(text, LINT_TEXT_MAX,
		 "rdma_cm sends ToS %u through %s with PCP %d, which is not lossless: the kernel "
		 "gives this ToS the priority %u",
		 c->roce.tos, v->name, pcp_of(SENDER_RDMA_CM, c->roce.tos, v),
		 tos_kernel_priority(c->roce.tos));
}

/* The PCP that mqprio gives rdma_cm in each VLAN of the port; PCP_NONE: none does. */
static int pcp_by_mqprio(const struct config *c, const struct capabilities *f)
{
	const struct packet p = { .sender = SENDER_RDMA_CM,
				  .tos = c->roce.tos,
				  .vlan = &c->vlan.egress[0],
				  .mqprio = &f->mqprio };

	return f->mqprio.there && p.vlan->name[0] ? packet_pcp(&p) : PCP_NONE;
}

static bool mqprio_keeps_lossless(const struct config *c, const struct capabilities *f)
{
	int pcp = pcp_by_mqprio(c, f);

	return c->trust != TRUST_PCP || !c->pfc.priorities || !has_tos(c) || pcp == PCP_NONE ||
	       is_lossless(c, pcp);
}

static void describe_mqprio(const struct config *c, const struct capabilities *f,
			    char text[LINT_TEXT_MAX])
{
	int pcp = pcp_by_mqprio(c, f);

	snprintf(text, LINT_TEXT_MAX,
		 "rdma_cm sends ToS %u through %s with PCP %d, which is not lossless: mqprio gives "
		 "its priority %u the class %d",
		 c->roce.tos, c->vlan.egress[0].name, pcp, tos_kernel_priority(c->roce.tos), pcp);
}

/* The first VLAN device of RoCE that loses the class of rdma_cm without a ToS; or NULL. */
static const struct vlan_egress *first_unmarked(const struct config *c)
{
	for (int i = 0; i < VLANS_MAX && c->vlan.egress[i].name[0]; i++)
		if (is_of_roce(c, &c->vlan.egress[i]) &&
		    !rdma_cm_is_lossless(c, &c->vlan.egress[i]))
			return &c->vlan.egress[i];
	return NULL;
}

static bool tos_marks_packets(const struct config *c, const struct capabilities *f)
{
	return c->trust != TRUST_PCP || has_tos(c) || f->mqprio.there || !first_unmarked(c);
}

static void describe_unmarked(const struct config *c, const struct capabilities *f,
			      char text[LINT_TEXT_MAX])
{
	const struct vlan_egress *v = first_unmarked(c);

	(void)f;
	if (!HAS(c, SETTING_ROCE_TOS))
		snprintf(text, LINT_TEXT_MAX,
			 "rdma_cm sends no ToS through %s with a lossless PCP: the kernel gives "
			 "each ToS the priority 0, 2, 4 or 6",
			 v->name);
	else
		snprintf(text, LINT_TEXT_MAX,
			 "roce.tos is 0, and rdma_cm sends that through %s with PCP %d, which is "
			 "not lossless",
			 v->name, pcp_of(SENDER_RDMA_CM, 0, v));
}

/* The first ToS of sockets whose packets have a lossless PCP; NULL: none. */
static const struct vlan_egress *first_shared(const struct config *c, size_t *ret_example)
{
	for (int i = 0; i < VLANS_MAX && c->vlan.egress[i].name[0]; i++)
		for (size_t k = 0; k < TOS_EXAMPLES; k++)
			if (is_lossless(c, pcp_of(SENDER_SOCKET, tos_examples[k].tos,
						  &c->vlan.egress[i]))) {
				*ret_example = k;
				return &c->vlan.egress[i];
			}
	return NULL;
}

static bool sockets_stay_out(const struct config *c)
{
	size_t example;

	return c->trust != TRUST_PCP || !any_mapped(c) || !first_shared(c, &example);
}

static void describe_sockets(const struct config *c, const struct capabilities *f,
			     char text[LINT_TEXT_MAX])
{
	size_t example = 0;
	const struct vlan_egress *v = first_shared(c, &example);

	(void)f;
	snprintf(text, LINT_TEXT_MAX,
		 "TCP through %s with ToS %s has PCP %d: it is in the lossless class", v->name,
		 tos_examples[example].text, pcp_of(SENDER_SOCKET, tos_examples[example].tos, v));
}

/* The first VF whose packets all have a PCP that is not lossless; NULL: none. */
static const struct vf_vlan *first_lossy_vf(const struct config *c, const struct capabilities *f,
					    int *ret_pcp)
{
	for (int p = 0; p < PRIOS; p++)
		if (f->vf_vlans[p].vlan && !is_lossless(c, p)) {
			*ret_pcp = p;
			return &f->vf_vlans[p];
		}
	return NULL;
}

static bool vfs_are_lossless(const struct config *c, const struct capabilities *f)
{
	int pcp;

	return c->trust != TRUST_PCP || !c->pfc.priorities || !first_lossy_vf(c, f, &pcp);
}

static void describe_vf(const struct config *c, const struct capabilities *f,
			char text[LINT_TEXT_MAX])
{
	int pcp = 0;
	const struct vf_vlan *v = first_lossy_vf(c, f, &pcp);

	snprintf(text, LINT_TEXT_MAX,
		 "the port puts VF %u into VLAN %u with qos %d: all its packets have that PCP, "
		 "which is not lossless",
		 v ? v->vf : 0u, v ? v->vlan : 0u, pcp);
}

/* ---- trust dscp ---- */

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
			    !has_a_dscp(c, c->vlan.egress[i].pcp[p]))
				return false;
	return true;
}

/* The first VLAN device whose PCP for rdma_cm is not the lossless priority of its DSCP; or NULL. */
static const struct vlan_egress *first_other(const struct config *c)
{
	int prio = marks_priority(c, c->roce.tos, PCP_NONE);

	for (int i = 0; i < VLANS_MAX && c->vlan.egress[i].name[0]; i++)
		if (egress_is_mapped(&c->vlan.egress[i]) && is_lossless(c, prio) &&
		    pcp_of(SENDER_RDMA_CM, c->roce.tos, &c->vlan.egress[i]) != prio)
			return &c->vlan.egress[i];
	return NULL;
}

static bool pcp_is_that_of_dscp(const struct config *c, const struct capabilities *f)
{
	bool switch_reads_it = f->switch_map && f->switch_map->trust == TRUST_PCP;

	return c->trust != TRUST_DSCP || !switch_reads_it || f->mqprio.there || !first_other(c);
}

static void describe_other(const struct config *c, const struct capabilities *f,
			   char text[LINT_TEXT_MAX])
{
	const struct vlan_egress *v = first_other(c);

	snprintf(text, LINT_TEXT_MAX,
		 "rdma_cm sends ToS %u through %s with PCP %d, by which %s sorts, and its DSCP %d "
		 "has priority %d",
		 c->roce.tos, v->name, pcp_of(SENDER_RDMA_CM, c->roce.tos, v),
		 f->switch_map->display_name, c->roce.tos >> 2,
		 marks_priority(c, c->roce.tos, PCP_NONE));
}

#define PCP_CLASS  (SETTING(SETTING_TRUST) | SETTING(SETTING_PFC_PRIORITIES))
#define DSCP_CLASS (PCP_CLASS | SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_ROCE_TOS))
#define MAP_TOS \
	"map the kernel's priority of roce.tos to a lossless PCP in vlan.egress: {\"2\": 3} for " \
	"ToS 106 and PCP 3"

/* clang-format off: one block per lint, aligned by hand */
const struct lint lints_vlan[] = {
	{ "trust-pcp-without-vlan-egress", SEVERITY_INFO, PCP_CLASS,
	  "the port trusts PCP, and no VLAN device maps a priority to a PCP", MAP_TOS,
	  "Without a map frames have PCP 0, and untagged frames have none: the peer treats both "
	  "as lossy.",
	  .passes_on = pcp_trust_has_a_map, .also_reads = SETTING(SETTING_VLAN_EGRESS) },
	{ "vlan-egress-not-lossless", SEVERITY_CRITICAL, PCP_CLASS | SETTING(SETTING_VLAN_EGRESS),
	  "rdma_cm sends through a VLAN device with a PCP that is not lossless", MAP_TOS,
	  "rdma_cm maps the priority that the kernel gives a ToS, never a priority of PFC: 2 for "
	  "ToS 8, 72, 104 and 106, 6 for 16, 4 for 24 and 184, 0 for 0, 32, 96, 128, 160 and 192. "
	  "Programs that make queue pairs themselves write their service level "
	  "instead (NCCL_IB_SL, UCX_IB_SL).",
	  .passes_on = egress_keeps_lossless, .also_reads = SETTING(SETTING_ROCE_TOS),
	  .describe = describe_lossy },
	{ "mqprio-not-lossless", SEVERITY_CRITICAL,
	  PCP_CLASS | SETTING(SETTING_VLAN_EGRESS) | SETTING(SETTING_ROCE_TOS),
	  "mqprio gives rdma_cm a PCP that is not lossless",
	  "give the priority of roce.tos a lossless class in the map of tc's mqprio, or remove "
	  "mqprio from the port",
	  "Where mqprio gives the port traffic classes, rdma_cm's PCP is the class of the priority "
	  "that the kernel gives its ToS, and vlan.egress has no part in it.",
	  .passes_on = mqprio_keeps_lossless, .describe = describe_mqprio },
	{ "vlan-egress-without-tos", SEVERITY_WARNING, PCP_CLASS | SETTING(SETTING_VLAN_EGRESS),
	  "roce.tos is 0, and rdma_cm sends that through a VLAN device with a PCP that is not "
	  "lossless",
	  "set roce.tos, and map the kernel's priority of it in vlan.egress: {\"2\": 3} for ToS "
	  "106 and PCP 3",
	  "Connections of rdma_cm are lossless only if the program sets a ToS itself.",
	  .passes_on = tos_marks_packets, .also_reads = SETTING(SETTING_ROCE_TOS),
	  .describe = describe_unmarked },
	{ "vlan-egress-lossless-sockets", SEVERITY_INFO, PCP_CLASS | SETTING(SETTING_VLAN_EGRESS),
	  "TCP through a VLAN device can be in the lossless class",
	  "leave such a ToS to RDMA, or give TCP another VLAN device",
	  "A socket's ToS goes through the same table and map as that of rdma_cm. TCP in the "
	  "lossless class fills its buffers, and RDMA is paused with it.",
	  .passes = sockets_stay_out, .describe = describe_sockets },
	{ "vf-vlan-not-lossless", SEVERITY_INFO, PCP_CLASS,
	  "the port puts a VF into a VLAN with a PCP that is not lossless",
	  "if the VF carries RoCE, give its VLAN a lossless qos: ip link set PORT vf VF vlan ID "
	  "qos "
	  "PCP",
	  "The PF writes the tag, whatever service level or map the VF has. Without qos it is 0.",
	  .passes_on = vfs_are_lossless, .describe = describe_vf },
	{ "vlan-egress-without-dscp", SEVERITY_INFO,
	  SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_VLAN_EGRESS),
	  "a VLAN device sends a PCP that no DSCP maps to, and the port trusts DSCP",
	  "map a DSCP to that priority in dscp.prio, or set trust to pcp",
	  "Peers mark such frames by PCP alone, which a port that trusts DSCP ignores.",
	  .passes = egress_has_dscps },
	{ "vlan-egress-other-than-dscp", SEVERITY_INFO, DSCP_CLASS | SETTING(SETTING_VLAN_EGRESS),
	  "rdma_cm sends through a VLAN device with a PCP that is not the priority of its DSCP",
	  MAP_TOS,
	  "This port trusts DSCP and ignores the PCP. A switch that trusts PCP, as that of "
	  "\"fabric\", puts these packets into another class.",
	  .passes_on = pcp_is_that_of_dscp, .describe = describe_other },
	{ .name = NULL }
};
/* clang-format on */
