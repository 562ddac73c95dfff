/* Facts of the whole host that decide which settings a port can have. */
#ifndef LOSSLESSCTL_AGENT_HOST_HOST_FACTS_H
#define LOSSLESSCTL_AGENT_HOST_HOST_FACTS_H

#include "host.h"

#define LOCKDOWN_MAX 24

/* The maker of the mlx5 driver, if there is one. */
enum mlx5_source { MLX5_INBOX, MLX5_RHEL, MLX5_NVIDIA };

struct host_facts {
	char kernel[72];
	enum mlx5_source mlx5;
	char mlx5_version[32];	     /* NVIDIA's release; empty: none */
	char lockdown[LOCKDOWN_MAX]; /* "none", "integrity", "confidentiality"; empty: not built in
				      */
	bool slows_mlx5;	     /* the kernel's own mlx5 driver is slow (kernel_fault.h) */
};

/* Reads them from /proc and /sys; what cannot be read stays empty. */
void host_facts_read(struct host *h, struct host_facts *ret);

/* Only NVIDIA's own driver (DOCA, MLNX_OFED) has a version beside the kernel's. */
bool host_has_nvidia_driver(struct host *h);

/*
 * True if the kernel is in lockdown, which closes debugfs to root as well (fs/debugfs/file.c,
 * debugfs_locked_down()). Debian and Ubuntu lock a kernel that was started by Secure Boot. False
 * where securityfs is not mounted.
 */
bool host_is_locked_down(struct host *h);

/* "inbox", "rhel" or "nvidia". */
const char *mlx5_source_name(enum mlx5_source source);

#endif
