/* lldpad's text protocol: encodes requests, and checks which reply belongs to which request. */
#ifndef LOSSLESSCTL_DCB_LLDPAD_PROTOCOL_H
#define LOSSLESSCTL_DCB_LLDPAD_PROTOCOL_H

#include "format.h"

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

#endif
