/* The verdict on the environments of jobs, as text, for `verify` and `env --check`. */
#ifndef LOSSLESSCTL_CLI_ENV_ENVIRONMENT_TEXT_H
#define LOSSLESSCTL_CLI_ENV_ENVIRONMENT_TEXT_H

#include "../../agent/engine/job.h"
#include "../cli.h"

/* Prints nothing if there is nothing to remark on. */
void print_environment_verdict(const struct cli *c, const struct environment_verdict *v);

/* Prints the line that ends the report of `env --check`, and what to run. */
void print_environment_summary(const struct environment_verdict *v, enum status worst);

#endif
