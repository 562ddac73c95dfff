#include "bounded_read.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"

#define PIECE_BYTES (64u << 10)

struct reading {
	int fd;
	size_t most, total;
	uint64_t end_ms;
	unsigned idle_ms;
};

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static struct reading start(int fd, size_t most, struct patience p)
{
	return (struct reading){
		.fd = fd, .most = most, .end_ms = now_ms() + p.total_ms, .idle_ms = p.idle_ms
	};
}

/* Waits for data or the end of a pipe; a file has either at once. */
static bool wait_for(const struct reading *r, struct err *err)
{
	struct pollfd p = { .fd = r->fd, .events = POLLIN };
	uint64_t now = now_ms(), left = r->end_ms > now ? r->end_ms - now : 0;
	bool last = left < r->idle_ms;

	if (poll(&p, 1, last ? (int)left : (int)r->idle_ms) != 0)
		return true; /* read() reports an error, or a signal */
	return err_set(err, ERR_POLICY, ETIMEDOUT, "%s",
		       last	  ? "it takes too long to come to an end"
		       : r->total ? "its writer stopped, and did not close it"
				  : "nobody writes to it");
}

/* Reads up to `size` bytes; *ret is less at the end of the file. */
static bool read_some(struct reading *r, char *buf, size_t size, size_t *ret, struct err *err)
{
	ssize_t n = 0;

	for (*ret = 0; *ret<size; *ret += n> 0 ? (size_t)n : 0) {
		if (!wait_for(r, err))
			return false;
		n = read(r->fd, buf + *ret, size - *ret);
		if (n == 0)
			break;
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return err_set(err, ERR_POLICY, errno, "%s", strerror(errno));
		r->total += n > 0 ? (size_t)n : 0;
	}
	return r->total <= r->most ||
	       err_set(err, ERR_POLICY, EFBIG, "larger than %zu MiB", r->most >> 20);
}

/* Reads in growing pieces: neither /proc nor a pipe tells its size. */
bool bounded_read_whole(int fd, size_t most, struct patience patience, char **ret, size_t *ret_size,
			struct err *err)
{
	struct reading r = start(fd, most, patience);
	_free_ char *text = NULL;
	size_t room = PIECE_BYTES, used = 0, n;

	do {
		char *more = realloc(text, room);

		if (!more)
			return err_no_memory(err);
		text = more;
		if (!read_some(&r, text + used, room - used, &n, err))
			return false;
		used += n;
		room *= 2;
	} while (used == room / 2);
	text[used] = '\0';
	*ret = text;
	*ret_size = used;
	text = NULL;
	return true;
}

/* The bytes up to the last newline; all of them if there is none. */
static size_t whole_lines(const char *text, size_t size)
{
	const char *newline = memrchr(text, '\n', size);

	return newline ? (size_t)(newline + 1 - text) : size;
}

bool bounded_read_pieces(int fd, size_t most, struct patience patience,
			 void (*each)(void *arg, const char *text, size_t size), void *arg,
			 struct err *err)
{
	struct reading r = start(fd, most, patience);
	char piece[PIECE_BYTES];
	size_t kept = 0, n;

	do {
		size_t lines;

		if (!read_some(&r, piece + kept, sizeof(piece) - kept, &n, err))
			return false;
		lines = n ? whole_lines(piece, kept + n) : kept;
		each(arg, piece, lines);
		kept = kept + n - lines;
		memmove(piece, piece + lines, kept);
	} while (n);
	return true;
}
