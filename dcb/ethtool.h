/* ethtool over generic netlink. */
#ifndef LOSSLESSCTL_DCB_ETHTOOL_H
#define LOSSLESSCTL_DCB_ETHTOOL_H

#include "../agent/host/host.h"

/* The driver's own description (ETHTOOL_GDRVINFO). */
struct driver_info {
	char driver[32];
	char firmware[32];
	char bus[32]; /* PCI address; "" for a device without one */
};

/* Reads the driver's name, firmware version and PCI address. */
bool ethtool_get_driver(struct host *h, const char *port, struct driver_info *ret,
			struct err *err) must_check;

/*
 * Get and set a 16-bit tunable (enum tunable_id of linux/ethtool.h); netlink has no messages for
 * these.
 */
bool ethtool_get_tunable(struct host *h, const char *port, uint32_t id, uint16_t *ret,
			 struct err *err) must_check;
bool ethtool_set_tunable(struct host *h, const char *port, uint32_t id, uint16_t value,
			 struct err *err) must_check;

struct pause_params {
	bool rx, tx;
	bool autoneg; /* the port negotiates both with its peer; mlx5 never does */
};

/* 802.3x global pause. mlx5 reports "off" if its query of the hardware fails. */
bool ethtool_get_pause(struct host *h, const char *port, struct pause_params *ret,
		       struct err *err) must_check;

/*
 * The pause storms that the watchdog ended, over all priorities. ERR_UNSUPPORTED if the kernel or
 * the driver does not count them, as before 2026.
 */
bool ethtool_get_pause_storms(struct host *h, const char *port, uint64_t *ret,
			      struct err *err) must_check;

/* Sets both directions, without autonegotiation. */
bool ethtool_set_pause(struct host *h, const char *port, const struct pause_params *p,
		       struct err *err) must_check;

/* The active FEC, as ETHTOOL_FEC_* bits. mlx5 reports AUTO without a link. */
bool ethtool_get_fec(struct host *h, const char *port, uint32_t *ret, struct err *err) must_check;

/* A counter of FEC; `known` is false if the driver or the active mode does not have it. */
struct fec_count {
	uint64_t total; /* sum over all lanes */
	bool known;
};

struct fec_stats {
	struct fec_count corrected, uncorrectable; /* blocks */
};

/* The FEC counters. ERR_UNSUPPORTED if no blocks are counted, as without a link. */
bool ethtool_get_fec_stats(struct host *h, const char *port, struct fec_stats *ret,
			   struct err *err) must_check;

/* The speeds in Mb/s; a check of all ports asks once (struct run_facts). */
bool ethtool_get_speeds(struct host *h, const char *port, struct link_speeds *ret,
			struct err *err) must_check;

#endif
