/* Facts of the whole host that decide which settings a port can have. */
#ifndef LOSSLESSCTL_AGENT_HOST_HOST_FACTS_H
#define LOSSLESSCTL_AGENT_HOST_HOST_FACTS_H

#include <stdbool.h>

#include "host.h"

/* Kernels whose mlx5 driver has a known fault, by the number of their release. */

/*
 * True if the kernel's own mlx5 driver has both changes of Xon and Xoff that make most traffic
 * slow. `release` and `version` are those of uname(2). False if it is not certain: other
 * distributions than Debian number their kernels in their own way, and carry newer code in older
 * ones.
 */
bool kernel_slows_mlx5(const char *release, const char *version);

#define LOCKDOWN_MAX 24

/* The maker of the mlx5 driver, if there is one. */
enum mlx5_source { MLX5_INBOX, MLX5_RHEL, MLX5_NVIDIA };

struct host_facts {
	char kernel[72];
	enum mlx5_source mlx5;
	char mlx5_version[32];	     /* NVIDIA's release; empty: none */
	char lockdown[LOCKDOWN_MAX]; /* "none", "integrity", "confidentiality"; empty: not built in
				      */
	bool slows_mlx5; /* the kernel's own mlx5 driver is slow (kernel_slows_mlx5()) */
};

/* Reads them from /proc and /sys; what cannot be read stays empty. */
void host_facts_read(struct host *h, struct host_facts *ret);

/* Only MLNX_OFED's driver has a version beside the kernel's. */
bool host_has_nvidia_driver(struct host *h);

/*
 * True if the kernel is in lockdown, which closes debugfs to root as well (fs/debugfs/file.c,
 * debugfs_locked_down()). Debian and Ubuntu lock a kernel that was started by Secure Boot. False
 * where securityfs is not mounted.
 */
bool host_is_locked_down(struct host *h);

/* "inbox", "rhel" or "nvidia". */
const char *mlx5_source_name(enum mlx5_source source);

/* The identity of the host in reports: its name, an id of its own, and the id of this boot. */

#define HOST_NAME_SIZE 256
#define HOST_ID_MAX    33
#define BOOT_ID_MAX    64

/* A value that cannot be read is "". */
struct host_identity {
	char name[HOST_NAME_SIZE];
	/*
	 * Derived from the machine id as by sd_id128_get_machine_app_specific(3), because
	 * machine-id(5) must not be disclosed.
	 */
	char host_id[HOST_ID_MAX];
	char boot_id[BOOT_ID_MAX]; /* the kernel's */
};

/* Fills *ret; reads the kernel's files and /etc/machine-id. */
void host_identify(struct host *h, struct host_identity *ret);

/* The kernel's id of this boot. Errors: as host_read_file(). */
bool host_boot_id(struct host *h, char buf[BOOT_ID_MAX], struct err *err) must_check;

#endif
