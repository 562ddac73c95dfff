/* The GIDs of a port: its RDMA addresses. */
#ifndef LOSSLESSCTL_ROCE_GID_H
#define LOSSLESSCTL_ROCE_GID_H

#include "../agent/host/host.h"
#include "../policy/job/job_port.h"

#define GIDS_MAX 64 /* entries scanned; a port of mlx5 has up to 256 */

struct gid {
	unsigned index;
	char text[48]; /* fe80:0000:… */
	char type[16]; /* "v1" or "v2" */
};

struct gid_list {
	struct gid gids[GIDS_MAX];
	size_t count;
};

/* Lists the GIDs in use. ERR_UNSUPPORTED: the port has no RDMA device. */
bool gid_list(struct host *h, const struct port *port, struct gid_list *ret,
	      struct err *err) must_check;

/* Those of RoCE v2 that can be routed, by address family. */
struct gids_v2 gid_list_v2(const struct gid_list *list);

/* The same of a port. ERR_UNSUPPORTED: the port has no RDMA device. */
bool gid_read_v2(struct host *h, const struct port *port, struct gids_v2 *ret,
		 struct err *err) must_check;

#endif
