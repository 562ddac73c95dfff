/*
 * Queries of an adapter's firmware and of its place in the host, which the vendor's tools answer as
 * text. The helper process (cli/sandbox/firmware_helper.h) runs them, because this process may
 * start no program.
 */
#ifndef LOSSLESSCTL_AGENT_HOST_FIRMWARE_H
#define LOSSLESSCTL_AGENT_HOST_FIRMWARE_H

#include <stdint.h>

#define FIRMWARE_OUTPUT_MAX	 (512u << 10) /* the largest output of one query */
#define FIRMWARE_TIMEOUT_S	 60	      /* the longest time until the helper ends a tool */
#define FIRMWARE_PCI_ADDRESS_MAX 16

/* Places of rdma-core's rdma_topo. */
#define RDMA_TOPO_PATH	 "/usr/sbin/rdma_topo"
#define RDMA_TOPO_PATH_2 "/usr/bin/rdma_topo"

enum firmware_query {
	FIRMWARE_NVCONFIG,  /* mstconfig -e q */
	FIRMWARE_ROCE_ACCL, /* mstreg --reg_name ROCE_ACCL --get */
	RDMA_TOPO_CHECK,    /* rdma_topo check, of the whole host */
	FIRMWARE_QUERIES
};

struct firmware_request {
	uint32_t query;			    /* enum firmware_query */
	char pci[FIRMWARE_PCI_ADDRESS_MAX]; /* "0000:3b:00.0"; "": the host */
};

/* The tool's output follows. */
struct firmware_answer {
	int32_t code;	  /* 0, or an errno: the tool did not run to its end */
	int32_t failed;	  /* the tool ended with an error; its text may still be of use */
	char reason[256]; /* with a code: a sentence */
};

#endif
