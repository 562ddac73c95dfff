/* lldpad's messages: what a request looks like, and which answer is one to it. All of it is text.
 */
#ifndef LOSSLESSCTL_DCB_LLDPAD_PROTOCOL_H
#define LOSSLESSCTL_DCB_LLDPAD_PROTOCOL_H

#include "format.h"

#define LLDPAD_REQUEST_MAX 4096
#define LLDPAD_REPLY_MAX   4097 /* with the NUL */

enum {
	LLDPAD_STATISTICS = 0,
	LLDPAD_GET_TLV = 1,
	LLDPAD_SET_TLV = 2,
	LLDPAD_GET = 3,
	LLDPAD_SET = 4
};

enum {
	OP_LOCAL = 0x01,    /* what it sends, or its own settings */
	OP_NEIGHBOR = 0x02, /* what it received last */
	OP_ARGS = 0x04,
	OP_VALUES = 0x08, /* each argument has a value */
	OP_CONFIG = 0x10, /* what is stored */
	OP_DELETE = 0x20,
};

struct lldpad_request {
	uint8_t command;
	uint8_t ops;
	const char *port;
	uint32_t tlv;			/* with a TLV command */
	const struct lldpad_args *args; /* NULL: none */
};

/* Fails where the message would be longer than lldpad takes. */
bool lldpad_write_request(const struct lldpad_request *r, char text[LLDPAD_REQUEST_MAX],
			  struct err *err) must_check;

/*
 * Finds what an answer carries, within it. A status that is not success is the
 * error, and so is an answer to anything but this request.
 */
bool lldpad_read_reply(const struct lldpad_request *r, const char *reply, const char **ret_payload,
		       struct err *err) must_check;

/* The value of the one argument asked for. */
bool lldpad_read_value(const char *payload, const char *name, char ret[LLDPAD_VALUE_MAX],
		       struct err *err) must_check;

/* Exactly so many hex digits; false: they are none. */
bool lldpad_read_hex(const char *text, size_t digits, uint32_t *ret);

#endif
