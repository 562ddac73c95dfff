/* A kernel that keeps the DCB settings which any driver may have, and logs the changes. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_DCB_KERNEL_H
#define LOSSLESSCTL_TESTS_SUPPORT_DCB_KERNEL_H

#include "agent/engine/feature.h"
#include "dcb/dcbnl.h"

#define ENTRIES_MAX 48
#define TRUST_MAX   (SELECTORS_MAX + 2)

struct dcb_kernel {
	struct host host;
	struct dcb_app apps[ENTRIES_MAX];
	size_t app_count;
	uint8_t trust[TRUST_MAX];
	size_t trust_count;
	bool has_trust, has_ets;
	struct ieee_ets ets;
	uint8_t pfc;
	uint16_t delay; /* 42 */
	bool has_buffers;
	uint64_t rate;		 /* in kb/s, the same for two classes */
	unsigned rate_bits;	 /* the bits to which a limit in Gb/s is cut; 0: all */
	int no_pfc;		 /* the driver's errno; 0: success */
	unsigned talks, fail_at; /* the one that fails with EIO; 0: none */
	const char *tcp_ecn;	 /* the text of sysctl's file; NULL: there is none */
	const char *mlx5;	 /* the version of MLNX_OFED's driver; NULL: the kernel's driver */
	bool half_done;		 /* no_pfc is answered after PFC was changed */
	char log[256]; /* "+selector/protocol/priority", "-...", "pfc:MASK", "cable:METRES",
			  attributes of trust */
};

/* A kernel with ETS and the order of trust, without entries. */
struct dcb_kernel dcb_kernel(void);

#endif
