/*
 * Do the two ends of a cable agree? Pure: what was heard, and what the port
 * has, are put in; a verdict for each thing to agree on, with its reason, comes
 * out.
 */
#ifndef LOSSLESSCTL_DCB_LLDP_PEER_COMPARE_H
#define LOSSLESSCTL_DCB_LLDP_PEER_COMPARE_H

#include "../../policy/model/config.h"
#include "decode.h"
#include "peer_reasons.h"

/* What is known of a cable's other end, and of what this one says. */
struct peer_seen {
	const char *source; /* who heard it, or would have: "lldpad", "wire" */
	bool no_carrier;
	struct err deaf; /* nobody could listen, and why; else ERR_NONE */
	bool heard;
	struct err garbled;	   /* what was heard is no LLDPDU; else ERR_NONE */
	bool stale;		   /* older than its time to live, or taken back (which is 0) */
	unsigned senders;	   /* how many different ones were heard */
	struct lldp peer, another; /* the latter where there are several */
	struct err mute;	   /* lldpad runs, and did not answer; else ERR_NONE */
	bool speaks;		   /* this port advertises `local` */
	struct lldp local;
};

#define AGREE_TEXT_MAX 256

struct agreed {
	enum peer_status peer_status;
	const struct peer_reason *peer_reason; /* NULL: they agree */
	char text[AGREE_TEXT_MAX];	       /* the reason, for this very port */
};

/* The word for it in policies and reports: "pfc". */
const char *agreement_name(enum agreement a);

/*
 * Judges all of enum agreement for a port that has `have` and of which the
 * policy wants `want`, if it speaks of that. What stands in `demanded` (a bit
 * per enum agreement) differs where it would only be noted.
 */
void agree_judge(const struct config *desired, const struct config *actual,
		 const struct peer_seen *seen, unsigned demanded, struct agreed ret[AGREE_COUNT]);

/* The settings that an agreement is about. */
setting_set agreement_about(enum agreement a);

/* The worst of them. */
enum peer_status agree_worst(const struct agreed all[AGREE_COUNT]);

/* What an LLDPDU says in the words of a port's setup: PFC, ETS and APP, where it says so. */
struct config lldp_setup(const struct lldp *pdu);

#endif
