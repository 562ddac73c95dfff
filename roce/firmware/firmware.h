/* Reads what NVIDIA's tools print of an adapter's firmware. */
#ifndef LOSSLESSCTL_ROCE_FIRMWARE_FIRMWARE_H
#define LOSSLESSCTL_ROCE_FIRMWARE_FIRMWARE_H

#include "../../policy/model/config.h"
#include "../../policy/util/err.h"

struct tool_output;

/*
 * Reads the table of `mstconfig -e q` into out->firmware.nvconfig. `port` counts from 1: of
 * parameters that each port has, NAME_P1 is read for port 1; all ports of an adapter that has the
 * first only read that. Errors: ERR_UNKNOWN, with the tool's own error if it printed one.
 */
bool nvconfig_from_text(const struct tool_output *text, unsigned port, struct config *out,
			struct err *err) must_check;

/* Reads the fields that `mstreg --get` prints into out->firmware.roce_accl. The same errors. */
bool roce_accl_from_text(const struct tool_output *text, struct config *out,
			 struct err *err) must_check;

#endif
