/* What a verb does before it gives its privileges up, as it could not do it afterwards. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_ENTER_H
#define LOSSLESSCTL_CLI_SANDBOX_ENTER_H

#include "../cli.h"

/*
 * Opens the policy without reading a byte of it, finds the session that gave the order, starts
 * who loads modules, and then keeps only the verb's rights (privileges.h). A policy that cannot
 * be opened is told of when it is asked for (policy_file.h).
 */
bool sandbox_enter(struct cli *c, struct err *err) must_check;

#endif
