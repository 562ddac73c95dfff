#include "marking.h"

#include "setting.h"

/* ip_tos2prio of net/ipv4/route.c, by the bits of 0x18: the others do not matter. */
uint8_t tos_kernel_priority(uint8_t tos)
{
	static const uint8_t priorities[] = { 0, 2, 6, 4 };

	return priorities[tos >> 3 & 3];
}

/*
 * As iboe_tos_to_sl() of drivers/infiniband/core/cma.c: where mqprio gives the port classes, the
 * PCP of rdma_cm is the class of the priority; that of sockets is not. mlx5_ib writes the low three
 * bits of a service level.
 */
int packet_pcp(const struct packet *p)
{
	uint8_t prio = tos_kernel_priority(p->tos);

	if (!p->vlan)
		return PCP_NONE;
	if (p->sender == SENDER_VERBS)
		return p->service_level & 7;
	if (p->sender == SENDER_RDMA_CM && p->mqprio && p->mqprio->there)
		return p->mqprio->class[prio] & 7;
	return p->vlan->pcp[prio];
}

int marks_priority(const struct config *c, uint8_t tos, int pcp)
{
	int8_t prio = c->dscp.prio[tos >> 2];

	if (!(c->has & SETTING(SETTING_TRUST)))
		return -1;
	if (c->trust == TRUST_PCP)
		return pcp == PCP_NONE ? 0 : pcp == PCP_UNKNOWN ? -1 : pcp;
	return c->has & SETTING(SETTING_DSCP_PRIO) && prio >= 0 ? prio : -1;
}

const struct vlan_egress *config_vlan(const struct config *c)
{
	bool untagged = c->has & SETTING(SETTING_VLAN_EGRESS) && !c->vlan.egress[0].name[0];

	return untagged ? NULL : &c->vlan.egress[0];
}
