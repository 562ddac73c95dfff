#include "job_environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../policy/model/setting.h"
#include "../../policy/util/oom.h"
#include "engine.h"

void job_free(struct job *j)
{
	free(j->ports);
}

static void add_device(const char *name, void *arg)
{
	struct rdma_names *all = arg;

	if (all->count < RDMA_NAMES_MAX)
		snprintf(all->names[all->count++], ID_MAX, "%.63s", name);
}

static struct gids_v2 read_gids(const struct engine *e, const struct port *port)
{
	struct gids_v2 gids = { 0, 0 };
	struct err quiet = { 0 };

	if (e->captured)
		return captured_find(e->captured, port->id.name)->gids;
	return e->backends->read_gids(e->h, port, &gids, &quiet) ? gids : (struct gids_v2){ 0, 0 };
}

/* The interface of the GID that a job takes: the port, its bond, or a VLAN device. */
static void read_gid_netdev(const struct engine *e, const struct identity *id, struct job_port *ret)
{
	struct err quiet = { 0 };
	unsigned index;

	if (e->captured || !gids_v2_choose(&ret->gids, &index) ||
	    !host_read_file(e->h, ret->gid_netdev, sizeof(ret->gid_netdev), &quiet,
			    "/sys/class/infiniband/%s/ports/%u/gid_attrs/ndevs/%u", ret->rdma,
			    ret->rdma_port, index))
		return;
	ret->is_untagged =
		strcmp(ret->gid_netdev, id->name) == 0 || strcmp(ret->gid_netdev, id->bond) == 0;
}

static void read_rdma(const struct engine *e, const struct port *port, struct job_port *ret)
{
	if (!port->rdma_port)
		return;
	snprintf(ret->rdma, sizeof(ret->rdma), "%s", port->id.rdma);
	ret->rdma_port = port->rdma_port;
	snprintf(ret->device, sizeof(ret->device), "%s:%u", ret->rdma, ret->rdma_port);
	ret->gids = read_gids(e, port);
	read_gid_netdev(e, &port->id, ret);
}

static void read_port(const struct engine *e, const struct target *t, struct job_port *ret)
{
	const struct port *port = &t->task.port;

	ret->name = port->id.name;
	ret->shares_rdma = port->shares_rdma;
	ret->of_bond = port->id.bond[0];
	ret->of_vf = port->is_vf;
	ret->mqprio = &t->capabilities.mqprio;
	ret->is_uplink = port->eswitch_mode == ESWITCH_SWITCHDEV;
	if (!ret->is_uplink)
		read_rdma(e, port, ret);
}

/* The member of the port's bond that has the device of both; NULL if the port has its own. */
static const struct job_port *device_of_bond(const struct targets *all,
					     const struct job_port *ports, size_t at)
{
	for (size_t i = 0; ports[at].shares_rdma && i < all->count; i++)
		if (ports[i].rdma[0] &&
		    strcmp(all->list[i].task.port.id.bond, all->list[at].task.port.id.bond) == 0)
			return &ports[i];
	return NULL;
}

/* A VF has what its PF has, and the device of a bond its class for all members. */
static void classify(const struct targets *all, struct job_port *ports, size_t at)
{
	static const unsigned of_device[] = { SETTING_ROCE_TOS, SETTING_ROCE_TRAFFIC_CLASS };
	const struct job_port *other = device_of_bond(all, ports, at);
	const struct target *t = &all->list[at];
	struct config desired = t->task.desired;

	if (ports[at].of_vf)
		desired.has |= t->skipped;
	for (size_t i = 0; other && i < sizeof(of_device) / sizeof(of_device[0]); i++)
		if (other->effective.has & SETTING(of_device[i]))
			setting_copy(&settings[of_device[i]], &desired, &other->effective);
	job_port_classify(&ports[at], &desired, &t->seen.actual);
	ports[at].desires_rdma = ports[at].desires_rdma && !ports[at].is_uplink;
}

static void classify_all(const struct targets *all, struct job_port *ports)
{
	for (size_t i = 0; i < 2 * all->count; i++) {
		size_t at = i % all->count;

		if (ports[at].shares_rdma == (i >= all->count)) /* those with a device first */
			classify(all, ports, at);
	}
}

/*
 * The core gives a bond's GIDs to the device of its active member alone
 * (is_eth_port_of_netdev_filter() of drivers/infiniband/core/roce_gid_mgmt.c).
 */
static bool is_standby(const struct targets *all, const struct job_port *ports, size_t at)
{
	const struct port *p = &all->list[at].task.port;
	unsigned index;

	if (!p->no_lag || gids_v2_choose(&ports[at].gids, &index))
		return false;
	for (size_t i = 0; i < all->count; i++)
		if (strcmp(all->list[i].task.port.id.bond, p->id.bond) == 0 &&
		    gids_v2_choose(&ports[i].gids, &index))
			return true;
	return false;
}

static void leave_standby_out(const struct targets *all, struct job_port *ports)
{
	for (size_t i = 0; i < all->count; i++) {
		ports[i].is_standby = is_standby(all, ports, i);
		if (!ports[i].is_standby)
			continue;
		memcpy(ports[i].standby_rdma, ports[i].rdma, sizeof(ports[i].rdma));
		ports[i].rdma[0] = ports[i].device[0] = '\0';
	}
}

/* The devices of a captured host are not known: a document has those of its ports alone. */
static void read_devices(const struct engine *e, struct rdma_names *ret)
{
	struct err quiet = { 0 };

	ret->count = 0;
	if (!e->captured && !host_list_dir(e->h, "/sys/class/infiniband", add_device, ret, &quiet))
		ret->count = 0; /* a kernel without RDMA */
}

bool job_read_ports(const struct engine *e, const struct targets *all, struct job *ret,
		    struct err *err)
{
	ret->ports = calloc(all->count + 1, sizeof(*ret->ports));
	if (!ret->ports)
		return err_no_memory(err);
	for (size_t i = 0; i < all->count; i++)
		read_port(e, &all->list[i], &ret->ports[i]);
	classify_all(all, ret->ports);
	return true;
}

bool job_read(const struct engine *e, const struct policy *p, const struct targets *all,
	      unsigned nccl_version, struct job *ret, struct err *err)
{
	if (!job_read_ports(e, all, ret, err))
		return false;
	leave_standby_out(all, ret->ports);
	read_devices(e, &ret->devices);
	ret->input = (struct environment_input){
		.ports = ret->ports,
		.count = all->count,
		.job = &p->job,
		.nccl_version = nccl_version ? nccl_version : p->job.nccl_version,
	};
	return environment_derive(&ret->input, &ret->desired, err);
}

static struct environment_check check_of(const struct job *j,
					 const struct environment_sources *sources)
{
	return (struct environment_check){
		.input = &j->input,
		.desired = &j->desired,
		.sources = sources,
		.devices = j->devices.names,
		.devices_count = j->devices.count,
		.knows_devices = j->devices.count && j->devices.count < RDMA_NAMES_MAX,
	};
}

void job_judge(const struct job *j, const struct environment_sources *sources,
	       struct environment_report *ret)
{
	struct environment_check check = check_of(j, sources);

	environment_judge(&check, ret);
}

void job_judge_log(const struct job *j, const struct nccl_log *log,
		   const struct environment_source *source, struct environment_report *ret)
{
	struct environment_check check = check_of(j, NULL);

	nccl_log_judge(&check, log, source, ret);
}

/* The others are risks: not every job drives queue pairs from its GPUs. */
static bool is_drift(const struct environment_item *item)
{
	return item->lint == lint_of_document(LINT_ENV_OFF_POLICY);
}

enum severity environment_item_severity(const struct environment_verdict *v,
					const struct environment_item *item)
{
	enum severity s;

	if (!item->lint)
		return SEVERITY_INFO;
	s = severity_of_lint(v->severities, lint_index(item->lint));
	return s == SEVERITY_WARNING && v->asked && is_drift(item) ? SEVERITY_CRITICAL : s;
}

size_t environment_verdict_unknown(const struct environment_verdict *v)
{
	size_t count = v->unknown.kind != ERR_NONE;

	for (size_t i = 0; i < v->report.count; i++)
		count += v->report.items[i].is_unknown;
	return count;
}

size_t environment_verdict_count(const struct environment_verdict *v, enum severity s)
{
	size_t count = 0;

	for (size_t i = 0; i < v->report.count; i++)
		count += environment_item_severity(v, &v->report.items[i]) == s;
	return count;
}

enum status environment_verdict_worst(const struct environment_verdict *v)
{
	enum status unknown = environment_verdict_unknown(v) ? STATUS_UNKNOWN : STATUS_OK;

	if (environment_verdict_count(v, SEVERITY_CRITICAL))
		return STATUS_DRIFT;
	return worse_status(unknown, environment_verdict_count(v, SEVERITY_WARNING) ? STATUS_WARNING
										    : STATUS_OK);
}

const char *environment_verdict_message(const struct environment_verdict *v)
{
	if (v->unknown.kind)
		return v->unknown.text;
	return v->note.kind ? v->note.text : NULL;
}
