/* Opens files: for verbs that write, those that nobody but root can change. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_SAFE_OPEN_H
#define LOSSLESSCTL_CLI_SANDBOX_SAFE_OPEN_H

#include "../../policy/util/err.h"

/*
 * Opens a regular file for reading, once; *ret is the descriptor that was checked, owned by the
 * caller. Each directory on the way, each link and the file itself must belong to root or to the
 * effective user, and not be writable by others. The mode does not matter on a read-only mount (a
 * Kubernetes ConfigMap). ERR_REFUSED names the part and the fix; other errors are those of
 * file_err_kind().
 */
bool trusted_open(const char *path, int *ret, struct err *err) must_check;

/*
 * Opens any file for reading, for a verb that only reads. Does not block: a FIFO without a writer
 * would, forever. Errors are those of file_err_kind().
 */
bool any_open(const char *path, int *ret, struct err *err) must_check;

/* Returns the kind of a failure to open a policy file: ERR_DENIED, ERR_NO_FILE or ERR_POLICY. */
enum err_kind file_err_kind(int code);

#endif
