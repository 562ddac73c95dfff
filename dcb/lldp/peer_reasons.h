/* Reasons why the two ends of a cable do not agree. */
#ifndef LOSSLESSCTL_DCB_LLDP_PEER_REASONS_H
#define LOSSLESSCTL_DCB_LLDP_PEER_REASONS_H

#include <stddef.h>

/* In order of severity. NOTED: they differ, which is allowed. */
enum peer_status {
	PEER_STATUS_AGREES,
	PEER_STATUS_NOTED,
	PEER_STATUS_UNKNOWN,
	PEER_STATUS_DIFFERS
};

/* "agrees", "noted", "unknown", "differs". */
const char *peer_status_name(enum peer_status a);

/* One reason; `explain` prints its details. */
struct peer_reason {
	const char *name; /* such as "peer-silent" */
	enum peer_status peer_status;
	const char *says, *fix, *why;
};

/* All reasons; NULL past the last. */
const struct peer_reason *peer_reason_at(size_t i);

/* Indexes of the table. */
enum peer_reason_id {
	NO_CARRIER,
	DEAF,
	SILENT,
	GARBLED,
	STALE,
	TWO_SENDERS,
	MALFORMED,
	CEE_ONLY,
	NO_TLV,
	NOT_HERE,
	NOT_WHAT_GOES_OUT,
	BOTH_WILLING,
	TOO_MANY,
	PFC_DIFFERS,
	ETS_DIFFERS,
	APP_CONFLICT,
	NOT_AS_WISHED,
	LLDPAD_MUTE,
};

#endif
