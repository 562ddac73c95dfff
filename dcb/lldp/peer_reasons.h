/* Reasons why the two ends of a cable do not agree. */
#ifndef LOSSLESSCTL_DCB_LLDP_PEER_REASONS_H
#define LOSSLESSCTL_DCB_LLDP_PEER_REASONS_H

#include <stddef.h>

#include "../../agent/engine/verify/peer.h"
#include "../../policy/util/status_word.h"

/* The word for a side of this status. */
enum word peer_word(enum peer_status a);

/* One reason; `explain` prints its details. */
struct peer_reason {
	const char *name; /* such as "peer-lldp-missing" */
	enum peer_status peer_status;
	const char *message, *fix, *why;
};

/* All reasons; NULL past the last. */
const struct peer_reason *peer_reason_at(size_t i);

/* Indexes of the table. */
enum peer_reason_id {
	REASON_PORT_LINK_DOWN,
	REASON_PORT_WITHOUT_INTERFACE,
	REASON_NOT_COLLECTED,
	REASON_LLDP_LISTEN_FAILED,
	REASON_LLDP_MISSING,
	REASON_LLDPDU_MALFORMED,
	REASON_LLDP_EXPIRED,
	REASON_NOT_UNIQUE,
	REASON_TLV_MALFORMED,
	REASON_CEE_ONLY,
	REASON_TLV_MISSING,
	REASON_SETTING_UNKNOWN,
	REASON_ADVERTISEMENT_MISMATCH,
	REASON_BOTH_WILLING,
	REASON_PFC_CAP_EXCEEDED,
	REASON_PFC_MISMATCH,
	REASON_ETS_MISMATCH,
	REASON_APP_CONFLICT,
	REASON_PORT_DRIFTED,
	REASON_LLDPAD_UNRESPONSIVE,
};

#endif
