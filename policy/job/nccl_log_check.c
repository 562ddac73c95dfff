/* Judges what NCCL really used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "environment_check.h"

struct log_judging {
	const struct environment_check *c;
	const struct nccl_log *log;
	const struct environment_source *source;
	struct environment_report *ret;
};

static struct environment_item *add(const struct log_judging *j, enum variable_id id, bool is_note)
{
	return environment_report_add(j->ret, id,
				      is_note ? NULL : lint_of_document(LINT_ENV_OFF_POLICY),
				      j->source, NULL);
}

static void judge_transport(const struct log_judging *j)
{
	const struct nccl_log *log = j->log;
	struct environment_item *item;

	if (log->no_device || log->socket_channels || strcmp(log->network, "Socket") == 0) {
		item = add(j, VARIABLE_NCCL_NET, false);
		environment_item_say(item, "NCCL used TCP (NET/Socket)%s",
				     log->no_device ? ": NET/IB found no device" : "");
		snprintf(item->fix, sizeof(item->fix),
			 "run `losslessctl ready`, and check NCCL_IB_HCA and the container's "
			 "devices");
	} else if (log->ib_channels > log->gdrdma_channels) {
		item = add(j, VARIABLE_NCCL_NET, true);
		environment_item_say(item, "%zu of %zu channels run without GPUDirect RDMA",
				     log->ib_channels - log->gdrdma_channels, log->ib_channels);
		snprintf(item->fix, sizeof(item->fix), "run `losslessctl ready`");
	}
}

static void judge_class(const struct log_judging *j)
{
	const struct nccl_log *log = j->log;
	struct environment_item *item;
	int desired = j->c->desired->traffic_class;

	if (!log->ib_channels && !log->devices_count)
		return;
	if (log->has_traffic_class && log->traffic_class >> 2 == desired >> 2)
		return;
	item = add(j, VARIABLE_NCCL_IB_TC, !log->has_traffic_class);
	snprintf(item->expected, sizeof(item->expected), "%d", desired);
	if (log->has_traffic_class)
		environment_item_say(item, "NCCL used traffic class %ld, DSCP %ld",
				     log->traffic_class, log->traffic_class >> 2);
	else
		environment_item_say(item, "the log does not say which traffic class NCCL used");
	snprintf(item->fix, sizeof(item->fix), "%s",
		 log->has_traffic_class ? "set the environment that `losslessctl env` prints"
					: "run the job with NCCL_DEBUG_SUBSYS=INIT,ENV,NET");
}

static bool is_of_policy(const struct environment_input *in, const char *device)
{
	for (size_t i = 0; i < in->count; i++)
		if (strcmp(in->ports[i].device, device) == 0)
			return true;
	return false;
}

static void judge_devices(const struct log_judging *j)
{
	for (size_t i = 0; i < j->log->devices_count; i++) {
		const char *device = j->log->devices[i];
		struct environment_item *item;

		if (is_of_policy(j->c->input, device))
			continue;
		item = add(j, VARIABLE_NCCL_IB_HCA, false);
		environment_item_say(item, "NCCL used %s, which the policy does not cover", device);
		snprintf(item->fix, sizeof(item->fix), "set NCCL_IB_HCA=%.150s",
			 j->c->desired->of[VARIABLE_NCCL_IB_HCA].text);
		return;
	}
}

static void judge_index(const struct log_judging *j)
{
	const struct environment_input *in = j->c->input;
	struct environment_item *item;
	long index = j->log->gid_index;

	for (size_t i = 0; j->log->has_gid_index && i < in->count; i++) {
		uint64_t gids = in->ports[i].gids.ipv4 | in->ports[i].gids.ipv6;

		if (!in->ports[i].rdma[0] || j->log->gid_differs ||
		    (index >= 0 && index < 64 && gids >> index & 1))
			continue;
		item = add(j, VARIABLE_NCCL_IB_GID_INDEX, false);
		environment_item_say(item, "NCCL used GID %ld, which is not one of RoCE v2 on %s",
				     index, in->ports[i].rdma);
		snprintf(item->fix, sizeof(item->fix), "run `losslessctl show %.100s` for the GIDs",
			 in->ports[i].name);
		return;
	}
}

void nccl_log_judge(const struct environment_check *c, const struct nccl_log *log,
		    const struct environment_source *source, struct environment_report *ret)
{
	const struct log_judging j = { c, log, source, ret };

	judge_transport(&j);
	judge_class(&j);
	judge_devices(&j);
	judge_index(&j);
}
