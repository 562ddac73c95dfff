/*
 * The line to a helper process (cli/sandbox/helper.h): a question, and its answer. An answer
 * carries the number of its question, its task, and the digest of the bytes that the helper
 * received. So a late answer, or one about another text, is never taken for this one's. Any failure
 * ends the line for good.
 */
#ifndef LOSSLESSCTL_AGENT_HOST_HELPER_LINE_H
#define LOSSLESSCTL_AGENT_HOST_HELPER_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "../../policy/util/err.h"
#include "../../policy/util/sha256.h"
#include "host.h"

struct host;

/* Begins each message; `size` bytes follow, of an answer its result and a text. */
struct helper_head {
	uint64_t number;		   /* the question's, at random */
	unsigned char sha256[SHA256_SIZE]; /* the digest of the question's bytes */
	uint32_t task;			   /* enum helper_task */
	uint32_t size;
};

struct helper_result {
	uint32_t kind;	  /* enum err_kind: what `reason` is an error of */
	int32_t code;	  /* 0, or an errno: the task was not done */
	uint32_t failed;  /* the tool ended with an error; its text may still be of use */
	char reason[256]; /* with a code: a sentence, or "" */
};

struct helper_answer {
	struct helper_result result;
	void *text; /* borrowed */
	size_t text_max, text_size;
};

/* ---- the asking process ---- */

struct helper_question {
	enum helper_task task;
	const void *at; /* borrowed */
	size_t size;
	struct host *h; /* a request to stop ends the wait; NULL: none does */
	int limit_ms; /* for the whole exchange; 0: ten seconds more than the helper's own limit */
};

/*
 * Asks, and waits for the answer. Returns 0 or an errno, after which the line is shut down and each
 * further question fails: ETIMEDOUT, EINTR (a request to stop), EBADMSG (an answer to another
 * question, or one that does not fit), EPIPE (the helper has ended, or `line` is -1: there is
 * none).
 */
int helper_ask(int line, const struct helper_question *q, struct helper_answer *a) must_check;

/*
 * Sends a question alone; helper_finish() receives its answer. A question of size 0 has none, and
 * cancels the one before.
 */
int helper_begin(int line, const struct helper_question *q, struct helper_head *ret) must_check;
int helper_finish(int line, const struct helper_head *question, int limit_ms,
		  struct helper_answer *a) must_check;

/* ---- the helper ---- */

/* One question, for the function that answers it. */
struct helper_work {
	enum helper_task task;
	const char *question; /* a NUL follows */
	size_t size;
	int line;  /* any byte on it, or its end, cancels the work */
	void *arg; /* given to the helper at its start */
};

typedef void helper_answer_fn(const struct helper_work *w, struct helper_answer *ret);

/* Receives a question of at most `max` bytes; false if there are no more. */
bool helper_next(int line, void *question, size_t max, struct helper_head *ret) must_check;

/* Answers the question of this head; false if nobody listens. */
bool helper_reply(int line, const struct helper_head *question,
		  const struct helper_answer *a) must_check;

#endif
