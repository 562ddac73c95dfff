#include <stdio.h>

#include "../policy/model/setting.h"
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
