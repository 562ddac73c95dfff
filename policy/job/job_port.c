#include "job_port.h"

#include "../model/setting.h"

#define ECT0 2 /* RFC 3168: ECN capable */

int job_port_priority(const struct config *c, uint8_t traffic_class)
{
	int dscp = traffic_class >> 2;

	if (!(c->has & SETTING(SETTING_TRUST)) || c->trust != TRUST_DSCP ||
	    !(c->has & SETTING(SETTING_DSCP_PRIO)))
		return -1;
	return c->dscp.prio[dscp] >= 0 ? c->dscp.prio[dscp] : -1;
}

bool job_port_has_rdma(const struct job_port *p)
{
	return p->rdma[0] || p->shares_rdma || p->is_standby;
}

static bool has_pfc(const struct config *c)
{
	return c->has & SETTING(SETTING_PFC_PRIORITIES);
}

bool job_port_is_lossless(const struct config *c, uint8_t traffic_class)
{
	int prio = job_port_priority(c, traffic_class);

	return has_pfc(c) && prio >= 0 && (c->pfc.priorities & (1u << prio));
}

/* Finds the lowest DSCP of the lossless priority, if there is just one. */
static bool class_of_map(const struct config *c, uint8_t *ret)
{
	if (!has_pfc(c) || __builtin_popcount(c->pfc.priorities) != 1)
		return false;
	for (unsigned dscp = 0; dscp < DSCPS; dscp++) {
		*ret = (uint8_t)(dscp << 2 | ECT0);
		if (job_port_is_lossless(c, *ret))
			return true;
	}
	return false;
}

void job_port_classify(struct job_port *p, const struct config *desired,
		       const struct config *actual)
{
	const struct config *c = &p->effective;

	p->actual = actual;
	p->effective = config_overlay(actual, desired);
	for (int dscp = 0; dscp < DSCPS; dscp++)
		if (c->dscp.prio[dscp] == DSCP_KEEP)
			p->effective.dscp.prio[dscp] = actual->dscp.prio[dscp];
	p->source = CLASS_UNKNOWN;
	if ((c->has & SETTING(SETTING_ROCE_TRAFFIC_CLASS)) &&
	    c->roce.traffic_class < TRAFFIC_CLASS_UNSET) {
		p->source = CLASS_FORCED;
		p->traffic_class = (uint8_t)c->roce.traffic_class;
	} else if ((c->has & SETTING(SETTING_ROCE_TOS)) && c->roce.tos) {
		p->source = CLASS_TOS;
		p->traffic_class = c->roce.tos;
	} else if (class_of_map(c, &p->traffic_class)) {
		p->source = CLASS_MAP;
	}
	p->may_drop = has_pfc(desired) && job_port_priority(c, p->traffic_class) >= 0 &&
		      !job_port_is_lossless(c, p->traffic_class);
}

bool job_port_carries(const struct job_port *p)
{
	uint8_t class = p->traffic_class;

	if (p->of_vf)
		return true;
	return job_port_priority(p->actual, class) == job_port_priority(&p->effective, class) &&
	       job_port_is_lossless(p->actual, class) == !p->may_drop;
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
	};

	return names[s];
}
