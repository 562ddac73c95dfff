/*
 * The file that a report goes to, instead of standard output or beside it. A verb that reads may
 * neither open nor rename files once its rights are dropped, so a helper (helper_process.h) gives
 * the complete file its name. Without that, as when this process dies, the helper removes it.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_OUTPUT_FILE_H
#define LOSSLESSCTL_CLI_SANDBOX_OUTPUT_FILE_H

#include "../../policy/util/err.h"

/*
 * Makes a new file, which only this user can read. *ret_helper is the helper's socket, and *ret_fd
 * the file; the caller owns both. ERR_REFUSED: a file of that name exists.
 */
bool output_file_open(const char *path, int *ret_helper, int *ret_fd, struct err *err) must_check;

/*
 * Makes it the standard output from here on, because the sandbox lets a verb that reads write
 * nowhere else (seccomp_compile.c).
 */
bool output_file_use(int fd, const char *path, struct err *err) must_check;

/* Writes the rest of the standard output to it. */
bool output_file_finish(const char *path, struct err *err) must_check;

/* Gives the file its name, unless a file has got it meanwhile. */
bool output_file_keep(int helper, const char *path, struct err *err) must_check;

#endif
