/* Getting the policy that the command line names. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_POLICY_FILE_H
#define LOSSLESSCTL_CLI_SANDBOX_POLICY_FILE_H

#include "../../policy/document/policy.h"
#include "../cli.h"

#define DEFAULT_POLICY "/etc/losslessctl/policy.json"

/*
 * Opens it and reads nothing: done while whoever runs this may still open what they may
 * otherwise. What fails is told by policy_open().
 */
void policy_find(struct cli *c);

/*
 * Reads and parses it; the caller frees *ret. A verb that writes takes it only from where nobody
 * but root could change it (safe_open.h), or from standard input: whoever may start us chose what
 * is in it, and what is read is what is hashed. On a terminal-facing run an
 * error in the document also shows the line that it is in.
 */
bool policy_open(struct cli *c, struct policy **ret, struct err *err) must_check;

/* The same, printing nothing. */
bool policy_load(struct cli *c, struct policy **ret, struct err *err) must_check;

#endif
