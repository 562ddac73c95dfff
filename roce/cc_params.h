/* Congestion control parameters: a file for each, in the words of its back end. */
#ifndef LOSSLESSCTL_ROCE_CC_PARAMS_H
#define LOSSLESSCTL_ROCE_CC_PARAMS_H

#include "../agent/engine/feature.h"

/* One parameter; a back end that lacks it has NULL. */
struct parameter {
	unsigned setting;
	const char *debugfs; /* below /sys/kernel/debug/mlx5/PCI-ADDRESS/cc_params */
	const char *ofed;    /* below /sys/class/net/PORT/ecn (MLNX_OFED) */
};

enum back_end { BACK_END_DEBUGFS, BACK_END_OFED };

struct parameters {
	const struct parameter *list;
	size_t count;
	enum back_end via;
};

/*
 * Reads those that are there. ERR_UNSUPPORTED: the back end is not here;
 * ERR_DENIED: it is, and we may not look (debugfs needs root, and no lockdown).
 */
bool parameters_read(struct host *h, const struct port *port, const struct parameters *all,
		     struct config *out, struct err *err) must_check;

/* Writes those that differ, one after another in the order of the list. */
bool parameters_write(struct host *h, const struct port *port, const struct parameters *all,
		      const struct config *from, const struct config *to,
		      struct err *err) must_check;

#endif
