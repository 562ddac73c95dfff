/* Why the two ends of a cable do not agree: one row a reason. */
#ifndef LOSSLESSCTL_DCB_LLDP_PEER_REASONS_H
#define LOSSLESSCTL_DCB_LLDP_PEER_REASONS_H

#include <stddef.h>

/* In rising order of alarm. Noted: they differ, and that is no mistake. */
enum accord { ACCORD_AGREES, ACCORD_NOTED, ACCORD_UNKNOWN, ACCORD_DIFFERS };

/* "agrees", "noted", "unknown", "differs". */
const char *accord_name(enum accord a);

/* Why two ends do not agree, or not as far as can be told; `explain` tells the rest. */
struct discord {
	const char *name; /* "peer-silent" */
	enum accord accord;
	const char *says, *mend, *why;
};

/* All reasons; NULL behind the last. */
const struct discord *discord_at(size_t i);

/* The places of the table, for peer_compare.c. */
enum discord_id {
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
