/* The configfs files of rdma_cm: defaults for connections that do not choose themselves. */
#ifndef LOSSLESSCTL_ROCE_RDMA_CM_H
#define LOSSLESSCTL_ROCE_RDMA_CM_H

#include "../agent/host/host.h"

/* Creates the directory, and loads the module if needed. Does nothing for a port without RDMA. */
bool rdma_cm_prepare(struct host *h, const struct port *port, struct err *err) must_check;

#endif
