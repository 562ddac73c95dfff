#include "peer_line.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../../policy/util/oom.h"

#define SEND_MS 10000
#define LAST_MS 2000 /* for the last words of a peer that has ended */

bool peer_line_open(struct peer_line *l, int in, int out, struct err *err)
{
	*l = (struct peer_line){ .in = in, .out = out, .text = oom_calloc(1, PEER_LINE_MAX + 1) };
	return l->text || err_no_memory(err);
}

void peer_line_close(struct peer_line *l)
{
	free(l->text);
	l->text = NULL;
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Waits until `end`, and takes what is there by then; returns what poll() does. */
static int wait_until(int fd, short events, uint64_t end)
{
	struct pollfd p = { fd, events, 0 };
	uint64_t now = now_ms();

	return poll(&p, 1, now < end ? (int)(end - now) : 0);
}

static bool has_ended(struct err *err)
{
	return err_set(err, ERR_GONE, EPIPE, "the other end of the probe has ended");
}

/* Standard output may be a file. */
static bool has_not_sent(struct err *err)
{
	if (errno == ENOSPC || errno == EDQUOT)
		return err_set(err, ERR_SYSTEM, errno, "writing to the other end of the probe: %s",
			       strerror(errno));
	return has_ended(err);
}

static bool is_late(int waited, struct err *err)
{
	if (waited < 0)
		return err_set(err, ERR_INTERRUPTED, errno, "interrupted");
	return err_set(err, ERR_UNKNOWN, ETIMEDOUT, "the other end of the probe does not answer");
}

/* A pipe of ssh's is no socket. The sandbox lets a verb write to nothing else. */
static ssize_t put(int fd, const char *text, size_t size)
{
	ssize_t n = send(fd, text, size, MSG_NOSIGNAL);

	return n < 0 && errno == ENOTSOCK ? write(fd, text, size) : n;
}

static bool send_all(int fd, const char *text, size_t size, struct err *err)
{
	uint64_t end = now_ms() + SEND_MS;

	while (size) {
		int waited = wait_until(fd, POLLOUT, end);
		ssize_t n = waited > 0 ? put(fd, text, size) : -1;

		if (waited <= 0)
			return is_late(waited, err);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return has_not_sent(err);
		text += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

bool peer_line_send(struct peer_line *l, json_t *message, struct err *err)
{
	char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
	size_t size = text ? strlen(text) : 0;
	bool ok;

	json_decref(message);
	if (!text)
		return err_no_memory(err);
	text[size] = '\n'; /* in place of the NUL */
	ok = send_all(l->out, text, size + 1, err);
	free(text);
	return ok;
}

/* Reads until there is a whole line, whose length is *ret. */
static bool read_line(struct peer_line *l, uint64_t end, size_t *ret, struct err *err)
{
	const char *newline;

	while (!(newline = memchr(l->text, '\n', l->used))) {
		ssize_t n;
		int waited;

		if (l->used == PEER_LINE_MAX + 1)
			return err_set(err, ERR_POLICY, EMSGSIZE,
				       "the other end of the probe sends more than a message");
		waited = wait_until(l->in, POLLIN, end);
		if (waited <= 0)
			return is_late(waited, err);
		n = read(l->in, l->text + l->used, PEER_LINE_MAX + 1 - l->used);
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			return has_ended(err);
		l->used += n > 0 ? (size_t)n : 0;
	}
	*ret = (size_t)(newline - l->text);
	return true;
}

static bool parse(const char *text, size_t size, json_t **ret, struct err *err)
{
	json_error_t why;
	json_t *j = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
	const char *refusal;

	if (!json_is_object(j)) {
		json_decref(j);
		return err_set(err, ERR_POLICY, EPROTO,
			       "the other end is no losslessctl probe: it sends no JSON object");
	}
	refusal = json_string_value(json_object_get(j, "error"));
	if (refusal) {
		err_record(err, ERR_REFUSED, 0, "the other end: %.200s", refusal);
		json_decref(j);
		return false;
	}
	*ret = j;
	return true;
}

bool peer_line_receive(struct peer_line *l, unsigned wait_ms, json_t **ret, struct err *err)
{
	size_t size = 0;
	bool ok;

	*ret = NULL;
	if (!read_line(l, now_ms() + wait_ms, &size, err))
		return false;
	ok = parse(l->text, size, ret, err);
	l->used -= size + 1;
	memmove(l->text, l->text + size + 1, l->used);
	return ok;
}

void peer_line_read_last(int fd, char *text, size_t size)
{
	uint64_t end = now_ms() + LAST_MS;
	size_t used = 0, half = size / 2;
	ssize_t n = 1;

	while (n > 0 && wait_until(fd, POLLIN, end) > 0) {
		if (used == size - 1) { /* the end of it says more */
			used -= half;
			memmove(text, text + half, used);
		}
		n = read(fd, text + used, size - 1 - used);
		used += n > 0 ? (size_t)n : 0;
	}
	text[used] = '\0';
}

enum peer_event peer_line_wait(const struct peer_line *l, int other, unsigned wait_ms)
{
	struct pollfd p[] = { { l->in, POLLIN, 0 }, { other, POLLIN, 0 } };
	int n = l->used ? 1 : poll(p, 2, (int)wait_ms);

	if (n < 0)
		return PEER_INTERRUPTED;
	if (n > 0 && p[1].revents)
		return OTHER_READABLE;
	return n > 0 ? PEER_SENDS : PEER_QUIET;
}
