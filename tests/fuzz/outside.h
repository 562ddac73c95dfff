/*
 * The outside: a simulated host whose netlink replies, driver lists, files,
 * directories and lldpad answers come from the bytes of the input, in the order
 * of the requests. After the end of the input files are missing.
 */
#ifndef LOSSLESSCTL_TESTS_FUZZ_OUTSIDE_H
#define LOSSLESSCTL_TESTS_FUZZ_OUTSIDE_H

#include "../../agent/engine/feature.h"

/*
 * A netlink reply is a byte with the number of messages (0x80 and above: an errno instead),
 * and for each message its length in two bytes, the lower first, and its payload.
 * A file, a name in a directory or an answer of lldpad ends at END; one that begins with
 * FAILS is an errno, the byte after it.
 */
#define OUTSIDE_END   0x1e
#define OUTSIDE_FAILS 0x1d

struct outside {
	struct host host; /* first, so that a struct host * is a struct outside * */
	struct port port;
	const uint8_t *at, *end; /* the rest of the input */
	uint64_t now_ms;
	char *saved; /* the file that was saved last, or NULL; outside_end() frees it */
};

/* Set up an outside whose port is an mlx5 port that is up. */
void outside_begin(struct outside *o, const uint8_t *data, size_t size);
void outside_end(struct outside *o);

/* Take the next byte of the input; 0 after its end. */
uint8_t outside_byte(struct outside *o);

/* Make the request that the next byte selects; false if it selects none. */
bool outside_ask(struct outside *o, void (*const *asks)(struct outside *o), size_t count);

/* Take text up to END; false with EFBIG if it does not fit, as for a file. */
bool outside_text(struct outside *o, char *buf, size_t size, struct err *err) must_check;

/* Check a port's actual config: each setting has a text, and show's JSON gives the same config. */
void outside_judge(const struct config *c);

/* Read twice by one of these features, which the input selects; then write the difference. */
void outside_converse(struct outside *o, const struct feature *const *list, size_t count);

#endif
