/* The result of `losslessctl probe`, as text and as an exit code. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_REPORT_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_REPORT_H

#include "probe_plan.h"

/* 0: all in class, 2: something is wrong or does not connect, 3: something is unknown. */
int probe_exit_code(const struct probe_plan *p);

/* Prints one line for each direction of each run between this host and another one. */
void print_probe(const struct cli *c, const struct probe_plan *p);

/* Between two hosts: losslessctl/probe/1. The caller owns the result. */
json_t *probe_to_json(const struct cli *c, const struct probe_plan *p);

/* Between all hosts of a file: losslessctl/probe-matrix/1. The caller owns the result. */
json_t *probe_matrix_to_json(const struct cli *c, const struct probe_plan *p);

#endif
