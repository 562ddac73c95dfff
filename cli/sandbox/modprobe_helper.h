/*
 * Loading kernel modules takes a capability over the whole kernel, so a process of its own has
 * it, which reads no policy and is told no name that it does not have in its list.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_MODPROBE_HELPER_H
#define LOSSLESSCTL_CLI_SANDBOX_MODPROBE_HELPER_H

#include "../../policy/util/err.h"

/*
 * Starts it, unless every module that we ask for is there already. *ret is the line to it
 * (host_linux.loader), or -1; it ends when that is closed. Errors: ERR_SYSTEM.
 */
bool modprobe_helper_start(int *ret, struct err *err) must_check;

#endif
