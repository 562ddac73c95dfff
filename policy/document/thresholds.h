/* Thresholds above which a counter becomes a symptom: the key "limits" of a policy. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_THRESHOLDS_H
#define LOSSLESSCTL_POLICY_DOCUMENT_THRESHOLDS_H

#include <jansson.h>
#include <stdint.h>

#include "../util/json_location.h"

enum limit_id {
	LIMIT_WINDOW_S,
	LIMIT_RDMA_PACKETS_PER_S,
	LIMIT_PAUSE_SENT_PERCENT,
	LIMIT_PAUSE_RECEIVED_PERCENT,
	LIMIT_PAUSE_FRAMES_PER_S,
	LIMIT_MARKED_PACKETS_PER_S,
	LIMIT_CNP_IGNORED_PER_S,
	LIMIT_WRONG_PRIORITY_PERCENT,
	LIMIT_LOST_PER_MILLION,
	LIMIT_PCI_STALLED_PERCENT,
	LIMIT_LINK_DOWNS,
	LIMIT_LINK_WINDOW_S,
	LIMIT_LINK_ERRORS_PER_MINUTE,
	LIMIT_ICRC_ERRORS_PER_MINUTE,
	LIMIT_RECEIVER_NOT_READY_PER_S,
	LIMIT_COUNT
};

struct limit {
	const char *path, *name; /* "limits.window_s", and the last part of it */
	uint32_t min, max, default_value;
	uint8_t clear_percent; /* a raised symptom clears below this percentage of the value */
	const char *unit;
	const char *doc;
	const char *reason; /* why the default is what it is */
};

extern const struct limit limits[LIMIT_COUNT];

struct limits {
	uint32_t is[LIMIT_COUNT];
};

/* The defaults. */
struct limits limits_defaults(void);

/* The thresholds at which a raised symptom clears; each at least 1. */
struct limits limits_to_clear(const struct limits *raise);

/*
 * Copies the values in `object` over *l; NULL leaves *l unchanged. Errors are ERR_POLICY with the
 * location.
 */
bool limits_take(struct limits *l, json_t *object, const struct at *at, struct err *err) must_check;

/* The JSON Schema of "limits". The caller owns it. */
json_t *limits_schema(void);

#endif
