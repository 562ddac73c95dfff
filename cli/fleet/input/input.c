#include "input.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../agent/host/cleanup.h"
#include "../../../agent/host/file_place.h"
#include "../../../policy/util/oom.h"
#include "parsed.h"

/* ---- lines ---- */

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

/* ---- input ---- */

#define WRITER_MS 30000

struct names {
	char **list;
	size_t count, room;
};

static void names_free(struct names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->list[i]);
	free(n->list);
}
#define _names_ __attribute__((cleanup(names_free)))

/* A file that cannot be read is named, and the others are read. */
static bool skip(const struct input_taker *taker, const char *path, int code, const char *text)
{
	struct err reason = { 0 };

	err_record(&reason, code == ENOENT ? ERR_NO_FILE : ERR_UNKNOWN, code, "%s", text);
	err_locate(&reason, "%s", path);
	taker->skip(taker->arg, &reason);
	return true;
}

static bool take_document(const struct input_taker *taker, const char *path,
			  const struct lines_document *d, struct err *err)
{
	_free_ char *source = NULL;
	struct err reason = { 0 };

	if (asprintf(&source, "%s:%zu", path, d->line) < 0) {
		source = NULL;
		return err_no_memory(err);
	}
	if (d->too_long)
		err_record(&reason, ERR_POLICY, EFBIG, "the document is longer than %u MiB",
			   DOCUMENT_MAX >> 20);
	return taker->document(taker->arg, d->text, d->size, source, &reason, err);
}

static bool read_documents(int fd, const char *path, bool may_wait, const struct input_taker *taker,
			   struct err *err)
{
	_lines_ struct lines lines = { .fd = fd,
				       .rest = may_wait ? taker->rest : NULL,
				       .arg = taker->arg };
	struct lines_document d = { 0 };
	bool found = true;

	for (;;) {
		if (!lines_next(&lines, &d, &found, err)) {
			if (err->kind != ERR_UNKNOWN)
				return false;
			skip(taker, path, err->code, err->text);
			*err = (struct err){ 0 };
			return true;
		}
		if (!found)
			return true;
		if (!take_document(taker, path, &d, err))
			return false;
	}
}

/* A named pipe without a writer is at its end at once: wait for the writer. */
static bool has_writer(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int flags = fcntl(fd, F_GETFL);

	return poll(&p, 1, WRITER_MS) > 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0;
}

/*
 * Opens without waiting: what is no file, such as a terminal, is not read. The files of a directory
 * may be other hosts'.
 */
static bool read_file(int dir, const char *name, const char *path, const struct input_taker *taker,
		      struct err *err)
{
	_close_ int fd = open_checked_at(dir, name, dir == AT_FDCWD ? OPEN_PIPES : 0);
	struct stat st;

	if (fd < 0 && (errno == EINVAL || errno == EISDIR))
		return skip(taker, path, EINVAL, "it is not a regular file");
	if (fd < 0 || fstat(fd, &st) < 0)
		return skip(taker, path, errno, strerror(errno));
	if (S_ISFIFO(st.st_mode) && dir == AT_FDCWD) {
		if (!has_writer(fd))
			return skip(taker, path, ETIMEDOUT, "nobody writes to it");
		return read_documents(fd, path, true, taker, err);
	}
	if (!S_ISREG(st.st_mode))
		return skip(taker, path, EINVAL, "it is not a regular file");
	return read_documents(fd, path, false, taker, err);
}

static bool is_document_name(const char *name)
{
	static const char *const endings[] = { ".json", ".jsonl", ".ndjson" };
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < sizeof(endings) / sizeof(endings[0]); i++)
		if (strcmp(dot, endings[i]) == 0)
			return true;
	return false;
}

static bool add_name(struct names *n, const char *name, struct err *err)
{
	char *copy;

	if (n->count == n->room) {
		size_t room = n->room ? 2 * n->room : 64;
		char **more = reallocarray(n->list, room, sizeof(*more));

		if (!more)
			return err_no_memory(err);
		n->list = more;
		n->room = room;
	}
	copy = strdup(name);
	if (!copy)
		return err_no_memory(err);
	n->list[n->count++] = copy;
	return true;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list_names(DIR *dir, struct names *ret, struct err *err)
{
	const struct dirent *entry;

	while ((entry = readdir(dir)))
		if (is_document_name(entry->d_name) && !add_name(ret, entry->d_name, err))
			return false;
	if (ret->count)
		qsort(ret->list, ret->count, sizeof(*ret->list), compare);
	return true;
}

static void close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}
#define _closedir_ __attribute__((cleanup(close_dir)))

static bool read_directory(const char *path, const struct input_taker *taker, struct err *err)
{
	_names_ struct names names = { 0 };
	_closedir_ DIR *dir = opendir(path);
	bool ok = true;

	if (!dir)
		return skip(taker, path, errno, strerror(errno));
	if (!list_names(dir, &names, err))
		return false;
	for (size_t i = 0; ok && i < names.count; i++) {
		_free_ char *file = NULL;

		if (asprintf(&file, "%s/%s", path, names.list[i]) < 0) {
			file = NULL;
			return err_no_memory(err);
		}
		ok = read_file(dirfd(dir), names.list[i], file, taker, err);
	}
	return ok;
}

bool input_read(const char *path, const struct input_taker *taker, struct err *err)
{
	struct stat st;

	if (strcmp(path, "-") == 0)
		return read_documents(STDIN_FILENO, "standard input", true, taker, err);
	if (stat(path, &st) < 0)
		return skip(taker, path, errno, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return read_directory(path, taker, err);
	return read_file(AT_FDCWD, path, path, taker, err);
}
