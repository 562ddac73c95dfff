#include "lint_list.h"

/* RoCE in APP entries: selectors of IEEE 802.1Q, numbers of IANA. */
enum { SELECTOR_ETHERTYPE = 1, SELECTOR_UDP = 3 };
enum { ETHERTYPE_ROCE_V1 = 0x8915, UDP_PORT_ROCE_V2 = 4791 };

/* The byte is an IPv4 ToS or IPv6 traffic class: DSCP << 2 | ECN (RFC 3168). */
static unsigned dscp_of(unsigned byte)
{
	return byte >> 2 & 63;
}

static bool reaches_lossless(const struct config *c, unsigned byte)
{
	int prio = c->dscp.prio[dscp_of(byte)];

	return prio < 0 || !c->pfc.priorities || is_lossless(c, prio);
}

/* A byte of 0 marks no packet, so it passes. */
static bool is_ecn_capable(unsigned byte)
{
	return byte == 0 || (byte & 3) == 1 || (byte & 3) == 2;
}

static bool tos_reaches_lossless(const struct config *c)
{
	return reaches_lossless(c, c->roce.tos);
}

static bool tos_is_ecn_capable(const struct config *c)
{
	return is_ecn_capable(c->roce.tos);
}

static bool traffic_class_reaches_lossless(const struct config *c)
{
	return c->roce.traffic_class == TRAFFIC_CLASS_UNSET ||
	       reaches_lossless(c, c->roce.traffic_class);
}

static bool traffic_class_is_ecn_capable(const struct config *c)
{
	return c->roce.traffic_class == TRAFFIC_CLASS_UNSET ||
	       is_ecn_capable(c->roce.traffic_class);
}

static bool tos_is_the_traffic_class(const struct config *c)
{
	return c->roce.traffic_class == TRAFFIC_CLASS_UNSET ||
	       dscp_of(c->roce.tos) == dscp_of(c->roce.traffic_class);
}

/* Bit per lossless priority that a DSCP is known to map to. */
static unsigned lossless_by_dscp(const struct config *c)
{
	unsigned prios = 0;

	for (int d = 0; d < DSCPS; d++)
		if (is_lossless(c, c->dscp.prio[d]))
			prios |= 1u << c->dscp.prio[d];
	return prios;
}

/* A class outside the lossless priorities has a lint of its own: not-lossless. */
static bool traffic_class_hides_none(const struct config *c)
{
	int forced = c->roce.traffic_class == TRAFFIC_CLASS_UNSET
			     ? DSCP_NONE
			     : c->dscp.prio[dscp_of(c->roce.traffic_class)];

	return !is_lossless(c, forced) || !(lossless_by_dscp(c) & ~(1u << forced));
}

static bool roce_is_routable(const struct config *c)
{
	return c->trust != TRUST_DSCP || c->roce.mode == ROCE_V2;
}

/* Bit per priority that at least one DSCP maps to; all bits if a DSCP's priority is unknown. */
static unsigned reached(const struct config *c)
{
	unsigned prios = 0;

	for (int d = 0; d < DSCPS; d++) {
		if (c->dscp.prio[d] == DSCP_KEEP)
			return 0xff;
		if (c->dscp.prio[d] >= 0)
			prios |= 1u << c->dscp.prio[d];
	}
	return prios;
}

static bool lossless_is_reached(const struct config *c)
{
	return c->trust != TRUST_DSCP || !(c->pfc.priorities & ~reached(c));
}

static bool is_roce(const struct app_entry *e)
{
	return (e->selector == SELECTOR_ETHERTYPE && e->protocol == ETHERTYPE_ROCE_V1) ||
	       (e->selector == SELECTOR_UDP && e->protocol == UDP_PORT_ROCE_V2);
}

static bool app_reaches_lossless(const struct config *c)
{
	for (int i = 0; i < APPS_MAX && c->app.entries[i].selector; i++)
		if (is_roce(&c->app.entries[i]) && c->pfc.priorities &&
		    !is_lossless(c, c->app.entries[i].priority))
			return false;
	return true;
}

#define MAPPED (SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_DSCP_PRIO))

/* clang-format off: one block per lint, aligned by hand */
const struct lint lints_marking[] = {
	{ "roce-tos-not-lossless", SEVERITY_WARNING, MAPPED | SETTING(SETTING_ROCE_TOS),
	  "roce.tos marks RoCE with a DSCP whose priority is not lossless",
	  "map DSCP roce.tos >> 2 to a priority of pfc.priorities",
	  "Under load, traffic outside the lossless class is dropped without an error.",
	  .passes = tos_reaches_lossless },
	{ "roce-tos-not-ecn-capable", SEVERITY_WARNING, SETTING(SETTING_ROCE_TOS),
	  "roce.tos is not ECN capable (ECN bits 0), or marks congestion (3)",
	  "add 2 to the DSCP << 2: 106 for DSCP 26",
	  "A switch drops packets that are not ECN capable instead of marking them.",
	  .passes = tos_is_ecn_capable },
	{ "roce-traffic-class-not-lossless", SEVERITY_WARNING,
	  MAPPED | SETTING(SETTING_ROCE_TRAFFIC_CLASS),
	  "roce.traffic_class marks RoCE with a DSCP whose priority is not lossless",
	  "map DSCP roce.traffic_class >> 2 to a priority of pfc.priorities",
	  "Under load, traffic outside the lossless class is dropped without an error.",
	  .passes = traffic_class_reaches_lossless },
	{ "roce-traffic-class-not-ecn-capable", SEVERITY_WARNING,
	  SETTING(SETTING_ROCE_TRAFFIC_CLASS),
	  "roce.traffic_class is not ECN capable (ECN bits 0), or marks congestion (3)",
	  "add 2 to the DSCP << 2: 106 for DSCP 26",
	  "A switch drops packets that are not ECN capable instead of marking them.",
	  .passes = traffic_class_is_ecn_capable },
	{ "roce-traffic-class-hides-lossless", SEVERITY_WARNING,
	  MAPPED | SETTING(SETTING_ROCE_TRAFFIC_CLASS),
	  "roce.traffic_class forces RoCE into one of several lossless priorities",
	  "set roce.traffic_class to \"unset\" and let programs choose (NCCL_IB_TC, "
	  "UCX_IB_TRAFFIC_CLASS), or make only its priority lossless",
	  "MLNX_OFED overrides the traffic class of every program's connections, also of those "
	  "that exist: other lossless priorities stay empty. Queue pairs that bypass the kernel "
	  "(DevX, as of NCCL GIN) keep their own class, apart from the rest.",
	  .passes = traffic_class_hides_none },
	{ "roce-tos-traffic-class-mismatch", SEVERITY_WARNING,
	  SETTING(SETTING_ROCE_TOS) | SETTING(SETTING_ROCE_TRAFFIC_CLASS),
	  "roce.tos and roce.traffic_class mark RoCE with different DSCPs",
	  "set both to the same value: 106 for DSCP 26, ECN capable",
	  "roce.tos marks connections made through rdma_cm, roce.traffic_class marks all of them: "
	  "some would use another class.",
	  .passes = tos_is_the_traffic_class },
	{ "trust-dscp-with-roce-v1", SEVERITY_WARNING,
	  SETTING(SETTING_TRUST) | SETTING(SETTING_ROCE_MODE),
	  "RoCE v1 has no DSCP, and the port trusts DSCP", "set roce.mode to v2",
	  "RoCE v1 frames have no IP header, so a port that trusts DSCP cannot classify them.",
	  .passes = roce_is_routable },
	{ "lossless-without-dscp", SEVERITY_WARNING, MAPPED | SETTING(SETTING_TRUST),
	  "no DSCP maps to a lossless priority",
	  "map the DSCP of RoCE to it in dscp.prio, or remove it from pfc.priorities",
	  "A port that trusts DSCP puts no frame into that priority, so RoCE is on another one.",
	  .passes = lossless_is_reached },
	{ "app-roce-not-lossless", SEVERITY_WARNING,
	  SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_APP_ENTRIES),
	  "an APP entry puts RoCE (UDP 4791, ethertype 0x8915) on a priority that is not lossless",
	  "give the entry a priority of pfc.priorities",
	  "A driver or peer that uses APP entries sends RoCE on a priority that is dropped under "
	  "load.",
	  .passes = app_reaches_lossless },
	{ .name = NULL }
};
/* clang-format on */
