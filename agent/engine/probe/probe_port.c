#include "probe_port.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "../../../policy/model/setting.h"
#include "../engine.h"

/* A GID is written as an IPv6 address; one of IPv4 is mapped (RFC 4291, 2.5.5.2). */
static bool address_of_gid(const char *gid, char ret[PERFTEST_ADDRESS_MAX])
{
	struct in6_addr a;

	if (inet_pton(AF_INET6, gid, &a) != 1)
		return false;
	if (IN6_IS_ADDR_V4MAPPED(&a))
		return inet_ntop(AF_INET, &a.s6_addr[12], ret, PERFTEST_ADDRESS_MAX);
	return !IN6_IS_ADDR_LINKLOCAL(&a) && inet_ntop(AF_INET6, &a, ret, PERFTEST_ADDRESS_MAX);
}

static void read_address(const struct engine *e, const struct job_port *job, struct probe_port *ret)
{
	struct err quiet = { 0 };
	char gid[64];

	if (!gids_v2_choose(&job->gids, &ret->gid_index) ||
	    !host_read_file(e->h, gid, sizeof(gid), &quiet,
			    "/sys/class/infiniband/%s/ports/%u/gids/%u", job->rdma, job->rdma_port,
			    ret->gid_index) ||
	    !address_of_gid(gid, ret->address))
		snprintf(ret->lacks, sizeof(ret->lacks),
			 "%s has no GID of RoCE v2 with an address that can be routed", ret->name);
}

int probe_pcp(const struct probe_port *from, const struct perftest *run)
{
	bool by_rdma_cm = run->path == PROBE_RDMA_CM || run->path == PROBE_RDMA_CM_TOS;
	struct packet p = { .sender = by_rdma_cm ? SENDER_RDMA_CM : SENDER_VERBS,
			    .tos = (uint8_t)run->traffic_class,
			    .service_level = (uint8_t)run->service_level,
			    .mqprio = &from->mqprio };

	for (size_t i = 0; i < VLANS_MAX && from->actual.vlan.egress[i].name[0]; i++)
		if (strcmp(from->actual.vlan.egress[i].name, from->vlan) == 0)
			p.vlan = &from->actual.vlan.egress[i];
	if (p.vlan || !from->vlan[0])
		return packet_pcp(&p);
	return by_rdma_cm ? PCP_UNKNOWN : (int)run->service_level;
}

/* Connected queue pairs belong to a job, which a probe's traffic would slow down. */
static void read_busy(const struct engine *e, const struct target *t, struct probe_port *ret)
{
	for (size_t i = 0; i < e->backends->guards.count; i++) {
		const struct guard *g = e->backends->guards.list[i];

		if (strcmp(g->name, "queue-pairs") == 0)
			(void)g->objects(e->h, &t->task.port, ret->busy);
	}
}

void probe_port_read(const struct engine *e, const struct target *t, const struct job_port *job,
		     struct probe_port *ret)
{
	*ret = (struct probe_port){ .ib_port = job->rdma_port,
				    .has_class = job->source != CLASS_UNKNOWN,
				    .traffic_class = job->traffic_class,
				    .service_level = job->service_level,
				    .mqprio = t->capabilities.mqprio };
	snprintf(ret->name, sizeof(ret->name), "%s", t->task.port.id.name);
	ret->alt_names = t->task.port.id.alt_names;
	snprintf(ret->device, sizeof(ret->device), "%s", job->rdma);
	ret->actual = t->seen.actual;
	ret->actual.has &= PROBE_SETTINGS;
	if (!job->rdma[0])
		snprintf(ret->lacks, sizeof(ret->lacks), "%s has no RDMA device", ret->name);
	else if (!t->task.port.carrier)
		snprintf(ret->lacks, sizeof(ret->lacks), "%s has no link", ret->name);
	else
		read_address(e, job, ret);
	if (ret->address[0] && !job->is_untagged)
		snprintf(ret->vlan, sizeof(ret->vlan), "%.15s", job->gid_netdev);
	read_busy(e, t, ret);
}
