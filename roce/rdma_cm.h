/* The configfs files of rdma_cm: defaults for connections that do not choose themselves. */
#ifndef LOSSLESSCTL_ROCE_RDMA_CM_H
#define LOSSLESSCTL_ROCE_RDMA_CM_H

#include "../agent/host/host.h"

/*
 * Read or write one file of rdma_cm/DEVICE/ports/N. ERR_UNSUPPORTED: the port has no RDMA device;
 * ERR_MISSING: its directory does not exist yet.
 */
bool rdma_cm_read(struct host *h, const struct port *port, const char *file, char *buf, size_t size,
		  struct err *err) must_check;
bool rdma_cm_write(struct host *h, const struct port *port, const char *file, const char *value,
		   struct err *err) must_check;

/* Creates the directory, and loads the module if needed. Does nothing for a port without RDMA. */
bool rdma_cm_prepare(struct host *h, const struct port *port, struct err *err) must_check;

#endif
