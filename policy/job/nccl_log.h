/* The network that NCCL really used, from its log (NCCL_DEBUG=INFO). */
#ifndef LOSSLESSCTL_POLICY_JOB_NCCL_LOG_H
#define LOSSLESSCTL_POLICY_JOB_NCCL_LOG_H

#include <stdbool.h>
#include <stddef.h>

#define LOG_DEVICES_MAX 32
#define LOG_NAME_MAX	24

/* Plain data; a value of zeros has read nothing. Words are those of NCCL 2.19 to 2.30. */
struct nccl_log {
	size_t lines;	  /* with "NCCL" in them */
	char version[16]; /* "2.27.3"; "" if the log does not say */
	bool no_device;	  /* NET/IB found none */
	/* Channels by transport, and those of NET/IB with GPUDirect RDMA. */
	size_t ib_channels, socket_channels, gdrdma_channels;
	char network[16];			     /* "IB", "Socket"; "": not said */
	char devices[LOG_DEVICES_MAX][LOG_NAME_MAX]; /* "mlx5_0:1" */
	size_t devices_count;
	bool has_traffic_class, has_gid_index, gid_differs;
	long traffic_class; /* that the environment sets */
	long gid_index;
};

/* Reads the next line, without its newline. */
void nccl_log_line(struct nccl_log *log, const char *line);

/* Reads a part of a log; calls nccl_log_line() for each whole line, and keeps none of it. */
void nccl_log_parse(struct nccl_log *log, const char *text, size_t size);

#endif
