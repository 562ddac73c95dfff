#include "variable.h"

#include <string.h>

/*
 * Sources: NCCL's src/transport/net_ib/connect.cc, gin.cc and src/misc/socket.cc; UCX's
 * src/uct/ib/base/ib_iface.c and src/ucp/core/ucp_context.c.
 */
const struct variable variables[VARIABLE_COUNT] = {
	[VARIABLE_NCCL_IB_TC] = { "NCCL_IB_TC", VARIABLE_CLASS,
				  .doc = "Traffic class of NCCL's queue pairs." },
	[VARIABLE_NCCL_IB_FIFO_TC] = { "NCCL_IB_FIFO_TC", VARIABLE_CLASS, NCCL_VERSION(2, 22),
				       .doc = "Traffic class of NCCL's small control messages." },
	[VARIABLE_NCCL_GIN_IB_TC] = { "NCCL_GIN_IB_TC", VARIABLE_CLASS, NCCL_VERSION(2, 30),
				      .nvidia_only = true,
				      .doc = "Traffic class of the queue pairs that GPUs drive "
					     "themselves (GIN)." },
	[VARIABLE_NCCL_IB_HCA] = { "NCCL_IB_HCA", VARIABLE_TEXT,
				   .doc = "RDMA devices that NCCL uses." },
	[VARIABLE_NCCL_IB_ADDR_FAMILY] = { "NCCL_IB_ADDR_FAMILY", VARIABLE_TEXT, NCCL_CHOOSES_GID,
					   .doc = "Address family of the GID that NCCL chooses." },
	[VARIABLE_NCCL_IB_ROCE_VERSION_NUM] = { "NCCL_IB_ROCE_VERSION_NUM", VARIABLE_INTEGER,
						NCCL_CHOOSES_GID,
						.doc = "RoCE version of the GID that NCCL "
						       "chooses." },
	[VARIABLE_NCCL_IB_GID_INDEX] = { "NCCL_IB_GID_INDEX", VARIABLE_INTEGER,
					 .doc = "Index of the GID, for NCCL before 2.21." },
	[VARIABLE_NCCL_SOCKET_IFNAME] = { "NCCL_SOCKET_IFNAME", VARIABLE_TEXT,
					  .doc = "Interfaces over which NCCL's ranks find each "
						 "other." },
	[VARIABLE_NCCL_IB_TIMEOUT] = { "NCCL_IB_TIMEOUT", VARIABLE_INTEGER,
				       .doc = "Time-out of a queue pair, 4.096 us << value." },
	[VARIABLE_NCCL_IB_RETRY_CNT] = { "NCCL_IB_RETRY_CNT", VARIABLE_INTEGER,
					 .doc = "Retransmissions before a queue pair fails." },
	[VARIABLE_NCCL_IB_DISABLE] = { "NCCL_IB_DISABLE", VARIABLE_INTEGER,
				       .doc = "1 turns RDMA off." },
	[VARIABLE_NCCL_NET] = { "NCCL_NET", VARIABLE_TEXT,
				.doc = "Name of the network module: IB, or Socket for TCP." },
	[VARIABLE_UCX_IB_TRAFFIC_CLASS] = { "UCX_IB_TRAFFIC_CLASS", VARIABLE_CLASS, .of_ucx = true,
					    .doc = "Traffic class of UCX's queue pairs." },
	[VARIABLE_UCX_NET_DEVICES] = { "UCX_NET_DEVICES", VARIABLE_TEXT, .of_ucx = true,
				       .doc = "Devices that UCX uses." },
	[VARIABLE_UCX_TLS] = { "UCX_TLS", VARIABLE_TEXT, .of_ucx = true,
			       .doc = "Transports that UCX uses." },
};

enum variable_id variable_find(const char *name, size_t length)
{
	enum variable_id id = 0;

	while (id < VARIABLE_COUNT && (strlen(variables[id].name) != length ||
				       memcmp(variables[id].name, name, length) != 0))
		id++;
	return id;
}
