/*
 * Requests to the fake kernel as lines of text. The file `requests` has all that the product sends;
 * system/conformance.sh sends them to the fake and to Debian's driver and compares.
 */
#ifndef LOSSLESSCTL_TESTS_INTEGRATION_FAKE_REQUESTS_H
#define LOSSLESSCTL_TESTS_INTEGRATION_FAKE_REQUESTS_H

#include "fake.h"

#define REQUEST_LINE_MAX 4096

enum request_kind {
	REQUEST_ROUTE,	 /* TYPE HEX: a message about DCB */
	REQUEST_ETHTOOL, /* 0 HEX: a message of generic netlink */
	REQUEST_IOCTL,	 /* HEX: an ethtool command and its first two bytes of value */
	REQUEST_READ,	 /* PATH */
	REQUEST_WRITE,	 /* PATH VALUE */
	REQUEST_MTU,	 /* BYTES */
	REQUEST_EGRESS,	 /* PRIORITY PCP, of the VLAN device v100 */
	REQUEST_COUNT
};

struct request {
	enum request_kind kind;
	uint16_t type;		      /* nlmsg_type of a route request */
	char words[REQUEST_LINE_MAX]; /* the first word after the kind */
	const char *value;	      /* the rest, in `words` */
	uint8_t bytes[REQUEST_LINE_MAX / 2] __attribute__((aligned(8)));
	size_t size;
};

/* Reads a line without its newline; false: it is no request. */
bool request_parse(const char *line, struct request *ret);

/* Reads the file unless it was: before memory runs out in a test.  */
void fake_requests_learn(void);

/*
 * Each of these aborts the test if `requests` has no request that differs in values alone. With
 * REQUESTS_RECORD in the environment they append the request to that file instead.
 */
void fake_requested(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void fake_requested_message(enum bus bus, const struct nlmsghdr *n);
void fake_requested_ioctl(const void *command, size_t size);

#endif
