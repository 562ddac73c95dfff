/*
 * Compares the two ends of a cable. Pure functions: from the neighbour heard and the port's
 * settings they compute a status for each subject of agreement, with its reason.
 */
#ifndef LOSSLESSCTL_DCB_LLDP_PEER_COMPARE_H
#define LOSSLESSCTL_DCB_LLDP_PEER_COMPARE_H

#include <stddef.h>

#include "../../agent/engine/backends.h"
#include "../../policy/model/config.h"
#include "../../policy/util/status_word.h"
#include "lldp.h"

/* Reasons why the two ends of a cable do not agree. */

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

/* Information about the peer, and the LLDPDU that this port advertises to it. */
struct peer_info {
	const char *source; /* the source of the information: "lldpad" or "raw_socket" */
	bool no_interface;  /* it is in another network namespace */
	bool no_carrier;
	struct err listen_error; /* why listening failed; ERR_MISSING: nobody was to listen */
	unsigned listened_s;	 /* for how long the raw socket listened; 0: not at all */
	bool heard;
	struct err malformed_error;   /* why the frames heard are invalid; else ERR_NONE */
	bool expired;		      /* its time to live is over, or the peer shut down */
	unsigned senders;	      /* number of different senders */
	struct lldp peer, other_peer; /* `other_peer` is set if there are several senders */
	struct err lldpad_error;      /* why lldpad runs but did not answer; else ERR_NONE */
	bool advertises;	      /* this port advertises `local` */
	struct lldp local;
};

#define PEER_TEXT_MAX 256

struct peer_comparison {
	enum peer_status peer_status;
	const struct peer_reason *peer_reason; /* NULL: they agree */
	char text[PEER_TEXT_MAX];	       /* the reason in detail, for this port */
};

/* The name in policies and reports: "pfc". */
const char *agreement_name(enum agreement a);

/*
 * Compares all subjects for a port with the settings `actual`. Settings of `desired` that the port
 * lacks count as drift of the port. Subjects in `demanded` (a bit per enum agreement) count as
 * differing where they would otherwise only be noted.
 */
void peer_compare_all(const struct config *desired, const struct config *actual,
		      const struct peer_info *seen, unsigned demanded,
		      struct peer_comparison ret[AGREE_COUNT]);

/*
 * Adds the policy to a comparison that was made without one: its desired settings, and the subjects
 * that it demands.
 */
void peer_compare_policy(const struct config *desired, const struct config *actual,
			 unsigned demanded, struct peer_comparison ret[AGREE_COUNT]);

/* The settings of a subject. */
setting_set agreement_settings(enum agreement a);

/* The worst status. */
enum peer_status peer_compare_worst(const struct peer_comparison all[AGREE_COUNT]);

/* PFC, ETS and APP of an LLDPDU as settings; absent TLVs stay unset. */
struct config lldp_to_config(const struct lldp *pdu);

#endif
