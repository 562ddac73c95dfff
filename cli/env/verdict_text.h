/* The environments of jobs in the report of `verify`, as text. */
#ifndef LOSSLESSCTL_CLI_ENV_VERDICT_TEXT_H
#define LOSSLESSCTL_CLI_ENV_VERDICT_TEXT_H

#include "../../agent/engine/verify/environment_verdict.h"
#include "../cli.h"

/* Prints nothing if there is nothing to remark on. */
void print_environment_verdict(const struct cli *c, const struct environment_verdict *v);

#endif
