/* The document that --state names. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_STATE_FILE_H
#define LOSSLESSCTL_CLI_SANDBOX_STATE_FILE_H

#include "../cli.h"

/*
 * Opens c->opt.state into c->state_fd, while the process may still open files with the user's own
 * rights; "-" is standard input. Errors are those of file_err_kind().
 */
bool state_file_open(struct cli *c, struct err *err) must_check;

/* Reads a JSON document of at most 32 MiB; the caller owns *ret. Otherwise ERR_POLICY. */
bool state_file_read(int fd, json_t **ret, struct err *err) must_check;

#endif
