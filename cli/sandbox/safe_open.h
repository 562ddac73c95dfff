/* Opening a file that nobody but root could change, nor any link or folder that leads to it. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_SAFE_OPEN_H
#define LOSSLESSCTL_CLI_SANDBOX_SAFE_OPEN_H

#include "../../policy/util/err.h"

/*
 * Opens a regular file for reading, once: *ret is what was looked at. Each folder on the way,
 * each link and the file itself must belong to root or to who runs this, and nobody else may
 * write to it; what is on a read-only mount nobody writes to, whatever its mode says (a
 * Kubernetes ConfigMap). ERR_REFUSED names the part and the mend; else ERR_POLICY, ERR_DENIED.
 */
bool trusted_open(const char *path, int *ret, struct err *err) must_check;

#endif
