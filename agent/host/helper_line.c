#include "helper_line.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>

#include "host.h"

#define ANSWERS_LATER_S 10

/* ---- the asking process ---- */

/* A wait with an end, for every part of an exchange. */
struct wait {
	int line;
	long end_ms;
	struct host *h;
};

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* poll() would wait for no line, too. */
static int wait_for(const struct wait *w, short events)
{
	if (w->line < 0)
		return EPIPE;
	for (;;) {
		struct pollfd p = { w->line, events, 0 };
		long left = w->end_ms - now_ms();
		int n = poll(&p, 1, left > 0 ? (int)left : 0);

		if (n > 0)
			return 0;
		if (n == 0)
			return ETIMEDOUT;
		if (errno != EINTR)
			return errno;
		if (w->h && w->h->interrupted(w->h))
			return EINTR;
	}
}

static bool is_to_repeat(ssize_t n)
{
	return n < 0 && (errno == EINTR || errno == EAGAIN);
}

static int send_all(const struct wait *w, const void *bytes, size_t size)
{
	for (const char *at = bytes; size;) {
		int code = wait_for(w, POLLOUT);
		ssize_t n = code ? 0 : send(w->line, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (code)
			return code;
		if (is_to_repeat(n))
			continue;
		if (n <= 0)
			return EPIPE;
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

static int receive_all(const struct wait *w, void *bytes, size_t size)
{
	for (char *at = bytes; size;) {
		int code = wait_for(w, POLLIN);
		ssize_t n = code ? 0 : recv(w->line, at, size, MSG_DONTWAIT);

		if (code)
			return code;
		if (is_to_repeat(n))
			continue;
		if (n <= 0)
			return EPIPE;
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

/* Others may have a copy of the descriptor. */
static int end_line(int line, int code)
{
	if (code)
		shutdown(line, SHUT_RDWR);
	return code;
}

static struct wait wait_of(int line, const struct helper_question *q)
{
	int limit_ms =
		q->limit_ms ? q->limit_ms : (int)(helper_limit_s[q->task] + ANSWERS_LATER_S) * 1000;

	return (struct wait){ line, now_ms() + limit_ms, q->h };
}

int helper_begin(int line, const struct helper_question *q, struct helper_head *ret)
{
	const struct wait w = wait_of(line, q);
	int code = 0;

	*ret = (struct helper_head){ .task = q->task, .size = (uint32_t)q->size };
	sha256(q->at, q->size, ret->sha256);
	if (getrandom(&ret->number, sizeof(ret->number), 0) != (ssize_t)sizeof(ret->number))
		code = EIO;
	if (!code)
		code = send_all(&w, ret, sizeof(*ret));
	if (!code)
		code = send_all(&w, q->at, q->size);
	return end_line(line, code);
}

static int receive_answer(const struct wait *w, const struct helper_head *question,
			  struct helper_answer *a)
{
	struct helper_head head;
	int code = receive_all(w, &head, sizeof(head));

	if (code)
		return code;
	if (head.number != question->number || head.task != question->task ||
	    memcmp(head.sha256, question->sha256, sizeof(head.sha256)) != 0 ||
	    head.size < sizeof(a->result) || head.size - sizeof(a->result) > a->text_max)
		return EBADMSG;
	a->text_size = head.size - sizeof(a->result);
	code = receive_all(w, &a->result, sizeof(a->result));
	a->result.reason[sizeof(a->result.reason) - 1] = '\0';
	return code ? code : receive_all(w, a->text, a->text_size);
}

int helper_finish(int line, const struct helper_head *question, int limit_ms,
		  struct helper_answer *a)
{
	const struct wait w = { line, now_ms() + limit_ms, NULL };

	return end_line(line, receive_answer(&w, question, a));
}

int helper_ask(int line, const struct helper_question *q, struct helper_answer *a)
{
	const struct wait w = wait_of(line, q);
	struct helper_head head;
	int code = helper_begin(line, q, &head);

	return code ? code : end_line(line, receive_answer(&w, &head, a));
}

/* ---- the helper ---- */

static bool send_bytes(int line, const void *bytes, size_t size)
{
	for (const char *at = bytes; size;) {
		ssize_t n = send(line, at, size, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

static bool receive_bytes(int line, void *bytes, size_t size)
{
	for (char *at = bytes; size;) {
		ssize_t n = recv(line, at, size, MSG_WAITALL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

/* The digest is of what was received, whatever the head says. */
bool helper_next(int line, void *question, size_t max, struct helper_head *ret)
{
	if (!receive_bytes(line, ret, sizeof(*ret)) || ret->size > max ||
	    !receive_bytes(line, question, ret->size))
		return false;
	sha256(question, ret->size, ret->sha256);
	return true;
}

bool helper_reply(int line, const struct helper_head *question, const struct helper_answer *a)
{
	struct helper_head head = *question;

	head.size = (uint32_t)(sizeof(a->result) + a->text_size);
	return send_bytes(line, &head, sizeof(head)) &&
	       send_bytes(line, &a->result, sizeof(a->result)) &&
	       send_bytes(line, a->text, a->text_size);
}
