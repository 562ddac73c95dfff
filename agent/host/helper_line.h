/*
 * The line to a helper process (cli/sandbox/helper_process.h): a question, and its answer. An
 * answer carries the number of its question and the digest of the bytes that the helper received.
 * So a late answer, or one about another text, is never taken for this one's. Any failure ends the
 * line for good.
 */
#ifndef LOSSLESSCTL_AGENT_HOST_HELPER_LINE_H
#define LOSSLESSCTL_AGENT_HOST_HELPER_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "../../policy/util/err.h"
#include "../../policy/util/sha256.h"

struct host;

/* Begins each message; `size` bytes follow. */
struct helper_head {
	uint64_t number;		   /* the question's, at random */
	unsigned char sha256[SHA256_SIZE]; /* the digest of the question's bytes */
	uint32_t size;
};

/* ---- the asking process ---- */

struct helper_question {
	const void *at; /* borrowed */
	size_t size;
	int limit_ms;	/* for the whole exchange; longer than the helper's own limit */
	struct host *h; /* a request to stop ends the wait; NULL: none does */
};

/* An answer has a part of fixed size, and a text of any size up to `text_max`. */
struct helper_answer {
	void *fixed; /* borrowed, like `text` */
	size_t fixed_size;
	void *text;
	size_t text_max, text_size;
};

/*
 * Asks, and waits for the answer. Returns 0 or an errno, after which the line is shut down and each
 * further question fails: ETIMEDOUT, EINTR (a request to stop), EBADMSG (an answer to another
 * question, or one that does not fit), EPIPE (the helper has ended, or `line` is -1: there is
 * none).
 */
int helper_ask(int line, const struct helper_question *q, struct helper_answer *a) must_check;

/* Sends a question alone; helper_finish() receives its answer. A question of size 0 has none. */
int helper_begin(int line, const struct helper_question *q, struct helper_head *ret) must_check;
int helper_finish(int line, const struct helper_head *question, int limit_ms,
		  struct helper_answer *a) must_check;

/* ---- the helper ---- */

/* Receives a question of at most `max` bytes; false if there are no more. */
bool helper_next(int line, void *question, size_t max, struct helper_head *ret) must_check;

/* Answers the question of this head; false if nobody listens. */
bool helper_reply(int line, const struct helper_head *question,
		  const struct helper_answer *a) must_check;

#endif
