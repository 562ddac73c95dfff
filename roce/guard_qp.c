#include <stdio.h>

#include "../policy/model/setting.h"
#include "device.h"
#include "registry.h"

static bool queue_pairs_object(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	struct err quiet = { 0 };
	unsigned active;

	if (!rdma_count_active(h, port, &active, &quiet) || active == 0)
		return false;
	snprintf(why, GUARD_WHY_MAX, "%u RDMA queue pair%s connected through this port", active,
		 active == 1 ? " is" : "s are");
	return true;
}

const struct guard guard_queue_pairs = {
	.name = "queue-pairs",
	.over = EVERY_SETTING,
	.from = DISRUPTS_LINK,
	.may_override = true,
	.objects = queue_pairs_object,
	.fix = "wait for the job to end, or use --allow-disruption",
};
