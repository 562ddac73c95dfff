/* The process that wrote a line of NCCL's log, and the hosts of a log. */
#ifndef LOSSLESSCTL_POLICY_JOB_NCCL_LOG_H
#define LOSSLESSCTL_POLICY_JOB_NCCL_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../util/err.h"
#include "assignment.h"

#define LOG_HOST_MAX 64

struct log_origin {
	char host[LOG_HOST_MAX]; /* up to the first dot, as NCCL writes it */
	long pid;
	int gpu; /* the CUDA device */
};

/*
 * Reads "HOST:PID:TID [GPU] " in front of `end`, after anything that mpirun, srun or NCCL itself (a
 * timestamp) put before it. False if the line has none.
 */
bool log_origin_parse(const char *line, const char *end, struct log_origin *ret);

#define LOG_HOSTS_MAX	1024
#define LOG_HOSTS_SLOTS 2048 /* a power of two */

/* A set of names; a value of zeros is empty. */
struct log_hosts {
	uint64_t slots[LOG_HOSTS_SLOTS]; /* hashes of the names; 0: free */
	size_t count;			 /* stops at LOG_HOSTS_MAX */
};

/* Adds a name; past LOG_HOSTS_MAX it is left out. */
void log_hosts_add(struct log_hosts *all, const char *host);

#define LOG_DEVICES_MAX	  32
#define LOG_NAME_MAX	  24
#define LOG_PROCESSES_MAX 64 /* on one host */

/* A number in the log, and its line; 0: the log does not have it. */
struct logged {
	unsigned line;
	long value;
};

/* A process of this host. Devices are bits, by their index in the log's list. */
struct log_process {
	long pid; /* 0: of lines that do not name their process */
	int gpu;
	unsigned first_line, env_line; /* the latter has a variable that the environment sets */
	struct logged set[VARIABLE_COUNT];
	unsigned socket_line; /* NET/Socket */
	bool no_device;	      /* NET/IB found none */
	/* Channels of NET/IB, those with GPUDirect RDMA, and the first one without. */
	size_t ib_channels, gdrdma_channels;
	unsigned ib_line, no_gdrdma_line;
	unsigned uses_line; /* lists the devices */
	uint32_t devices, infiniband;
	struct logged gid, failed; /* the failed one's value is the status of its completion */
	bool gid_differs;
};

/* Plain data; a value of zeros has read nothing. Words are those of NCCL 2.12 to 2.32. */
struct nccl_log {
	char host[LOG_HOST_MAX];  /* this host, set by the caller; "": lines of all are read */
	size_t lines;		  /* with "NCCL" in them, of all hosts */
	size_t own_lines;	  /* those that name this host */
	unsigned line;		  /* complete ones so far, with and without "NCCL" */
	struct log_hosts hosts;	  /* all that the log names */
	char other[LOG_HOST_MAX]; /* the first host but this one; "": there is none */
	char version[16];	  /* "2.27.3"; "" if the log does not say */
	char devices[LOG_DEVICES_MAX][LOG_NAME_MAX]; /* "mlx5_0:1" */
	size_t devices_count;
	struct log_process processes[LOG_PROCESSES_MAX];
	size_t processes_count;
};

/* Sets log->host, as NCCL writes names: up to the first dot. */
void nccl_log_set_host(struct nccl_log *log, const char *name);

/*
 * Reads a part of a log, which ends with a line, or is a part of a line that is too long. Keeps
 * none of the text.
 */
void nccl_log_parse(struct nccl_log *log, const char *text, size_t size);

/*
 * Fails with ERR_POLICY if the log has no line of NCCL, or is of other hosts: it says nothing about
 * the ports of this one.
 */
bool nccl_log_is_of_host(const struct nccl_log *log, struct err *err) must_check;

#endif
