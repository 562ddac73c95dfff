/*
 * An outside that says whatever the input says: netlink replies, driver lists,
 * files, folders and lldpad's answers all come from its bytes, in the order in
 * which they are asked for. Where the input ends, nothing is there any more.
 */
#ifndef LOSSLESSCTL_TESTS_FUZZ_OUTSIDE_H
#define LOSSLESSCTL_TESTS_FUZZ_OUTSIDE_H

#include "../../agent/engine/feature.h"

/*
 * A netlink reply is a byte that says how many messages come (0x80 and above: an errno
 * instead), and for each its length in two bytes, the lower first, and what follows its head.
 * A file, a name in a folder or an answer of lldpad ends at END; one that begins with FAILS
 * is an errno, the byte behind it.
 */
#define OUTSIDE_END   0x1e
#define OUTSIDE_FAILS 0x1d

struct outside {
	struct host host; /* first, so that a struct host * is a struct outside * */
	struct port port;
	const uint8_t *at, *end; /* what is left of the input */
	uint64_t now_ms;
	char *saved; /* the file that was saved last, or NULL; outside_end() frees it */
};

/* Ready to be asked, as a port of mlx5 that is up. */
void outside_begin(struct outside *o, const uint8_t *data, size_t size);
void outside_end(struct outside *o);

/* The next byte of the input; 0 where it ends. */
uint8_t outside_byte(struct outside *o);

/* Asks the one question that the next byte chooses; false: it chooses none of them. */
bool outside_ask(struct outside *o, void (*const *asks)(struct outside *o), size_t count);

/* Text up to END: what is longer than fits is false, with EFBIG, as it is for a file. */
bool outside_text(struct outside *o, char *buf, size_t size, struct err *err) must_check;

/* What a port is said to have makes sense: each setting has its text, and show's JSON says it. */
void outside_judge(const struct config *c);

/* Reads by one of these features, which the input chooses, twice; then writes the difference. */
void outside_converse(struct outside *o, const struct feature *const *list, size_t count);

#endif
