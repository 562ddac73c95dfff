/*
 * Our end of the talk with lldpad, about one port at a time: what it sends and
 * receives, and the settings that it stores. What it says that it did, it may
 * not have done: the kernel's own values, and the LLDPDU that it sends, are the
 * only proof.
 */
#ifndef LOSSLESSCTL_DCB_LLDPAD_CLIENT_H
#define LOSSLESSCTL_DCB_LLDPAD_CLIENT_H

#include "../../agent/host/host.h"
#include "format.h"

/* An lldpad that runs: without one nothing is sent, for the first datagram may start it. */
struct lldpad {
	struct host *h;
	unsigned pid;
	bool speaks_only; /* started with -R: it writes no setup, and takes none */
};

/* The organisation's number and the subtype of a TLV. */
enum lldpad_tlv {
	LLDPAD_TLV_ALL = 0x7f,
	LLDPAD_TLV_DCBX = 0x80c200, /* none on the wire: the DCBX mode */
	LLDPAD_TLV_ETS_CFG = 0x80c209,
	LLDPAD_TLV_ETS_REC = 0x80c20a,
	LLDPAD_TLV_PFC = 0x80c20b,
	LLDPAD_TLV_APP = 0x80c20c,
};

enum lldpad_admin { LLDPAD_DISABLED, LLDPAD_TX, LLDPAD_RX, LLDPAD_RXTX };

/* An LLDPDU from the Chassis ID on; after its end there may be padding. */
#define LLDPAD_PDU_MAX 2048
struct lldpad_pdu {
	uint8_t bytes[LLDPAD_PDU_MAX];
	size_t size;
};

/* Finds the lldpad of our network namespace; ERR_MISSING: none runs. */
bool lldpad_open(struct host *h, struct lldpad *ret, struct err *err) must_check;

/* Does it answer at all? */
bool lldpad_ping(const struct lldpad *l, struct err *err) must_check;

/* Stored: a port that nobody set reads "disabled", and receives nevertheless. */
bool lldpad_get_admin(const struct lldpad *l, const char *port, enum lldpad_admin *ret,
		      struct err *err) must_check;
bool lldpad_set_admin(const struct lldpad *l, const char *port, enum lldpad_admin admin,
		      struct err *err) must_check;

/*
 * The LLDPDU sent last, or received last, the latter even if that was long ago
 * or the link is down. ERR_MISSING: there was none.
 */
bool lldpad_get_sent(const struct lldpad *l, const char *port, struct lldpad_pdu *ret,
		     struct err *err) must_check;
bool lldpad_get_received(const struct lldpad *l, const char *port, struct lldpad_pdu *ret,
			 struct err *err) must_check;

/* How many frames came in: if it stands still for longer than a TTL, the neighbour is gone. */
bool lldpad_frames_in(const struct lldpad *l, const char *port, uint32_t *ret,
		      struct err *err) must_check;

/* A stored setting of a TLV as lldpad words it; "" was never set, which means yes for `willing`. */
bool lldpad_get(const struct lldpad *l, const char *port, enum lldpad_tlv tlv, const char *name,
		char ret[LLDPAD_VALUE_MAX], struct err *err) must_check;

/* Stores settings, or drops an APP entry; the kernel has them within about two seconds. */
bool lldpad_set(const struct lldpad *l, const char *port, enum lldpad_tlv tlv,
		const struct lldpad_args *args, struct err *err) must_check;
bool lldpad_delete(const struct lldpad *l, const char *port, enum lldpad_tlv tlv,
		   const struct lldpad_args *args, struct err *err) must_check;

#endif
