/* The guards that keep apply from ports of drivers that nobody has tried it with. */
#include <stdio.h>

#include "../driver.h"
#include "../registry.h"

static bool other_driver_objects(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	(void)h;
	if (is_mlx5(port))
		return false;
	snprintf(why, GUARD_WHY_MAX,
		 "its driver is %s, and nobody has tried losslessctl with another than mlx5_core",
		 port->id.driver);
	return true;
}

const struct guard guard_driver = {
	.name = "driver",
	.over = EVERY_SETTING,
	.from = DISRUPTS_NONE,
	.overridden_by = ANY_DRIVER,
	.is_standing = true,
	.objects = other_driver_objects,
	.fix = "name the ports to work on, or use --any-driver",
};
