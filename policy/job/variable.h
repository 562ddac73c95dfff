/* The environment variables that decide which network a job's RDMA traffic uses, and its class. */
#ifndef LOSSLESSCTL_POLICY_JOB_VARIABLE_H
#define LOSSLESSCTL_POLICY_JOB_VARIABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order in which `losslessctl env` prints them. */
enum variable_id {
	VARIABLE_NCCL_IB_TC,
	VARIABLE_NCCL_IB_FIFO_TC,
	VARIABLE_NCCL_GIN_IB_TC,
	VARIABLE_NCCL_IB_HCA,
	VARIABLE_NCCL_IB_ADDR_FAMILY,
	VARIABLE_NCCL_IB_ROCE_VERSION_NUM,
	VARIABLE_NCCL_IB_GID_INDEX,
	VARIABLE_NCCL_SOCKET_IFNAME,
	VARIABLE_NCCL_IB_TIMEOUT,
	VARIABLE_NCCL_IB_RETRY_CNT,
	VARIABLE_NCCL_IB_DISABLE,
	VARIABLE_NCCL_NET,
	VARIABLE_UCX_IB_TRAFFIC_CLASS,
	VARIABLE_UCX_NET_DEVICES,
	VARIABLE_UCX_TLS,
	VARIABLE_COUNT
};

enum variable_type {
	VARIABLE_CLASS,	  /* a traffic class byte: DSCP << 2 | ECN */
	VARIABLE_INTEGER, /* a number, as strtoll() reads it */
	VARIABLE_TEXT,
};

/* Versions of NCCL are compared as 100 * major + minor: 221 is 2.21. */
#define NCCL_VERSION(major, minor) (100u * (major) + (minor))
#define NCCL_CHOOSES_GID	   NCCL_VERSION(2, 21) /* it needs no index of a GID */

#define NCCL_CLASS_UNSET (-1) /* the default of NCCL_IB_TC and NCCL_GIN_IB_TC */

struct variable {
	const char *name;
	enum variable_type type;
	unsigned since;	  /* the first version of NCCL that reads it; 0: all, or not NCCL's */
	bool of_ucx;	  /* read by UCX, not by NCCL and RCCL */
	bool nvidia_only; /* RCCL does not have it */
	const char *doc;
};

extern const struct variable variables[VARIABLE_COUNT];

/* The variable with this name of `length` characters; VARIABLE_COUNT: none of them. */
enum variable_id variable_find(const char *name, size_t length);

#endif
