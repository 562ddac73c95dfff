#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../model/setting.h"
#include "environment_check.h"

struct log_judging {
	const struct environment_check *c;
	const struct nccl_log *log;
	const struct environment_source *source;
	struct environment_report *ret;
};

/* Returns the line that shows the fault; 0: the process does not have it. */
typedef unsigned find_fault(const struct log_judging *j, const struct log_process *p);

/* Adds the message and the fix of a fault that the process has. */
typedef void say_fault(const struct log_judging *j, const struct log_process *p,
		       struct environment_item *item);

/* ---- devices and their GIDs ---- */

/* The port of the policy with this device, "mlx5_0:1"; or NULL. */
static const struct job_port *port_of(const struct environment_input *in, const char *device)
{
	for (size_t i = 0; i < in->count; i++)
		if (in->ports[i].rdma[0] && strcmp(in->ports[i].device, device) == 0)
			return &in->ports[i];
	return NULL;
}

static bool has_device(const struct log_judging *j, const struct log_process *p, const char *device)
{
	for (size_t i = 0; i < j->log->devices_count; i++)
		if ((p->devices & 1u << i) && strcmp(j->log->devices[i], device) == 0)
			return true;
	return false;
}

/* The first of these devices that a port of the policy has, or that none has; NULL: all differ. */
static const char *device_among(const struct log_judging *j, uint32_t devices, bool of_policy)
{
	for (size_t i = 0; i < j->log->devices_count; i++)
		if ((devices & 1u << i) &&
		    (port_of(j->c->input, j->log->devices[i]) != NULL) == of_policy)
			return j->log->devices[i];
	return NULL;
}

static void fix_hca(const struct log_judging *j, struct environment_item *item)
{
	environment_item_set(item, VARIABLE_NCCL_IB_HCA,
			     j->c->desired->of[VARIABLE_NCCL_IB_HCA].text);
}

static unsigned find_foreign(const struct log_judging *j, const struct log_process *p)
{
	return device_among(j, p->devices, false) ? p->uses_line : 0;
}

static void say_foreign(const struct log_judging *j, const struct log_process *p,
			struct environment_item *item)
{
	const struct environment_input *in = j->c->input;
	const char *device = device_among(j, p->devices, false);

	environment_item_say(item, "NCCL used %s, %s", device,
			     job_ports_foreign_text(in->ports, in->count, device));
	fix_hca(j, item);
}

/* The first port of the policy that the process does not use; or NULL. */
static const struct job_port *left_out(const struct log_judging *j, const struct log_process *p)
{
	const struct environment_input *in = j->c->input;

	for (size_t i = 0; p->uses_line && i < in->count; i++)
		if (in->ports[i].rdma[0] && !has_device(j, p, in->ports[i].device))
			return &in->ports[i];
	return NULL;
}

/* A list that ends where there was no more room for it names no port that is left out. */
static unsigned find_left_out(const struct log_judging *j, const struct log_process *p)
{
	return j->log->devices_count < LOG_DEVICES_MAX && left_out(j, p) ? p->uses_line : 0;
}

static void say_left_out(const struct log_judging *j, const struct log_process *p,
			 struct environment_item *item)
{
	const struct job_port *port = left_out(j, p);

	assert(port); /* find_left_out() found it */
	environment_item_say(item, "NCCL did not use %s of %s", port->device, port->name);
	snprintf(item->fix, sizeof(item->fix),
		 "check the link of %.60s, the devices of the container, and NCCL_IB_HCA",
		 port->name);
}

static unsigned find_infiniband(const struct log_judging *j, const struct log_process *p)
{
	return device_among(j, p->infiniband, true) ? p->uses_line : 0;
}

static void say_infiniband(const struct log_judging *j, const struct log_process *p,
			   struct environment_item *item)
{
	environment_item_say(item, "NCCL used %s as InfiniBand, not RoCE: its packets have no DSCP",
			     device_among(j, p->infiniband, true));
	snprintf(item->fix, sizeof(item->fix), "check LINK_TYPE of the firmware: mstconfig query");
}

/* NCCL chooses an index for each device: it is wrong only if no port has it. */
static unsigned find_index(const struct log_judging *j, const struct log_process *p)
{
	const struct environment_input *in = j->c->input;
	long index = p->gid.value;
	bool any = false;

	for (size_t i = 0; i < in->count; i++) {
		uint64_t gids = in->ports[i].gids.ipv4 | in->ports[i].gids.ipv6;

		any |= in->ports[i].rdma[0];
		if (in->ports[i].rdma[0] && index >= 0 && index < 64 && (gids >> index & 1))
			return 0;
	}
	return any && !p->gid_differs ? p->gid.line : 0;
}

static void say_index(const struct log_judging *j, const struct log_process *p,
		      struct environment_item *item)
{
	(void)j;
	environment_item_say(item,
			     "NCCL used GID %ld, which is not one of RoCE v2 that can be routed on "
			     "any port",
			     p->gid.value);
	snprintf(item->fix, sizeof(item->fix), "run `losslessctl show` for the GIDs");
}

/* ---- all faults ---- */

#define RETRIES_EXCEEDED 12 /* IBV_WC_RETRY_EXC_ERR */

static void set_fix(struct environment_item *item, const char *text)
{
	snprintf(item->fix, sizeof(item->fix), "%s", text);
}

/* ---- the transport ---- */

static bool is_off(const struct log_process *p)
{
	return p->set[VARIABLE_NCCL_IB_DISABLE].value != 0;
}

static unsigned find_off(const struct log_judging *j, const struct log_process *p)
{
	(void)j;
	return is_off(p) ? p->set[VARIABLE_NCCL_IB_DISABLE].line : 0;
}

static void say_off(const struct log_judging *j, const struct log_process *p,
		    struct environment_item *item)
{
	(void)j;
	environment_item_say(item,
			     "NCCL_IB_DISABLE is set to %ld and turns RDMA off: NCCL uses TCP",
			     p->set[VARIABLE_NCCL_IB_DISABLE].value);
	set_fix(item, "remove it from the environment of the job");
}

static unsigned find_tcp(const struct log_judging *j, const struct log_process *p)
{
	(void)j;
	return is_off(p) ? 0 : p->socket_line;
}

static void say_tcp(const struct log_judging *j, const struct log_process *p,
		    struct environment_item *item)
{
	(void)j;
	environment_item_say(item, "NCCL used TCP (NET/Socket)%s",
			     p->no_device ? ": NET/IB found no device" : "");
	set_fix(item, "run `losslessctl ready`, and check NCCL_IB_HCA and the container's devices");
}

static unsigned find_no_gdrdma(const struct log_judging *j, const struct log_process *p)
{
	(void)j;
	return p->no_gdrdma_line;
}

static void say_no_gdrdma(const struct log_judging *j, const struct log_process *p,
			  struct environment_item *item)
{
	(void)j;
	environment_item_say(item, "%zu of %zu channels run without GPUDirect RDMA",
			     p->ib_channels - p->gdrdma_channels, p->ib_channels);
	set_fix(item, "run `losslessctl ready`");
}

static bool names_network(const struct log_process *p)
{
	return p->ib_channels || p->uses_line || p->socket_line || is_off(p);
}

/* A log of versions alone, as NCCL_DEBUG=VERSION and WARN write it. */
static unsigned find_silence(const struct log_judging *j, const struct log_process *p)
{
	for (size_t i = 0; i < j->log->processes_count; i++)
		if (names_network(&j->log->processes[i]))
			return 0;
	return p->failed.line ? 0 : p->first_line;
}

static void say_silence(const struct log_judging *j, const struct log_process *p,
			struct environment_item *item)
{
	(void)j;
	(void)p;
	environment_item_say(item, "the log does not say which network NCCL used");
	set_fix(item, "run the job with NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=INIT,ENV,NET");
}

/* ---- the class ---- */

static int dscp_of(long traffic_class)
{
	return (int)(traffic_class & UINT8_MAX) >> 2;
}

/* The ports override the class of every program. */
static bool is_forced(const struct environment_input *in)
{
	for (size_t i = 0; i < in->count; i++) {
		const struct config *now = in->ports[i].actual;

		if (in->ports[i].rdma[0] && (!(now->has & SETTING(SETTING_ROCE_TRAFFIC_CLASS)) ||
					     now->roce.traffic_class >= TRAFFIC_CLASS_UNSET))
			return false;
	}
	return true;
}

/* The DSCP decides: no port forces another class, or sorts by the service level. */
static bool dscp_decides(const struct log_judging *j)
{
	return !is_forced(j->c->input) && !j->c->desired->service_level;
}

static bool sets_class(const struct log_process *p)
{
	const struct logged *set = &p->set[VARIABLE_NCCL_IB_TC];

	return set->line && set->value != NCCL_CLASS_UNSET;
}

static unsigned find_class(const struct log_judging *j, const struct log_process *p)
{
	const struct logged *set = &p->set[VARIABLE_NCCL_IB_TC];
	bool differs = dscp_of(set->value) != dscp_of(j->c->desired->traffic_class);

	return sets_class(p) && differs && dscp_decides(j) ? set->line : 0;
}

static void say_class(const struct log_judging *j, const struct log_process *p,
		      struct environment_item *item)
{
	long class = p->set[VARIABLE_NCCL_IB_TC].value;

	snprintf(item->expected, sizeof(item->expected), "%d", j->c->desired->traffic_class);
	environment_item_say(item, "NCCL used traffic class %ld, DSCP %d", class, dscp_of(class));
	set_fix(item, "set the environment that `losslessctl env` prints");
}

/*
 * NCCL reads the class, and logs it, when it connects a channel (ncclIbConnect()). Channels are
 * logged with "Using network", so that a log without one was taken before NCCL read the class.
 */
static bool has_no_class(const struct log_judging *j, const struct log_process *p)
{
	return !sets_class(p) && dscp_decides(j);
}

static unsigned find_unset(const struct log_judging *j, const struct log_process *p)
{
	unsigned unset = p->set[VARIABLE_NCCL_IB_TC].line, channel = p->env_line ? p->ib_line : 0;

	if (!has_no_class(j, p) || !dscp_of(j->c->desired->traffic_class))
		return 0;
	return unset ? unset : channel;
}

static void say_unset(const struct log_judging *j, const struct log_process *p,
		      struct environment_item *item)
{
	snprintf(item->expected, sizeof(item->expected), "%d", j->c->desired->traffic_class);
	environment_item_say(item,
			     "%s, so that NCCL marks its packets with DSCP 0, unless the program "
			     "sets trafficClass of ncclConfig_t",
			     p->set[VARIABLE_NCCL_IB_TC].line ? "-1 stands for not set"
							      : "it is not set");
	set_fix(item, "set the environment that `losslessctl env` prints");
}

static unsigned find_unknown_class(const struct log_judging *j, const struct log_process *p)
{
	if (find_unset(j, p) || !has_no_class(j, p))
		return 0;
	return p->ib_line ? p->ib_line : p->uses_line;
}

static void say_unknown_class(const struct log_judging *j, const struct log_process *p,
			      struct environment_item *item)
{
	snprintf(item->expected, sizeof(item->expected), "%d", j->c->desired->traffic_class);
	environment_item_say(item, "the log does not say which traffic class NCCL used%s",
			     p->ib_line ? ""
					: ": NCCL reads it when it connects a channel, and the log "
					  "has none");
	set_fix(item, p->env_line ? "take a log in which NCCL connects its channels"
				  : "run the job with NCCL_DEBUG_SUBSYS=INIT,ENV,NET");
}

/* ---- time-outs ---- */

static bool differs(const struct log_judging *j, const struct log_process *p, enum variable_id id)
{
	const struct environment_value *desired = &j->c->desired->of[id];

	return desired->is_set && p->set[id].line &&
	       p->set[id].value != strtol(desired->text, NULL, 10);
}

/* Logged only where it is set; a class that is logged, or a channel, shows that it was read. */
static unsigned find_service_level(const struct log_judging *j, const struct log_process *p)
{
	const struct logged *set = &p->set[VARIABLE_NCCL_IB_SL];

	if (set->line || !j->c->desired->of[VARIABLE_NCCL_IB_SL].is_set)
		return differs(j, p, VARIABLE_NCCL_IB_SL) ? set->line : 0;
	if (sets_class(p))
		return p->set[VARIABLE_NCCL_IB_TC].line;
	return p->env_line ? p->ib_line : 0;
}

static unsigned find_timeout(const struct log_judging *j, const struct log_process *p)
{
	return differs(j, p, VARIABLE_NCCL_IB_TIMEOUT) ? p->set[VARIABLE_NCCL_IB_TIMEOUT].line : 0;
}

static unsigned find_retries(const struct log_judging *j, const struct log_process *p)
{
	return differs(j, p, VARIABLE_NCCL_IB_RETRY_CNT) ? p->set[VARIABLE_NCCL_IB_RETRY_CNT].line
							 : 0;
}

static void say_number(const struct log_judging *j, const struct log_process *p,
		       struct environment_item *item)
{
	const char *desired = j->c->desired->of[item->variable].text;

	snprintf(item->expected, sizeof(item->expected), "%.15s", desired);
	environment_item_say(item, "NCCL used %ld; the policy has %s", p->set[item->variable].value,
			     desired);
	snprintf(item->fix, sizeof(item->fix), "set %s=%.15s", variables[item->variable].name,
		 desired);
}

static unsigned find_hang(const struct log_judging *j, const struct log_process *p)
{
	(void)j;
	return p->failed.value == RETRIES_EXCEEDED ? p->failed.line : 0;
}

static void say_hang(const struct log_judging *j, const struct log_process *p,
		     struct environment_item *item)
{
	(void)j;
	(void)p;
	environment_item_say(item, "a queue pair retransmitted until its retries were exceeded "
				   "(status 12): the path drops its packets, or the peer is gone");
	set_fix(item, "run `losslessctl verify --sample-for 10` on both hosts, and see whether the "
		      "peer's process ended first");
}

/* ---- all ---- */

static const struct fault {
	enum variable_id variable;
	enum { DRIFT, NOTE, UNKNOWN } kind;
	find_fault *find;
	say_fault *say;
} faults[] = {
	{ VARIABLE_NCCL_IB_DISABLE, DRIFT, find_off, say_off },
	{ VARIABLE_NCCL_NET, DRIFT, find_tcp, say_tcp },
	{ VARIABLE_NCCL_NET, NOTE, find_no_gdrdma, say_no_gdrdma },
	{ VARIABLE_NCCL_NET, UNKNOWN, find_silence, say_silence },
	{ VARIABLE_NCCL_IB_TC, DRIFT, find_class, say_class },
	{ VARIABLE_NCCL_IB_TC, DRIFT, find_unset, say_unset },
	{ VARIABLE_NCCL_IB_TC, UNKNOWN, find_unknown_class, say_unknown_class },
	{ VARIABLE_NCCL_IB_SL, DRIFT, find_service_level, say_number },
	{ VARIABLE_NCCL_IB_HCA, DRIFT, find_foreign, say_foreign },
	{ VARIABLE_NCCL_IB_HCA, DRIFT, find_left_out, say_left_out },
	{ VARIABLE_NCCL_IB_HCA, NOTE, find_infiniband, say_infiniband },
	{ VARIABLE_NCCL_IB_GID_INDEX, DRIFT, find_index, say_index },
	{ VARIABLE_NCCL_IB_TIMEOUT, DRIFT, find_timeout, say_number },
	{ VARIABLE_NCCL_IB_RETRY_CNT, DRIFT, find_retries, say_number },
	{ VARIABLE_NCCL_IB_RETRY_CNT, NOTE, find_hang, say_hang },
};

/* Names the process, and how many others have the same fault. */
static void say_process(const struct log_process *p, size_t more, struct environment_item *item)
{
	if (p->pid)
		environment_item_say(item, "process %ld, GPU %d", p->pid, p->gpu);
	if (more)
		environment_item_say(item, "%s%zu more", p->pid ? ", and " : "a process, and ",
				     more);
	if (p->pid || more)
		environment_item_say(item, ": ");
}

static void judge_fault(const struct log_judging *j, const struct fault *f)
{
	const struct log_process *first = NULL;
	struct environment_item *item;
	size_t count = 0;

	for (size_t i = 0; i < j->log->processes_count; i++) {
		const struct log_process *p = &j->log->processes[i];

		if (!f->find(j, p))
			continue;
		first = first ? first : p;
		count++;
	}
	if (!count)
		return;
	item = environment_report_add(j->ret, f->variable,
				      f->kind == DRIFT ? lint_of_document(LINT_ENV_OFF_POLICY)
						       : NULL,
				      j->source, NULL);
	item->is_unknown = f->kind == UNKNOWN;
	item->line = f->find(j, first);
	say_process(first, count - 1, item);
	f->say(j, first, item);
}

void nccl_log_judge(const struct environment_check *c, const struct nccl_log *log,
		    const struct environment_source *source, struct environment_report *ret)
{
	const struct log_judging j = { c, log, source, ret };

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		judge_fault(&j, &faults[i]);
}
