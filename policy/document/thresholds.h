/* From when on what is counted is called a symptom: "limits" of a policy, one row each. */
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
	const char *path, *name; /* "limits.window_s", and its key there */
	uint32_t min, max, default_value;
	uint8_t clear_percent; /* a raised symptom clears below this share of the value */
	const char *unit;
	const char *doc;
	const char *reason; /* of the default */
};

extern const struct limit limits[LIMIT_COUNT];

struct limits {
	uint32_t is[LIMIT_COUNT];
};

/* Those that hold where a policy says nothing. */
struct limits limits_defaults(void);

/* The same limits at the level where a raised symptom clears; never below 1. */
struct limits limits_to_clear(const struct limits *raise);

/* Puts what `object` says over *l; NULL says nothing. Errors are ERR_POLICY with the place. */
bool limits_take(struct limits *l, json_t *object, const struct at *at, struct err *err) must_check;

/* The JSON Schema of "limits". The caller owns it. */
json_t *limits_schema(void);

#endif
