/* The verdict on the environments of jobs, as JSON, for `verify` and `env --check`. */
#ifndef LOSSLESSCTL_CLI_ENV_ENVIRONMENT_JSON_H
#define LOSSLESSCTL_CLI_ENV_ENVIRONMENT_JSON_H

#include <jansson.h>

#include "../../agent/engine/job.h"

/* Returns [{variable, severity, ...}]; an empty list if nothing was judged. */
json_t *environment_verdict_to_json(const struct environment_verdict *v);

#endif
