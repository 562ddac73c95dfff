/* Guards for PCI functions: two ports share one, or others have VFs and SFs of the port. */
#include <stdio.h>

#include "../../agent/host/pci_functions.h"
#include "../../policy/model/setting.h"
#include "../registry.h"

/* Journals name a port by its PCI address: a rollback of one would write to the other. */
static bool shared_function_objects(struct host *h, const struct port *port,
				    char why[GUARD_WHY_MAX])
{
	(void)h;
	if (port->shares_function)
		snprintf(
			why, GUARD_WHY_MAX,
			"another port has its PCI address %s: a rollback could not tell them apart",
			port->id.pci);
	return port->shares_function;
}

const struct guard guard_shared_function = {
	.name = "shared-function",
	.over = EVERY_SETTING,
	.from = DISRUPTS_NONE,
	.is_standing = true,
	.objects = shared_function_objects,
	.fix = "set the port up with the tools of its driver, and verify it here",
};

/* Traffic that cannot be seen may be there. */
static bool functions_object(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	struct functions_elsewhere f;
	struct err err = { 0 };
	char more[32] = "";

	if (!functions_elsewhere(h, port, &f, &err)) {
		snprintf(why, GUARD_WHY_MAX, "the VFs and SFs of this port are unknown: %.160s",
			 err.text);
		return true;
	}
	if (f.count > 1)
		snprintf(more, sizeof(more), ", and %u more", f.count - 1);
	if (f.count)
		snprintf(why, GUARD_WHY_MAX,
			 "a virtual machine or container has the VF or SF %s (%s) of this "
			 "port%s: it may carry traffic",
			 f.first, f.driver, more);
	return f.count;
}

const struct guard guard_functions = {
	.name = "functions",
	.over = EVERY_SETTING,
	.from = DISRUPTS_RDMA,
	.overridden_by = ALLOW_DISRUPTION,
	.objects = functions_object,
	.fix = "stop what uses them, or use --allow-disruption if the link may be down for some "
	       "seconds, or their larger packets be lost",
};
