/* Speaking ethtool over generic netlink. */
#ifndef LOSSLESSCTL_DCB_ETHTOOL_H
#define LOSSLESSCTL_DCB_ETHTOOL_H

#include "../agent/host/host.h"

/* What the driver says of itself (ETHTOOL_GDRVINFO). */
struct driver_info {
	char driver[32];
	char firmware[32];
	char bus[32]; /* PCI address; "" for a device without */
};

/* Asks the driver for its name, firmware and place. */
bool ethtool_get_driver(struct host *h, const char *port, struct driver_info *ret,
			struct err *err) must_check;

/* A 16-bit tunable (enum tunable_id of linux/ethtool.h); there is no netlink for these. */
bool ethtool_get_tunable(struct host *h, const char *port, uint32_t id, uint16_t *ret,
			 struct err *err) must_check;
bool ethtool_set_tunable(struct host *h, const char *port, uint32_t id, uint16_t value,
			 struct err *err) must_check;

struct pause_params {
	bool rx, tx;
};

/* 802.3x pause. mlx5 reads as off when its hardware cannot be asked. */
bool ethtool_get_pause(struct host *h, const char *port, struct pause_params *ret,
		       struct err *err) must_check;

/* Sets both directions, without autonegotiation: mlx5 has none for pause. */
bool ethtool_set_pause(struct host *h, const char *port, const struct pause_params *p,
		       struct err *err) must_check;

/* The FEC in force, ETHTOOL_FEC_* bits: mlx5 reports AUTO without a link. */
bool ethtool_get_fec(struct host *h, const char *port, uint32_t *ret, struct err *err) must_check;

/* One of FEC's counters; `known` is false where the driver, or the mode in force, has none. */
struct fec_count {
	uint64_t total; /* over all lanes */
	bool known;
};

struct fec_stats {
	struct fec_count corrected, uncorrectable; /* blocks */
};

/* What FEC has counted; ERR_UNSUPPORTED where it counts no blocks, as without a link. */
bool ethtool_get_fec_stats(struct host *h, const char *port, struct fec_stats *ret,
			   struct err *err) must_check;

/* The highest speed in Mb/s that the port supports; 0 when it lists no modes. */
bool ethtool_get_best_speed(struct host *h, const char *port, uint32_t *ret,
			    struct err *err) must_check;

/* Speed in Mb/s; 0 when the port does not know, as without carrier. */
bool ethtool_get_speed(struct host *h, const char *port, uint32_t *ret, struct err *err) must_check;

#endif
