/* Opens and reads the policy that the command line names. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_POLICY_FILE_H
#define LOSSLESSCTL_CLI_SANDBOX_POLICY_FILE_H

#include "../../policy/document/policy.h"
#include "../cli.h"

#define DEFAULT_POLICY "/etc/losslessctl/policy.json"

#define POLICY_OPERAND_MAX 256

/*
 * Opens the policy without reading it, while the process may still open files with the user's own
 * rights. policy_open() reports errors.
 */
void policy_find(struct cli *c);

/*
 * Reads and parses the policy; the caller frees *ret. A verb that writes only accepts a file that
 * nobody but root can change (trusted_open.h), or standard input, whose content the caller chose.
 * The bytes that are read are the bytes that are hashed. Prints all errors of the document with
 * their lines but the last, which it returns; with --json it returns the first. Errors: ERR_POLICY,
 * ERR_DENIED, ERR_REFUSED.
 */
bool policy_open(struct cli *c, struct policy **ret, struct err *err) must_check;

/*
 * The same for a verb that needs none: *ret covers each port and asks for nothing if the command
 * line names no policy and the host has none, and *has is false.
 */
bool policy_open_if_any(struct cli *c, struct policy **ret, bool *has, struct err *err) must_check;

/*
 * The same for a verb that reports by itself: prints all errors of the document, with their lines,
 * and keeps them in *all; with --json it prints nothing.
 */
bool policy_open_all(struct cli *c, struct policy **ret, struct err_list *all,
		     struct err *err) must_check;

/*
 * Returns the words that give another verb this policy, in a command that a user copies: "", or
 * " PATH" in `buf`, quoted for a shell.
 */
const char *policy_operand(const struct cli *c, char buf[POLICY_OPERAND_MAX]);

/* Makes the i-th further policy of the command line the one to open; false if there is none. */
bool policy_next(struct cli *c, size_t i);

/* Reads the policy like policy_open(), without printing anything. */
bool policy_load(struct cli *c, struct policy **ret, struct err *err) must_check;

/*
 * Opens c->opt.state into c->state_fd, while the process may still open files with the user's own
 * rights; "-" is standard input. Errors are those of file_err_kind().
 */
bool state_file_open(struct cli *c, struct err *err) must_check;

/* Reads a JSON document of at most 32 MiB; the caller owns *ret. Otherwise ERR_POLICY. */
bool state_file_read(int fd, json_t **ret, struct err *err) must_check;

#endif
