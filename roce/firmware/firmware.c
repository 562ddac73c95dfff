/*
 * Settings of the adapter's firmware, NVConfig and ROCE_ACCL. They are verified and never written:
 * NVConfig takes effect at a reset, and both belong to the adapter, not to a port's link.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/host_facts.h"
#include "../../policy/model/parameter.h"
#include "../../policy/model/setting.h"
#include "../../policy/util/oom.h"
#include "../registry.h"
#include "firmware_text.h"

/* mlx5 numbers the ports of an adapter by PCI function (mlx5_get_dev_index()). */
static unsigned number_of(const struct port *port)
{
	const char *dot = strrchr(port->id.pci, '.');

	return dot ? (unsigned)strtoul(dot + 1, NULL, 10) + 1 : 1;
}

/* Kernel lockdown denies writing PCI configuration space (pci_write_config()), even to root. */
static bool explain(struct host *h, struct err *err)
{
	struct err why = *err;

	if (why.kind != ERR_UNKNOWN || !host_is_locked_down(h))
		return false;
	*err = (struct err){ 0 };
	return err_set(err, ERR_UNSUPPORTED, EPERM, "kernel lockdown denies access to PCI (%.150s)",
		       why.text);
}

/* The caller frees *ret. */
static bool query(struct host *h, const struct port *port, enum helper_task what,
		  struct tool_output **ret, struct err *err)
{
	*ret = NULL;
	if (port->is_vf || strcmp(port->id.driver, "mlx5_core") != 0)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "%s",
			       port->is_vf ? "it belongs to the PF"
					   : "the port is not that of a ConnectX or BlueField");
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return err_no_memory(err);
	host_report(h, PROGRESS_STEP, port->id.name, "querying the firmware");
	return host_run_tool(h, what, port->id.pci, *ret, err) || explain(h, err);
}

static bool nvconfig_read(struct host *h, const struct port *port, struct config *out,
			  struct err *err)
{
	_free_ struct tool_output *text = NULL;

	if (!query(h, port, TASK_NVCONFIG, &text, err))
		return false;
	if (!nvconfig_from_text(text, number_of(port), out, err))
		return explain(h, err);
	out->has |= feature_nvconfig.owns;
	return true;
}

static bool nvconfig_reports(const struct config *desired, const struct config *actual,
			     struct err *err)
{
	return parameters_are_reported(&settings[SETTING_FIRMWARE_NVCONFIG], desired, actual, err);
}

static const char *nvconfig_hint(const struct config *desired, const struct config *actual)
{
	if (!parameters_await_reset(&settings[SETTING_FIRMWARE_NVCONFIG], desired, actual))
		return NULL;
	return "the next boot has the desired values: reset the firmware of device ADDRESS with "
	       "mstfwreset, which takes down all its ports, or reboot";
}

const struct feature feature_nvconfig = {
	.name = "nvconfig",
	.phase = PHASE_ROCE,
	.owns = SETTING(SETTING_FIRMWARE_NVCONFIG),
	.source = "mstconfig",
	.read = nvconfig_read,
	.on_request = true,
	.reports = nvconfig_reports,
	.hint = nvconfig_hint,
	.readonly_hint =
		"set VALUE in the firmware of device ADDRESS with mstconfig; then reset it with "
		"mstfwreset, which takes down all its ports, or reboot",
};

static bool roce_accl_read(struct host *h, const struct port *port, struct config *out,
			   struct err *err)
{
	_free_ struct tool_output *text = NULL;

	if (!query(h, port, TASK_ROCE_ACCL, &text, err))
		return false;
	if (!roce_accl_from_text(text, out, err))
		return explain(h, err);
	out->has |= feature_roce_accl.owns;
	return true;
}

static bool roce_accl_reports(const struct config *desired, const struct config *actual,
			      struct err *err)
{
	return parameters_are_reported(&settings[SETTING_FIRMWARE_ROCE_ACCL], desired, actual, err);
}

/* The register has all fields of a write but those that are named (CMD_SET in mlxreg_ui.cpp). */
const struct feature feature_roce_accl = {
	.name = "roce-accl",
	.phase = PHASE_ROCE,
	.owns = SETTING(SETTING_FIRMWARE_ROCE_ACCL),
	.source = "mstreg ROCE_ACCL",
	.read = roce_accl_read,
	.on_request = true,
	.reports = roce_accl_reports,
	.readonly_hint =
		"set VALUE in register ROCE_ACCL of device ADDRESS with mstreg; a reset of "
		"the firmware or a reboot undoes it",
};
