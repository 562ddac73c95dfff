/* A kernel with two RDMA devices, their queue pairs and counters, and devlink. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_RDMA_KERNEL_H
#define LOSSLESSCTL_TESTS_SUPPORT_RDMA_KERNEL_H

#include "agent/engine/feature.h"

struct qp {
	uint8_t type, state;
	bool by_kernel;
};

/* A rate object of devlink: a node or a port of this function, with shares of two classes. */
struct rate_object {
	const char *pci, *node; /* node NULL: port 7 */
	bool lists_shares;	/* as kernels since 6.17 */
	uint32_t shares[2];
};

/* Device 0 is on netdev 7 and device 1 on `other`; the queue pairs are device 0's. */
struct rdma_kernel {
	struct host host;
	unsigned other;
	struct qp qps[4];
	size_t qps_count;
	int failing, code;	  /* the RDMA command that fails; -1: none */
	bool goes, never_settles; /* device 0, after it was listed; it is listed each time */
	uint32_t representors;	  /* ports of device 0 before that on netdev 7 */
	bool hidden;		  /* device 0's netdev is in another network namespace */
	int lists;
	const char *uevent, *counter_file;
	const char *const (*files)[2]; /* more paths and their texts, up to a NULL */
	const char *counter;	       /* the counter of STAT_GET; NULL: np_cnp_sent */
	bool has_param, param_is_on;
	/* devlink's devices, "BUS/NAME", up to a NULL, each with the mode; -1: none is reported. */
	const char *const *devices;
	int eswitch_mode;
	int devlink_code, eswitch_code;	 /* the errno of all requests, and of those for a mode */
	const struct rate_object *rates; /* devlink's, up to one without a function; NULL: none */
};

/* A kernel that answers every request. */
struct rdma_kernel rdma_kernel(void);

/* A port of mlx5, the netdev of this index. */
struct port port_on(unsigned ifindex);

#endif
