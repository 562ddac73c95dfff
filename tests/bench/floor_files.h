/* The files and ioctls that the floor program reads, each once. */
#ifndef BENCH_FLOOR_FILES_H
#define BENCH_FLOOR_FILES_H

void read_ethtool(int fd, const char *name);

/* The facts of the whole host: owners of DCBX, other writers, units, the kernel. */
void read_host(void);

/* The files of one port; `rdma` is NULL for a port without an RDMA device. */
void read_port_files(const char *name, const char *pci, const char *rdma);

#endif
