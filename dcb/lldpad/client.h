/*
 * Client of lldpad, for one port at a time: the LLDPDUs that it sent and received, and its stored
 * settings. Success of a request does not prove that lldpad acted on it: check the kernel's values
 * and the LLDPDU sent.
 */
#ifndef LOSSLESSCTL_DCB_LLDPAD_CLIENT_H
#define LOSSLESSCTL_DCB_LLDPAD_CLIENT_H

#include <stddef.h>

#include "../../agent/host/host.h"
#include "../../policy/model/config.h"
#include "../../policy/util/err.h"

/* Formats settings in lldpad's notation: "0:0,1:0,…", "50,50,0,…", "0:ets,6:strict,…", "3,4". */

#define LLDPAD_ARGS_MAX	 8
#define LLDPAD_VALUE_MAX 128

/* The arguments of one request. lldpad checks all of them, then applies one after another. */
struct lldpad_args {
	struct {
		char name[16], value[LLDPAD_VALUE_MAX];
	} list[LLDPAD_ARGS_MAX];
	size_t count;
	bool overflowed; /* an argument did not fit: the request will fail */
};

/* Adds one argument; its value is ignored in a query. */
void lldpad_args_add(struct lldpad_args *a, const char *name, const char *value);

/* Adds the values of an ETS configuration or recommendation, except `willing`. */
bool lldpad_args_add_ets(struct lldpad_args *a, const uint8_t prio_tc[PRIOS],
			 const uint8_t tsa[PRIOS], const uint8_t bandwidth[PRIOS],
			 struct err *err) must_check;

/* Adds the lossless priorities, given as a bit mask. */
void lldpad_args_add_pfc(struct lldpad_args *a, uint8_t priorities);

/* lldpad's text protocol: encodes requests, and checks which reply belongs to which request. */

#define LLDPAD_REQUEST_MAX 4096
#define LLDPAD_REPLY_MAX   4097 /* including the NUL */

enum {
	LLDPAD_STATISTICS = 0,
	LLDPAD_GET_TLV = 1,
	LLDPAD_SET_TLV = 2,
	LLDPAD_GET = 3,
	LLDPAD_SET = 4
};

enum {
	OP_LOCAL = 0x01,    /* the LLDPDU sent, or the port's own settings */
	OP_NEIGHBOR = 0x02, /* the LLDPDU last received */
	OP_ARGS = 0x04,
	OP_VALUES = 0x08, /* each argument has a value */
	OP_CONFIG = 0x10, /* stored values */
	OP_DELETE = 0x20,
};

struct lldpad_request {
	uint8_t command;
	uint8_t ops;
	const char *port;
	uint32_t tlv;			/* only for TLV commands */
	const struct lldpad_args *args; /* NULL: none */
};

/* Fails if the message would exceed lldpad's limit. */
bool lldpad_write_request(const struct lldpad_request *r, char text[LLDPAD_REQUEST_MAX],
			  struct err *err) must_check;

/*
 * Finds the payload within the reply. A status other than success, or a reply to another request,
 * is an error.
 */
bool lldpad_read_reply(const struct lldpad_request *r, const char *reply, const char **ret_payload,
		       struct err *err) must_check;

/* The value of the single argument of the request. */
bool lldpad_read_value(const char *payload, const char *name, char ret[LLDPAD_VALUE_MAX],
		       struct err *err) must_check;

/* Reads exactly `digits` hex digits; false if there are fewer. */
bool lldpad_read_hex(const char *text, size_t digits, uint32_t *ret);

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

/*
 * Finds the lldpad of this network namespace. ERR_MISSING: none runs; ERR_UNKNOWN: one may run
 * outside of this container.
 */
bool lldpad_open(struct host *h, struct lldpad *ret, struct err *err) must_check;

/* True while this lldpad runs; one that systemd started instead is another. */
bool lldpad_still_runs(const struct lldpad *l);

/* Succeeds if it answers a ping. It handles a signal sent before, such as SIGHUP, first. */
bool lldpad_ping(const struct lldpad *l, struct err *err) must_check;

/* Sets the error that it ended while a port was configured: its file may have a part of that. */
bool lldpad_err_ended(const struct lldpad *l, struct err *err) must_check;

/* Stores whether the port sends and receives LLDPDUs. */
bool lldpad_set_admin(const struct lldpad *l, const char *port, enum lldpad_admin admin,
		      struct err *err) must_check;

/* True if it is set to send LLDPDUs of the port; false for a port that it does not know. */
bool lldpad_sends(const struct lldpad *l, const char *port, bool *ret, struct err *err) must_check;

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
