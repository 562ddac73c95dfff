/* Congestion control parameters: one file each, in debugfs or in MLNX_OFED's sysfs. */
#ifndef LOSSLESSCTL_ROCE_CC_PARAMS_H
#define LOSSLESSCTL_ROCE_CC_PARAMS_H

#include "../agent/engine/feature.h"

/* One parameter; NULL where a back end lacks it. */
struct cc_param {
	unsigned setting;
	const char *debugfs; /* below /sys/kernel/debug/mlx5/PCI-ADDRESS/cc_params */
	const char *ofed;    /* below /sys/class/net/PORT/ecn (MLNX_OFED) */
	/*
	 * In debugfs: reads 0 while the parameter is unset, and 0 unsets it; a write to the
	 * parameter sets it. The value of an unset one is the setting's word. NULL: always set.
	 */
	const char *valid;
};

/* A list is a macro of ROW(ID, debugfs, ofed); these make of it an array and the settings owned. */
#define CC_PARAM_ROW(id, debugfs, ofed)	    { SETTING_##id, debugfs, ofed, NULL },
#define CC_PARAM_SETTING(id, debugfs, ofed) SETTING(SETTING_##id) |
#define COUNT_OF(list)			    (sizeof(list) / sizeof((list)[0]))

enum back_end { BACK_END_DEBUGFS, BACK_END_OFED };

struct cc_params {
	const struct cc_param *list;
	size_t count;
	enum back_end via;
};

/*
 * Reads the parameters that exist. ERR_UNSUPPORTED: the back end is missing, or kernel lockdown
 * closes it; ERR_DENIED: it exists but is not readable (debugfs needs root).
 */
bool cc_params_read(struct host *h, const struct port *port, const struct cc_params *all,
		    struct config *out, struct err *err) must_check;

/* Writes the parameters that differ, in the order of the list. */
bool cc_params_write(struct host *h, const struct port *port, const struct cc_params *all,
		     const struct config *from, const struct config *to,
		     struct err *err) must_check;

#endif
