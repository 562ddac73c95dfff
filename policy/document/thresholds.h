/* Thresholds above which a counter becomes a symptom: the key "thresholds" of a policy. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_THRESHOLDS_H
#define LOSSLESSCTL_POLICY_DOCUMENT_THRESHOLDS_H

#include "../util/keys.h"

enum threshold_id {
	THRESHOLD_WINDOW_S,
	THRESHOLD_MIN_RDMA_PACKETS_PER_S,
	THRESHOLD_PAUSE_SENT_PERCENT,
	THRESHOLD_PAUSE_RECEIVED_PERCENT,
	THRESHOLD_DEADLOCK_PAUSE_PERCENT,
	THRESHOLD_PAUSE_FRAMES_PER_S,
	THRESHOLD_ECN_MARKED_PACKETS_PER_S,
	THRESHOLD_CNP_IGNORED_PER_S,
	THRESHOLD_WRONG_PRIORITY_PERCENT,
	THRESHOLD_RDMA_OUT_OF_ORDER_PER_MILLION,
	THRESHOLD_PCI_STALLED_PERCENT,
	THRESHOLD_LINK_DOWN_EVENTS,
	THRESHOLD_LINK_DOWN_WINDOW_S,
	THRESHOLD_LINK_ERRORS_PER_MINUTE,
	THRESHOLD_ICRC_ERRORS_PER_MINUTE,
	THRESHOLD_RECEIVER_NOT_READY_PER_S,
	THRESHOLD_COUNT
};

struct threshold {
	const char *path, *name; /* "thresholds.window_s", and the last part of it */
	uint32_t min, max, default_value;
	uint8_t clear_percent; /* a raised symptom clears below this percentage of the value */
	const char *unit;
	const char *doc;
	const char *reason; /* why the default is what it is */
};

extern const struct threshold thresholds[THRESHOLD_COUNT];

struct thresholds {
	uint32_t value[THRESHOLD_COUNT];
};

/* The defaults. */
struct thresholds thresholds_defaults(void);

/* The thresholds at which a raised symptom clears; each at least 1. */
struct thresholds thresholds_to_clear(const struct thresholds *raise);

/* The keys of "thresholds", which is read into a struct thresholds. */
extern const struct key_object thresholds_object;

#endif
