/*
 * The table of counters, one row each. The names are the kernel's (mlx5:
 * Documentation/networking/device_drivers/ethernet/mellanox/mlx5/counters.rst); other drivers have
 * some of them.
 */
#ifndef LOSSLESSCTL_AGENT_MONITOR_COUNTER_H
#define LOSSLESSCTL_AGENT_MONITOR_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../policy/model/config.h"

/*
 * Counters per priority come first. Three of them are per traffic class, whatever their names say:
 * mlx5 reads them from registers of classes (en_stats.c).
 */
enum counter_id {
	COUNT_RX_PAUSE,
	COUNT_RX_PAUSE_US,
	COUNT_RX_PAUSE_TRANSITIONS,
	COUNT_TX_PAUSE,
	COUNT_TX_PAUSE_US,
	COUNT_RX_BYTES,
	COUNT_RX_PACKETS,
	COUNT_RX_DISCARDS,
	COUNTERS_PER_CLASS,
	COUNT_RX_BUFFER_DISCARDS = COUNTERS_PER_CLASS,
	COUNT_RX_CONGESTION_DISCARDS,
	COUNT_RX_MARKED,
	COUNTERS_PER_CLASS_END,
	COUNT_TX_BYTES = COUNTERS_PER_CLASS_END,
	COUNT_TX_PACKETS,
	COUNTERS_PER_PRIO,

	COUNT_RX_GLOBAL_PAUSE = COUNTERS_PER_PRIO,
	COUNT_RX_GLOBAL_PAUSE_US,
	COUNT_RX_GLOBAL_PAUSE_TRANSITIONS,
	COUNT_TX_GLOBAL_PAUSE,
	COUNT_TX_GLOBAL_PAUSE_US,
	COUNT_STORM_WARNINGS,
	COUNT_STORM_ERRORS,
	COUNT_STORM_EVENTS,
	COUNT_RX_DISCARDS_PORT,
	COUNT_TX_DISCARDS_PORT,
	COUNT_RX_CRC_ERRORS,
	COUNT_RX_SYMBOL_ERRORS,
	COUNT_RX_PCS_SYMBOL_ERRORS,
	COUNT_FEC_CORRECTED_BLOCKS,
	COUNT_FEC_UNCORRECTABLE_BLOCKS,
	COUNT_RX_BUFFER_NEARLY_FULL,
	COUNT_PCI_STALLED_READ,
	COUNT_PCI_STALLED_WRITE,
	COUNT_PCI_STALLED_READ_EVENTS,
	COUNT_PCI_STALLED_WRITE_EVENTS,
	COUNT_PCI_OVERFLOW,
	COUNT_PCI_INBOUND_HIGH,
	COUNT_PCI_INBOUND_LOW,
	COUNT_PCI_OUTBOUND_HIGH,
	COUNT_PCI_OUTBOUND_LOW,
	COUNT_LINK_DOWNS,
	COUNT_RX_RDMA_BYTES,
	COUNT_RX_RDMA_PACKETS,
	COUNT_TX_RDMA_BYTES,
	COUNT_TX_RDMA_PACKETS,

	COUNT_CNP_SENT,
	COUNT_ECN_MARKED,
	COUNT_CNP_HANDLED,
	COUNT_CNP_IGNORED,
	COUNT_OUT_OF_SEQUENCE,
	COUNT_PACKET_SEQUENCE_ERRORS,
	COUNT_IMPLIED_NAKS,
	COUNT_ACK_TIMEOUTS,
	COUNT_DUPLICATES,
	COUNT_RNR_NAKS,
	COUNT_OUT_OF_BUFFER,
	COUNT_ADAPTIVE_RETRANSMISSIONS,
	COUNT_SLOW_RESTARTS,
	COUNT_SLOW_RESTART_CNPS,
	COUNT_ICRC_ERRORS,

	COUNT_CARRIER_DOWNS,
	COUNT_CARRIER_UPS,
	COUNTER_COUNT
};

enum counter_source {
	FROM_ETHTOOL, /* ETHTOOL_GSTATS: counters of the port */
	FROM_RDMA,    /* RDMA_NLDEV_CMD_STAT_GET: counters of the RDMA device */
	FROM_FEC, /* ETHTOOL_MSG_FEC_GET: counters of the active FEC mode, summed over all lanes */
	FROM_PAUSE,  /* ETHTOOL_MSG_PAUSE_GET: pause statistics, summed over all priorities */
	FROM_NETDEV, /* /sys/class/net/PORT: counters of the interface, for any driver */
	COUNTER_SOURCES
};

struct counter {
	const char *name; /* the kernel's name; '#' stands for the priority */
	enum counter_source source;
	const char *unit;
	uint8_t bits;	    /* the counter wraps at 2 to the power of this */
	bool is_gauge;	    /* a reading of the last second, not a count */
	const char *family; /* metric without prefix; NULL: not a metric */
	const char *labels; /* labels within the family, or NULL */
	double scale;	    /* factor from the counter's unit to the family's */
	const char *doc;
};

extern const struct counter counters[COUNTER_COUNT];

/* Number of slots in a sample: one per counter, or per priority of a counter. */
#define COUNTER_SLOTS (COUNTERS_PER_PRIO * PRIOS + (COUNTER_COUNT - COUNTERS_PER_PRIO))

/* The slot of a counter; `prio` only matters for counters per priority. */
size_t counter_slot(enum counter_id id, unsigned prio);

/* The counter of a slot and its priority; -1 for counters without priorities. */
enum counter_id slot_counter(size_t slot, int *ret_prio);

#define COUNTER_NAME_MAX 64

/* Returns the kernel's name of the counter in a slot, such as "rx_prio3_pause". */
const char *counter_slot_name(size_t slot, char name[COUNTER_NAME_MAX]);

/* The slot of a kernel counter name, or COUNTER_SLOTS. `name` need not end in NUL. */
size_t slot_by_name(enum counter_source source, const char *name, size_t size);

/* All counters of one port at one time. Plain data. An absent counter is not zero. */
struct sample {
	uint64_t at_ms;
	char unread[128]; /* why counters that the port has could not be read; "": they were */
	uint64_t value[COUNTER_SLOTS];
	bool has[COUNTER_SLOTS];
};

/* Differences between two samples; for gauges the later reading. */
struct counter_delta {
	double seconds;
	uint64_t count[COUNTER_SLOTS];
	uint64_t latest[COUNTER_SLOTS]; /* the later reading: the count since the driver started */
	bool known[COUNTER_SLOTS];
	bool restarted[COUNTER_SOURCES]; /* its counters were reset, and are unknown */
};

/*
 * Computes the differences from one sample to a later one. A smaller value is a wrap if the counter
 * has 32 bits and was near its end; otherwise the source was reset, and its counters are unknown.
 */
struct counter_delta counter_delta_between(const struct sample *from, const struct sample *to);

/*
 * Counters of receive errors of a port's own link; one damaged frame may be in several. Bits and
 * blocks that FEC corrected do not count: links with PAM4 always have some.
 */
#define LINK_ERROR_COUNTERS 4
extern const enum counter_id link_error_counters[LINK_ERROR_COUNTERS];

/* The difference of a counter; 0 if it is unknown. */
uint64_t counter_delta_count(const struct counter_delta *s, enum counter_id id, unsigned prio);

/* The later reading of a counter without priorities; 0 if it is unknown. */
uint64_t counter_delta_latest(const struct counter_delta *s, enum counter_id id);

/* True if the difference of this counter is known. */
bool counter_delta_known(const struct counter_delta *s, enum counter_id id, unsigned prio);

/* The difference per second, for counters without priorities. */
double counter_delta_rate(const struct counter_delta *s, enum counter_id id);

#endif
