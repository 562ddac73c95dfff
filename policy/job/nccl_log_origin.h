/* The process that wrote a line of NCCL's log, and the hosts of a log. */
#ifndef LOSSLESSCTL_POLICY_JOB_NCCL_LOG_ORIGIN_H
#define LOSSLESSCTL_POLICY_JOB_NCCL_LOG_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
