/*
 * Opens the files that set the environment of jobs, before privileges are dropped: the environment
 * of another user's process needs them.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_ENV_FILES_H
#define LOSSLESSCTL_CLI_SANDBOX_ENV_FILES_H

#include "../cli.h"

/* Opens those that exist into c->env_files. Fails if one that the user named does not open. */
bool env_files_open(struct cli *c, struct err *err) must_check;

/* The path of an opened file. Returns `buf`. */
const char *env_file_path(const struct cli *c, enum env_file file, char buf[PATH_TEXT_MAX]);

/*
 * Reads a whole file, of at most 4 MiB. The caller frees *ret. Errors are ERR_POLICY, with the
 * path in err->where.
 */
bool env_file_read(const struct cli *c, enum env_file file, char **ret, size_t *ret_size,
		   struct err *err) must_check;

/* Reads a log of at most 256 MiB in pieces, each of which ends with a line if it is not too long.
 */
bool env_file_read_log(const struct cli *c, void (*each)(void *arg, const char *text, size_t size),
		       void *arg, struct err *err) must_check;

#endif
