/* Prepares a verb before it drops its privileges. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_ENTER_H
#define LOSSLESSCTL_CLI_SANDBOX_ENTER_H

#include "../cli.h"

/*
 * Opens the policy without reading it, finds the SSH session behind this process, starts the helper
 * processes, and then drops all rights but the verb's (privileges.h). policy_open() reports a
 * policy that could not be opened (policy_file.h). Errors: ERR_SYSTEM.
 */
bool sandbox_enter(struct cli *c, struct err *err) must_check;

#endif
