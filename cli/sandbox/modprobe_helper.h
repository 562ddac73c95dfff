/*
 * A helper process that loads kernel modules. CAP_SYS_MODULE gives control of the whole kernel, so
 * only this process keeps it; it reads no policy and accepts only names from its own list.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_MODPROBE_HELPER_H
#define LOSSLESSCTL_CLI_SANDBOX_MODPROBE_HELPER_H

#include "../../policy/util/err.h"

/*
 * Starts the helper, unless all these modules are loaded already. *ret is its socket
 * (host_linux.modprobe_helper), owned by the caller, or -1; closing it ends the helper. Errors:
 * ERR_SYSTEM.
 */
bool modprobe_helper_start(int *ret, struct err *err) must_check;

#endif
