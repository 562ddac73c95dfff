/*
 * Client of lldpad, for one port at a time: the LLDPDUs that it sent and received, and its stored
 * settings. Success of a request does not prove that lldpad acted on it: check the kernel's values
 * and the LLDPDU sent.
 */
#ifndef LOSSLESSCTL_DCB_LLDPAD_CLIENT_H
#define LOSSLESSCTL_DCB_LLDPAD_CLIENT_H

#include "../../agent/host/host.h"
#include "format.h"

/* A running lldpad. Requests need one, because a datagram could start it. */
struct lldpad {
	struct host *h;
	unsigned pid;
	bool advertise_only; /* started with -R: it neither writes to ports nor accepts settings */
};

/* OUI and subtype of a TLV. */
enum lldpad_tlv {
	LLDPAD_TLV_ALL = 0x7f,
	LLDPAD_TLV_DCBX = 0x80c200, /* not a TLV on the wire: the DCBX mode */
	LLDPAD_TLV_ETS_CFG = 0x80c209,
	LLDPAD_TLV_ETS_REC = 0x80c20a,
	LLDPAD_TLV_PFC = 0x80c20b,
	LLDPAD_TLV_APP = 0x80c20c,
};

enum lldpad_admin { LLDPAD_DISABLED, LLDPAD_TX, LLDPAD_RX, LLDPAD_RXTX };

/* An LLDPDU from the Chassis ID on; padding may follow its end. */
#define LLDPAD_PDU_MAX 2048
struct lldpad_pdu {
	uint8_t bytes[LLDPAD_PDU_MAX];
	size_t size;
};

/* Finds the lldpad of this network namespace; ERR_MISSING: none runs. */
bool lldpad_open(struct host *h, struct lldpad *ret, struct err *err) must_check;

/* True while this lldpad runs; one that systemd started instead is another. */
bool lldpad_still_runs(const struct lldpad *l);

/* Sets the error that it ended while a port was configured: its file may have a part of that. */
bool lldpad_err_ended(const struct lldpad *l, struct err *err) must_check;

/* Stores whether the port sends and receives LLDPDUs. */
bool lldpad_set_admin(const struct lldpad *l, const char *port, enum lldpad_admin admin,
		      struct err *err) must_check;

/*
 * The LLDPDU last sent or received. A received one may be old, or the link may be down.
 * ERR_MISSING: there is none.
 */
bool lldpad_get_sent(const struct lldpad *l, const char *port, struct lldpad_pdu *ret,
		     struct err *err) must_check;
bool lldpad_get_received(const struct lldpad *l, const char *port, struct lldpad_pdu *ret,
			 struct err *err) must_check;

/* A stored setting of a TLV in lldpad's notation; "" if unset, which means yes for `willing`. */
bool lldpad_get(const struct lldpad *l, const char *port, enum lldpad_tlv tlv, const char *name,
		char ret[LLDPAD_VALUE_MAX], struct err *err) must_check;

/* Stores settings; the kernel has them within about two seconds. */
bool lldpad_set(const struct lldpad *l, const char *port, enum lldpad_tlv tlv,
		const struct lldpad_args *args, struct err *err) must_check;

#endif
