/* The result of `losslessctl probe`, as text and as JSON. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_REPORT_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_REPORT_H

#include "probe_client.h"

#define PROBE_RUNS (PROBE_PATHS + 1) /* each path, and the control */

/* All runs between two ports. */
struct probe_pair {
	const struct probe_port *from, *to;
	struct probe_run runs[PROBE_RUNS];
	size_t count;
};

struct probe_report {
	const char *peer; /* name of the other host */
	struct probe_pair *pairs;
	size_t count;
};

/* 0: all in class, 2: something is wrong or does not connect, 3: something is unknown. */
int probe_exit_code(const struct probe_report *r);

/* Prints one line for each direction of each run. */
void print_probe(const struct cli *c, const struct probe_report *r);

/* The caller owns the result. */
json_t *probe_to_json(const struct cli *c, const struct probe_report *r);

#endif
