/* Kernels whose mlx5 driver has a known fault, by the number of their release. */
#ifndef LOSSLESSCTL_AGENT_HOST_KERNEL_FAULT_H
#define LOSSLESSCTL_AGENT_HOST_KERNEL_FAULT_H

#include <stdbool.h>

/*
 * True if the kernel's own mlx5 driver has both changes of Xon and Xoff that make most traffic
 * slow. `release` and `version` are those of uname(2). False if it is not certain: other
 * distributions than Debian number their kernels in their own way, and carry newer code in older
 * ones.
 */
bool kernel_slows_mlx5(const char *release, const char *version);

#endif
