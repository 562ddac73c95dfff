/* The report of `verify` as a JSON document. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_VERIFY_JSON_H
#define LOSSLESSCTL_CLI_OUTPUT_VERIFY_JSON_H

#include "../../agent/engine/verify/verify.h"
#include "../cli.h"

/* Returns the whole document; the caller owns it. */
json_t *verify_to_json(const struct cli *c, const struct verify_run *r);

#endif
