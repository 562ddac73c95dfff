/* The result of a probe as JSON. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_REPORT_JSON_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_REPORT_JSON_H

#include "probe_plan.h"

/* Between two hosts: losslessctl/probe/1. The caller owns the result. */
json_t *probe_to_json(const struct cli *c, const struct probe_plan *p);

/* Between all hosts of a file: losslessctl/probe-matrix/1. The caller owns the result. */
json_t *probe_matrix_to_json(const struct cli *c, const struct probe_plan *p);

#endif
