/* The verdict on the environments of jobs, as text and as JSON, for `verify` and `env --check`. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_ENVIRONMENT_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_ENVIRONMENT_TEXT_H

#include <jansson.h>

#include "../../agent/engine/job_environment.h"
#include "../cli.h"

/* Returns [{variable, severity, ...}]; an empty list if nothing was judged. */
json_t *environment_verdict_to_json(const struct environment_verdict *v);

/* Prints nothing if there is nothing to remark on. */
void print_environment_verdict(const struct cli *c, const struct environment_verdict *v);

/* Prints the line that ends the report of `env --check`, and what to run. */
void print_environment_summary(const struct environment_verdict *v, enum status worst);

#endif
