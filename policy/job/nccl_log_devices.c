#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "nccl_log_fault.h"

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
	snprintf(item->fix, sizeof(item->fix), "set NCCL_IB_HCA=%.150s",
		 j->c->desired->of[VARIABLE_NCCL_IB_HCA].text);
}

unsigned find_foreign(const struct log_judging *j, const struct log_process *p)
{
	return device_among(j, p->devices, false) ? p->uses_line : 0;
}

void say_foreign(const struct log_judging *j, const struct log_process *p,
		 struct environment_item *item)
{
	environment_item_say(item, "NCCL used %s, which the policy does not cover",
			     device_among(j, p->devices, false));
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
unsigned find_left_out(const struct log_judging *j, const struct log_process *p)
{
	return j->log->devices_count < LOG_DEVICES_MAX && left_out(j, p) ? p->uses_line : 0;
}

void say_left_out(const struct log_judging *j, const struct log_process *p,
		  struct environment_item *item)
{
	const struct job_port *port = left_out(j, p);

	assert(port); /* find_left_out() found it */
	environment_item_say(item, "NCCL did not use %s of %s", port->device, port->name);
	snprintf(item->fix, sizeof(item->fix),
		 "check the link of %.60s, the devices of the container, and NCCL_IB_HCA",
		 port->name);
}

unsigned find_infiniband(const struct log_judging *j, const struct log_process *p)
{
	return device_among(j, p->infiniband, true) ? p->uses_line : 0;
}

void say_infiniband(const struct log_judging *j, const struct log_process *p,
		    struct environment_item *item)
{
	environment_item_say(item, "NCCL used %s as InfiniBand, not RoCE: its packets have no DSCP",
			     device_among(j, p->infiniband, true));
	snprintf(item->fix, sizeof(item->fix), "check LINK_TYPE of the firmware: mstconfig query");
}

unsigned find_index(const struct log_judging *j, const struct log_process *p)
{
	const struct environment_input *in = j->c->input;
	long index = p->gid.value;

	for (size_t i = 0; !p->gid_differs && i < in->count; i++) {
		uint64_t gids = in->ports[i].gids.ipv4 | in->ports[i].gids.ipv6;

		if (in->ports[i].rdma[0] && (index < 0 || index > 63 || !(gids >> index & 1)))
			return p->gid.line;
	}
	return 0;
}

void say_index(const struct log_judging *j, const struct log_process *p,
	       struct environment_item *item)
{
	(void)j;
	environment_item_say(item,
			     "NCCL used GID %ld, which is not one of RoCE v2 that can be routed on "
			     "each port",
			     p->gid.value);
	snprintf(item->fix, sizeof(item->fix), "run `losslessctl show` for the GIDs");
}
