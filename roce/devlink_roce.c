/*
 * The devlink parameter enable_roce, which turns RoCE on as a whole. Read-only: a change needs a
 * driver reload.
 */
#include "../policy/model/setting.h"
#include "devlink.h"
#include "registry.h"

static bool enabled_read(struct host *h, const struct port *port, struct config *out,
			 struct err *err)
{
	if (!devlink_read_enable_roce(h, port->id.pci, &out->roce.enabled, err))
		return false;
	out->has |= feature_roce_enabled.owns;
	return true;
}

const struct feature feature_roce_enabled = {
	.name = "roce-enabled",
	.phase = PHASE_ROCE,
	.owns = SETTING(SETTING_ROCE_ENABLED),
	.source = "devlink enable_roce",
	.read = enabled_read,
	.readonly_hint =
		"run `devlink dev param set pci/ADDRESS name enable_roce value VALUE cmode "
		"driverinit`, then reload the driver, which removes the port for some seconds",
};
