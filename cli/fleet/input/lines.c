#include "lines.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../policy/util/oom.h"
#include "parsed.h"

#define PIECE_BYTES ((size_t)256 << 10)
#define ROOM_MAX    (DOCUMENT_MAX + PIECE_BYTES)

void lines_close(struct lines *l)
{
	free(l->bytes);
	l->bytes = NULL;
}

/* Makes room for a piece behind what is kept. */
static bool make_room(struct lines *l, struct err *err)
{
	size_t room = l->room;
	char *more;

	if (l->bytes && l->begin) {
		memmove(l->bytes, l->bytes + l->begin, l->used - l->begin);
		l->used -= l->begin;
		l->begin = 0;
	}
	while (room - l->used < PIECE_BYTES)
		room = room ? 2 * room : 2 * PIECE_BYTES;
	if (l->bytes && room == l->room)
		return true;
	more = realloc(l->bytes, room);
	if (!more)
		return err_no_memory(err);
	l->bytes = more;
	l->room = room;
	return true;
}

static bool read_more(struct lines *l, struct err *err)
{
	struct pollfd p = { .fd = l->fd, .events = POLLIN };
	ssize_t n;

	if (!make_room(l, err) || (l->rest && poll(&p, 1, 0) == 0 && !l->rest(l->arg, err)))
		return false;
	do
		n = read(l->fd, l->bytes + l->used, PIECE_BYTES);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_set(err, ERR_UNKNOWN, errno, "%s", strerror(errno));
	l->used += (size_t)n;
	l->at_end = n == 0;
	return true;
}

/* Finds the end of the line at `from`, behind its newline; *ret_whole is false if it is cut. */
static bool line_end(struct lines *l, size_t from, size_t *ret, bool *ret_whole, struct err *err)
{
	size_t seen = from;

	for (;;) {
		const char *newline =
			memchr(l->bytes + l->begin + seen, '\n', l->used - l->begin - seen);

		*ret_whole = newline || l->at_end;
		*ret = newline ? (size_t)(newline + 1 - l->bytes) - l->begin : l->used - l->begin;
		if (*ret_whole || *ret > DOCUMENT_MAX)
			return true;
		seen = *ret;
		if (!read_more(l, err))
			return false;
	}
}

static char byte_at(const struct lines *l, size_t at)
{
	return at < l->used - l->begin ? l->bytes[l->begin + at] : '\0';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The last byte of a line that is no blank; 0: there is none. */
static char last_of(const struct lines *l, size_t from, size_t end)
{
	while (end > from && is_blank(byte_at(l, end - 1)))
		end--;
	return end > from ? byte_at(l, end - 1) : '\0';
}

/* Drops bytes that are not needed any more. */
static void drop(struct lines *l, size_t size)
{
	const char *at = l->bytes + l->begin, *end = at + size;

	for (; (at = memchr(at, '\n', (size_t)(end - at))); at++)
		l->line++;
	l->begin += size;
}

static bool skip_blank_lines(struct lines *l, bool *ret_found, struct err *err)
{
	bool whole;
	size_t end;

	for (;;) {
		if (!line_end(l, 0, &end, &whole, err))
			return false;
		*ret_found = end > 0;
		if (end == 0 || last_of(l, 0, end))
			return true;
		drop(l, end);
	}
}

/* Drops the rest of a document that is too long, up to a line that begins one. */
static bool drop_rest(struct lines *l, size_t size, struct err *err)
{
	size_t end = size;
	bool whole, cut;

	do {
		cut = byte_at(l, end - 1) != '\n';
		drop(l, end);
		if (!line_end(l, 0, &end, &whole, err))
			return false;
	} while (end > 0 && (cut || byte_at(l, 0) != '{'));
	return true;
}

/* Finds the end of the document that begins with a line of `size` bytes. */
static bool find_end(struct lines *l, size_t *size, bool *ret_whole, struct err *err)
{
	bool opened = byte_at(l, 0) == '{';
	size_t end;
	char first;

	if (opened && last_of(l, 0, *size) == '}')
		return true;
	for (;;) {
		if (!line_end(l, *size, &end, ret_whole, err))
			return false;
		first = byte_at(l, *size);
		if (end == *size || first == '{')
			return true;
		*size = end;
		if (!*ret_whole || *size > DOCUMENT_MAX || (opened && first == '}'))
			return true;
	}
}

bool lines_next(struct lines *l, struct lines_document *ret, bool *ret_found, struct err *err)
{
	bool whole = true;
	size_t size;

	if (!l->bytes && !make_room(l, err))
		return false;
	if (!l->line)
		l->line = 1;
	if (ret->too_long && !drop_rest(l, ret->size, err))
		return false;
	if (!ret->too_long)
		drop(l, ret->size);
	*ret = (struct lines_document){ 0 };
	if (!skip_blank_lines(l, ret_found, err) || !*ret_found)
		return !err->kind;
	if (!line_end(l, 0, &size, &whole, err) || (whole && !find_end(l, &size, &whole, err)))
		return false;
	*ret = (struct lines_document){ .text = l->bytes + l->begin,
					.size = size,
					.line = l->line,
					.too_long = size > DOCUMENT_MAX };
	return true;
}
