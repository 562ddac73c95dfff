#include "job_port.h"

#include <string.h>

#include "../model/congestion_control.h"
#include "../model/setting.h"

#define ECT0 2 /* RFC 3168: ECN capable */

/* On a bond the VLAN devices are the bond's, and their maps are not read with the port. */
static const struct vlan_egress *vlan_of(const struct job_port *p, const struct config *c)
{
	if (p->is_untagged)
		return NULL;
	return p->of_bond ? &c->vlan.egress[0] : config_vlan(c);
}

bool job_port_tags(const struct job_port *p)
{
	return vlan_of(p, &p->effective);
}

int job_port_priority(const struct job_port *p, const struct config *c, uint8_t traffic_class,
		      uint8_t service_level)
{
	const struct packet sent = { .sender = SENDER_VERBS,
				     .tos = traffic_class,
				     .service_level = service_level,
				     .vlan = vlan_of(p, c) };

	return marks_priority(c, traffic_class, packet_pcp(&sent));
}

bool job_port_trusts_pcp(const struct config *c)
{
	return (c->has & SETTING(SETTING_TRUST)) && c->trust == TRUST_PCP;
}

bool job_port_has_rdma(const struct job_port *p)
{
	return p->rdma[0] || p->shares_rdma || p->is_standby;
}

const char *job_ports_foreign_text(const struct job_port *ports, size_t count, const char *device)
{
	size_t length = strcspn(device, ":");

	for (size_t i = 0; i < count; i++)
		if (length && strlen(ports[i].standby_rdma) == length &&
		    strncmp(ports[i].standby_rdma, device, length) == 0)
			return "which has no GID of its bond: the address is on another member";
	return "which the policy does not cover";
}

bool job_port_lacks_rdma(const struct job_port *p)
{
	return p->desires_rdma && !job_port_has_rdma(p);
}

/* From the first setting of roce.* to the last. */
#define ROCE_SETTINGS (SETTING(SETTING_ROCE_TRAFFIC_CLASS + 1) - SETTING(SETTING_ROCE_ENABLED))

/* A port whose RoCE is to be off rightly has no RDMA device. */
static bool desires_rdma(const struct config *c)
{
	bool is_off = (c->has & SETTING(SETTING_ROCE_ENABLED)) && !c->roce.enabled;

	return (c->has & (ROCE_SETTINGS | congestion_settings)) && !is_off;
}

static bool has_pfc(const struct config *c)
{
	return c->has & SETTING(SETTING_PFC_PRIORITIES);
}

bool job_port_is_lossless(const struct job_port *p, const struct config *c, uint8_t traffic_class,
			  uint8_t service_level)
{
	int prio = job_port_priority(p, c, traffic_class, service_level);

	return has_pfc(c) && prio >= 0 && (c->pfc.priorities & (1u << prio));
}

static bool has_one_lossless(const struct config *c)
{
	return has_pfc(c) && __builtin_popcount(c->pfc.priorities) == 1;
}

/* Finds the lowest DSCP of the lossless priority, if there is just one. */
static bool class_of_map(struct job_port *p)
{
	const struct config *c = &p->effective;

	if (!has_one_lossless(c))
		return false;
	for (unsigned dscp = 0; dscp < DSCPS; dscp++) {
		p->traffic_class = (uint8_t)(dscp << 2 | ECT0);
		if (job_port_is_lossless(p, c, p->traffic_class, 0))
			return true;
	}
	return false;
}

/* The PCP of RoCE: the only lossless priority, or else the one that rdma_cm has. */
static uint8_t service_level_of(const struct config *c, const struct mqprio *m)
{
	const struct packet p = { .sender = SENDER_RDMA_CM,
				  .tos = c->has & SETTING(SETTING_ROCE_TOS) ? c->roce.tos : 0,
				  .vlan = &c->vlan.egress[0],
				  .mqprio = m };

	return (uint8_t)(has_one_lossless(c) ? __builtin_ctz(c->pfc.priorities) : packet_pcp(&p));
}

void job_port_classify(struct job_port *p, const struct config *desired,
		       const struct config *actual)
{
	const struct config *c = &p->effective;

	p->actual = actual;
	p->effective = config_overlay(actual, desired);
	p->desires_rdma = desires_rdma(desired);
	for (int dscp = 0; dscp < DSCPS; dscp++)
		if (c->dscp.prio[dscp] == DSCP_KEEP)
			p->effective.dscp.prio[dscp] = actual->dscp.prio[dscp];
	p->source = CLASS_UNKNOWN;
	p->service_level = job_port_trusts_pcp(c) ? service_level_of(c, p->mqprio) : 0;
	if ((c->has & SETTING(SETTING_ROCE_TRAFFIC_CLASS)) &&
	    c->roce.traffic_class < TRAFFIC_CLASS_UNSET) {
		p->source = CLASS_FORCED;
		p->traffic_class = (uint8_t)c->roce.traffic_class;
	} else if ((c->has & SETTING(SETTING_ROCE_TOS)) && c->roce.tos) {
		p->source = CLASS_TOS;
		p->traffic_class = c->roce.tos;
	} else if (job_port_trusts_pcp(c) && has_one_lossless(c)) {
		p->source = CLASS_PCP;
		p->traffic_class = ECT0;
	} else if (class_of_map(p)) {
		p->source = CLASS_MAP;
	}
	p->may_drop = has_pfc(desired) && !job_port_trusts_pcp(c) &&
		      job_port_priority(p, c, p->traffic_class, 0) >= 0 &&
		      !job_port_is_lossless(p, c, p->traffic_class, 0);
}

bool job_port_carries(const struct job_port *p)
{
	uint8_t class = p->traffic_class, level = p->service_level;

	if (p->of_vf)
		return true;
	return job_port_priority(p, p->actual, class, level) ==
		       job_port_priority(p, &p->effective, class, level) &&
	       job_port_is_lossless(p, p->actual, class, level) == !p->may_drop;
}

bool gids_v2_choose(const struct gids_v2 *gids, unsigned *ret_index)
{
	uint64_t bits = gids->ipv4 ? gids->ipv4 : gids->ipv6;

	if (bits)
		*ret_index = (unsigned)__builtin_ctzll(bits);
	return bits;
}

const char *class_source_name(enum class_source s)
{
	static const char *const names[] = {
		[CLASS_UNKNOWN] = "nothing",
		[CLASS_FORCED] = "roce.traffic_class",
		[CLASS_TOS] = "roce.tos",
		[CLASS_MAP] = "pfc.priorities and dscp.prio",
		[CLASS_PCP] = "trust pcp, by which any DSCP is right",
	};

	return names[s];
}
