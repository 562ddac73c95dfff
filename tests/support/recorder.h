/* A driver with one DCB object that can be read; it records the messages that it gets. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_RECORDER_H
#define LOSSLESSCTL_TESTS_SUPPORT_RECORDER_H

#include "agent/engine/feature.h"
#include "dcb/dcbnl.h"

#define SETS_MAX 8

/* One readable object, and those that were sent; codes[n] is the answer to the n-th set. */
struct recorder {
	struct host host;
	uint16_t attr;
	union {
		struct dcbnl_buffer buffer;
		struct ieee_pfc pfc;
	} has;
	size_t size;
	struct ieee_ets ets; /* as all drivers have it */
	struct sent {
		uint16_t attr;
		struct dcbnl_buffer buffer;
		struct ieee_pfc pfc;
		struct ieee_ets ets;
		uint16_t apps[DSCPS]; /* the DSCPs of a table, in order */
		size_t apps_count;
	} sent[SETS_MAX];
	size_t sent_count;
	int codes[SETS_MAX];
};

/* A driver with an object of this attribute and size. */
struct recorder recorder(uint16_t attr, size_t size);

/* A driver with PFC of eight classes. */
struct recorder recorder_with_pfc(uint8_t enabled, uint16_t delay);

#endif
