#include "environment.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../model/setting.h"

static void put(struct environment *e, enum variable_id id, const char *value, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static void put(struct environment *e, enum variable_id id, const char *value, const char *fmt, ...)
{
	struct environment_value *v = &e->of[id];
	va_list ap;

	v->is_set = true;
	snprintf(v->text, sizeof(v->text), "%s", value);
	va_start(ap, fmt);
	vsnprintf(v->from, sizeof(v->from), fmt, ap);
	va_end(ap);
}

static const char *number(unsigned n, char buf[16])
{
	snprintf(buf, 16, "%u", n);
	return buf;
}

/* True for a name that no format has to quote. */
static bool is_plain(const char *name)
{
	return !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				  "0123456789_.-")];
}

static bool no_class(const struct job_port *p, struct err *err)
{
	const struct config *c = &p->effective;
	unsigned priorities = c->has & SETTING(SETTING_PFC_PRIORITIES) ? c->pfc.priorities : 0;
	int first = __builtin_ffs((int)priorities) - 1;
	unsigned rest = priorities & (priorities - 1);

	if (!rest) {
		err_record(err, ERR_UNKNOWN, 0,
			   "%s: the policy does not say which DSCP carries RoCE", p->name);
		return err_fix(err, "set roce.tos, or \"classes\", in its profile");
	}
	if (rest & (rest - 1))
		err_record(err, ERR_UNKNOWN, 0, "%s: %d lossless priorities", p->name,
			   __builtin_popcount(priorities));
	else
		err_record(err, ERR_UNKNOWN, 0, "%s: two lossless priorities, %d and %d", p->name,
			   first, __builtin_ffs((int)rest) - 1);
	return err_fix(err, "set roce.tos in its profile");
}

/* The first port that sorts by the service level; or NULL. */
static const struct job_port *first_by_pcp(const struct environment_input *in)
{
	for (size_t i = 0; i < in->count; i++)
		if (job_port_has_rdma(&in->ports[i]) &&
		    job_port_trusts_pcp(&in->ports[i].effective))
			return &in->ports[i];
	return NULL;
}

static bool disagree(const struct job_port *a, const struct job_port *b, const char *what,
		     const unsigned values[2], struct err *err)
{
	err_record(err, ERR_UNKNOWN, 0,
		   "%s needs %s %u and %s %u: one environment cannot have both", a->name, what,
		   values[0], b->name, values[1]);
	return err_fix(err, "name the ports of one network, such as %s", a->name);
}

/* Finds the first port that another one contradicts; each must know its class. */
static bool agree_on_class(const struct environment_input *in, struct err *err)
{
	const struct job_port *first = NULL, *by_pcp = first_by_pcp(in);
	bool any = false;

	for (size_t i = 0; i < in->count; i++) {
		const struct job_port *p = &in->ports[i];

		if (!job_port_has_rdma(p))
			continue;
		any = any || p->rdma[0];
		if (!is_plain(p->rdma))
			return err_set(err, ERR_UNKNOWN, EILSEQ,
				       "%s: the name of its RDMA device cannot be listed", p->name);
		if (p->source == CLASS_UNKNOWN)
			return no_class(p, err);
		first = first ? first : p;
		if (p->traffic_class != first->traffic_class)
			return disagree(first, p, "traffic class",
					(unsigned[]){ first->traffic_class, p->traffic_class },
					err);
		if (by_pcp && job_port_trusts_pcp(&p->effective) &&
		    p->service_level != by_pcp->service_level)
			return disagree(by_pcp, p, "service level",
					(unsigned[]){ by_pcp->service_level, p->service_level },
					err);
	}
	if (any)
		return true;
	if (!in->count) {
		err_record(err, ERR_UNKNOWN, ENODEV, "no port matches the policy");
		return err_fix(err, "run `losslessctl plan` to see why");
	}
	err_record(err, ERR_UNKNOWN, ENODEV, "no port has an RDMA device");
	return err_fix(err, "run `losslessctl show` to see why");
}

static const struct job_port *first_port(const struct environment_input *in)
{
	const struct job_port *p = in->ports;

	while (!p->rdma[0])
		p++;
	return p;
}

static void derive_classes(const struct environment_input *in, struct environment *e)
{
	static const enum variable_id classes[] = { VARIABLE_NCCL_IB_TC, VARIABLE_NCCL_GIN_IB_TC,
						    VARIABLE_UCX_IB_TRAFFIC_CLASS };
	const struct job_port *p = first_port(in);
	int priority = job_port_priority(p, &p->effective, p->traffic_class, p->service_level);
	char text[16], class[16] = "unknown";

	e->traffic_class = p->traffic_class;
	if (priority >= 0)
		number((unsigned)priority, class);
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		put(e, classes[i], number(e->traffic_class, text),
		    "%s: DSCP %d << 2 | ECN %d, priority %s", class_source_name(p->source),
		    e->traffic_class >> 2, e->traffic_class & 3, class);
	if (in->job->control_dscp_plus_1)
		put(e, VARIABLE_NCCL_IB_FIFO_TC,
		    number((in->job->control_dscp_plus_1 - 1u) << 2 | (e->traffic_class & 3), text),
		    "job.control_dscp: DSCP %d, for control messages",
		    in->job->control_dscp_plus_1 - 1);
}

static void derive_service_level(const struct environment_input *in, struct environment *e)
{
	static const enum variable_id levels[] = { VARIABLE_NCCL_IB_SL, VARIABLE_UCX_IB_SL };
	const struct job_port *p = first_by_pcp(in);
	char text[16];

	if (!p || !p->service_level)
		return;
	e->service_level = p->service_level;
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		put(e, levels[i], number(e->service_level, text),
		    "%s trusts PCP: that of a VLAN's tag is the service level", p->name);
}

/* Lists each device once: the members of a bond share one. */
static void list_devices(const struct environment_input *in, char ret[ENVIRONMENT_VALUE_MAX])
{
	size_t used = 0;

	ret[0] = '\0';
	for (size_t i = 0; i < in->count; i++) {
		const struct job_port *p = &in->ports[i];
		bool known = !p->rdma[0];

		for (size_t k = 0; k < i; k++)
			known = known || strcmp(in->ports[k].device, p->device) == 0;
		if (!known && used + strlen(p->device) + 2 < ENVIRONMENT_VALUE_MAX)
			used += (size_t)snprintf(ret + used, ENVIRONMENT_VALUE_MAX - used, "%s%s",
						 used ? "," : "", p->device);
	}
}

static void derive_devices(const struct environment_input *in, struct environment *e)
{
	char devices[ENVIRONMENT_VALUE_MAX], exact[ENVIRONMENT_VALUE_MAX + 1];

	list_devices(in, devices);
	snprintf(exact, sizeof(exact), "=%s", devices);
	put(e, VARIABLE_NCCL_IB_HCA, exact,
	    "the ports of the policy; = matches whole names, not mlx5_10 for mlx5_1");
	put(e, VARIABLE_UCX_NET_DEVICES, devices, "the ports of the policy");
}

/* The GIDs of RoCE v2 that all ports have, by address family. */
static struct gids_v2 common_gids(const struct environment_input *in)
{
	struct gids_v2 all = { UINT64_MAX, UINT64_MAX };

	for (size_t i = 0; i < in->count; i++)
		if (in->ports[i].rdma[0]) {
			all.ipv4 &= in->ports[i].gids.ipv4;
			all.ipv6 &= in->ports[i].gids.ipv6;
		}
	return all;
}

/* The first port without a GID that comes from an address of this family; or NULL. */
static const struct job_port *without_family(const struct environment_input *in, bool ipv4)
{
	for (size_t i = 0; i < in->count; i++)
		if (in->ports[i].rdma[0] &&
		    !(ipv4 ? in->ports[i].gids.ipv4 : in->ports[i].gids.ipv6))
			return &in->ports[i];
	return NULL;
}

/* The first port whose GIDs NCCL refuses; or NULL. */
static const struct job_port *without_gid(const struct environment_input *in)
{
	unsigned index;

	for (size_t i = 0; i < in->count; i++)
		if (in->ports[i].rdma[0] && !gids_v2_choose(&in->ports[i].gids, &index))
			return &in->ports[i];
	return NULL;
}

/* A port may have no RDMA device: of storage, or because its driver did not bind. */
static const char *every_port(const struct environment_input *in)
{
	for (size_t i = 0; i < in->count; i++)
		if (!in->ports[i].rdma[0])
			return "every RDMA device";
	return "every port";
}

/* NCCL before 2.21 takes one index for all devices. */
static void derive_index(const struct environment_input *in, bool ipv4, struct environment *e)
{
	struct gids_v2 gids = common_gids(in);
	uint64_t common = ipv4 ? gids.ipv4 : gids.ipv6;
	char text[16];

	if (common)
		put(e, VARIABLE_NCCL_IB_GID_INDEX, number((unsigned)__builtin_ctzll(common), text),
		    "the RoCE v2 GID with an %s address of %s, for NCCL before 2.21",
		    ipv4 ? "IPv4" : "IPv6", every_port(in));
	else
		snprintf(e->lacks, sizeof(e->lacks),
			 "NCCL before 2.21 needs one GID index for all devices, and no RoCE v2 GID "
			 "has the same index on each port");
}

/* NCCL takes one family for all devices; on a port without it, it uses link-local RoCE v1. */
static void derive_family(const struct environment_input *in, bool ipv4, struct environment *e)
{
	const struct job_port *without_4 = without_family(in, true);
	const struct job_port *without_6 = without_family(in, false);

	if (!ipv4 && without_4 && without_6) {
		snprintf(e->lacks, sizeof(e->lacks),
			 "NCCL needs RoCE v2 GIDs of one family for all devices: %s has no IPv4 "
			 "address, and %s has no IPv6 address that can be routed",
			 without_4->name, without_6->name);
		return;
	}
	put(e, VARIABLE_NCCL_IB_ADDR_FAMILY, ipv4 ? "AF_INET" : "AF_INET6",
	    "%s has %s RoCE v2 GID with an IPv4 address", ipv4 ? every_port(in) : "a port",
	    ipv4 ? "a" : "no");
}

static void derive_gid(const struct environment_input *in, struct environment *e)
{
	const struct job_port *none = without_gid(in);
	bool ipv4 = !without_family(in, true);
	bool chooses = !in->nccl_version || in->nccl_version >= NCCL_CHOOSES_GID;

	if (none)
		snprintf(e->lacks, sizeof(e->lacks),
			 "%s has %s: give it, or its bond, an address; if the bond has one, "
			 "change its active member",
			 none->name, NO_GID_TEXT);
	else if (chooses)
		derive_family(in, ipv4, e);
	else
		derive_index(in, ipv4, e);
	if (chooses)
		put(e, VARIABLE_NCCL_IB_ROCE_VERSION_NUM, "2", "RoCE v1 has no DSCP");
}

static void derive_job(const struct job_policy *job, struct environment *e)
{
	char text[16];

	if (job->socket_ifname[0])
		put(e, VARIABLE_NCCL_SOCKET_IFNAME, job->socket_ifname, "job.socket_ifname");
	if (job->ib_timeout)
		put(e, VARIABLE_NCCL_IB_TIMEOUT, number(job->ib_timeout, text), "job.ib_timeout");
	if (job->ib_retry_count_plus_1)
		put(e, VARIABLE_NCCL_IB_RETRY_CNT, number(job->ib_retry_count_plus_1 - 1u, text),
		    "job.ib_retry_count");
}

bool environment_derive(const struct environment_input *in, struct environment *ret,
			struct err *err)
{
	*ret = (struct environment){ .lacks = "" };
	if (!agree_on_class(in, err))
		return false;
	derive_classes(in, ret);
	derive_service_level(in, ret);
	derive_devices(in, ret);
	derive_gid(in, ret);
	derive_job(in->job, ret);
	for (size_t i = 0; i < VARIABLE_COUNT; i++)
		if (in->nccl_version && in->nccl_version < variables[i].since)
			ret->of[i].is_set = false;
	return true;
}
