/*
 * A helper process that queries an adapter's firmware, and its place in the host, with NVIDIA's
 * tools (agent/host/firmware.h). They access PCI configuration space, so this process keeps
 * CAP_SYS_ADMIN. It reads no policy, and runs nothing but its own list of programs, whose whole
 * path must be root's.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_FIRMWARE_HELPER_H
#define LOSSLESSCTL_CLI_SANDBOX_FIRMWARE_HELPER_H

#include "../../agent/host/firmware.h"
#include "../../policy/util/err.h"

/* True if the tool that answers this is installed. */
bool firmware_helper_can(enum firmware_query query);

/*
 * Starts the helper if this process is root's. *ret is its socket (host_linux.firmware_helper),
 * owned by the caller, or -1; closing it ends the helper. Errors: ERR_SYSTEM.
 */
bool firmware_helper_start(int *ret, struct err *err) must_check;

#endif
