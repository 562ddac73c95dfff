/* Compares two captured hosts. Names and addresses of their own are no difference. */
#ifndef LOSSLESSCTL_CLI_CAPTURED_HOST_DIFF_H
#define LOSSLESSCTL_CLI_CAPTURED_HOST_DIFF_H

#include "captured_host.h"

/* Plain data, but for the values, which are borrowed while the visitor runs. */
struct host_difference {
	const char *port;    /* the port of both hosts; NULL: of the host */
	const char *subject; /* a setting's path, or a key of the document */
	const json_t *values[2];
	const char *texts[2];
	bool is_known; /* false: one of the hosts could not read its value */
};

/* Calls `each` for every difference: settings of a port, its other facts, then those of the host.
 */
void host_diff_each(const struct captured_host *a, const struct captured_host *b,
		    void (*each)(const struct host_difference *d, void *arg), void *arg);

/* The ports that `a` has and `b` has not; the caller owns the list of names. */
json_t *host_diff_only(const struct captured_host *a, const struct captured_host *b);

#endif
