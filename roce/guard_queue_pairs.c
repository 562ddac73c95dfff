#include <stdio.h>

#include "../policy/model/setting.h"
#include "device.h"
#include "registry.h"

/* Queue pairs that cannot be counted may be connected. */
static bool queue_pairs_object(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	struct err err = { 0 };
	unsigned active;

	if (!rdma_count_active(h, port, &active, &err)) {
		snprintf(why, GUARD_WHY_MAX,
			 "the RDMA queue pairs of this port cannot be counted: %.160s", err.text);
		return true;
	}
	if (active == 0)
		return false;
	snprintf(why, GUARD_WHY_MAX, "%u RDMA queue pair%s connected through this port", active,
		 active == 1 ? " is" : "s are");
	return true;
}

const struct guard guard_queue_pairs = {
	.name = "queue-pairs",
	.over = EVERY_SETTING,
	.from = DISRUPTS_RDMA,
	.overridden_by = ALLOW_DISRUPTION,
	.objects = queue_pairs_object,
	.fix = "wait for the job to end, or use --allow-disruption",
};
