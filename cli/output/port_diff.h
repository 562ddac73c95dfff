/* Are ports set up alike? On a host of many ports the odd one out is the one that stalls the job.
 */
#ifndef LOSSLESSCTL_CLI_OUTPUT_PORT_DIFF_H
#define LOSSLESSCTL_CLI_OUTPUT_PORT_DIFF_H

#include "../cli.h"

/* One port's setup as it is; borrowed. */
struct setup {
	const char *port;
	const struct config *actual;
};

/* The settings in which not all of these are alike, or that only some of them have. */
setting_set uniform_differences(const struct setup *setups, size_t count);

/* [{setting, values: {PORT: VALUE}}] of those settings; the caller owns it. */
json_t *uniform_to_json(const struct setup *setups, size_t count);

/* "all 4 ports are alike", or a line for each setting that differs; nothing for a single port. */
void print_uniform(const struct cli *c, const struct setup *setups, size_t count);

#endif
