/*
 * The file that a report goes to instead of standard output. A verb that reads may neither open nor
 * rename files once its rights are dropped, so a helper (helper_process.h) gives the complete file
 * its name. Without that, as when this process dies, the helper removes it.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_OUTPUT_FILE_H
#define LOSSLESSCTL_CLI_SANDBOX_OUTPUT_FILE_H

#include "../../policy/util/err.h"

/*
 * Makes a new file, which only this user can read, the standard output. *ret_helper is the helper's
 * socket, owned by the caller. ERR_REFUSED: a file of that name exists.
 */
bool output_file_open(const char *path, int *ret_helper, struct err *err) must_check;

/* Gives the file its name, unless a file has got it meanwhile. */
bool output_file_keep(int helper, const char *path, struct err *err) must_check;

#endif
