#include <stdio.h>

#include "../policy/model/setting.h"
#include "device.h"
#include "registry.h"

/*
 * In DPU mode the Arm side manages the eswitch, and with it the port. In NIC mode, and on the Arm
 * side itself, this function does. Without devlink nobody knows, and the port is left alone.
 */
static bool dpu_mode_objects(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	enum eswitch_mode mode = port->eswitch_mode;

	(void)h;
	if (!port->is_bluefield || port->is_vf)
		return false;
	if (mode == ESWITCH_LEGACY || mode == ESWITCH_SWITCHDEV)
		return false;
	snprintf(why, GUARD_WHY_MAX, "%s",
		 mode == ESWITCH_NONE ? "the BlueField is in DPU mode: its Arm side configures "
					"this port"
				      : "the BlueField may be in DPU mode: devlink does not report "
					"its eswitch");
	return true;
}

const struct guard guard_bluefield = {
	.name = "bluefield",
	.over = EVERY_SETTING,
	.from = DISRUPTS_NONE,
	.is_standing = true,
	.objects = dpu_mode_objects,
	.fix = "run losslessctl on the BlueField's Arm side; the result of two writers is "
	       "undefined",
};

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
	.from = DISRUPTS_LINK,
	.overridden_by = ALLOW_DISRUPTION,
	.objects = queue_pairs_object,
	.fix = "wait for the job to end, or use --allow-disruption",
};
