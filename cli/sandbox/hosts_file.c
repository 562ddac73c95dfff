#include "hosts_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "safe_open.h"

#define BYTES_MAX 65536
#define NAME_MAX  255

/* Hosts, users, ports and addresses have these. */
#define CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@:%[]/"
#define BLANKS	   " \t\r"

void hosts_free(struct hosts *h)
{
	free(h->text);
	h->text = NULL;
}

static bool is_wrong(const char *path, size_t line, const char *found, struct err *err)
{
	err_record(err, ERR_USAGE, EINVAL, "found %s, expected one host as ssh takes it", found);
	err_locate(err, "%s:%zu", path, line);
	return false;
}

bool host_is_plain(const char *host)
{
	size_t n = strspn(host, CHARACTERS);

	return n > 0 && n <= NAME_MAX && !host[n] && host[0] != '-';
}

/* A comment begins a word. */
static void cut_comment(char *line)
{
	for (char *at = line; *at; at++)
		if (*at == '#' && (at == line || strchr(BLANKS, at[-1])))
			*at = '\0';
}

static bool check_host(const char *path, size_t line, const char *host, struct err *err)
{
	if (host[strcspn(host, BLANKS)])
		return is_wrong(path, line, "several words", err);
	if (host[0] == '-')
		return is_wrong(path, line, "an option", err);
	if (strlen(host) > NAME_MAX)
		return is_wrong(path, line, "more than 255 characters", err);
	return !host[strspn(host, CHARACTERS)] ||
	       is_wrong(path, line, "a character that no host has", err);
}

static bool add_host(const char *path, size_t line, const char *host, struct hosts *ret,
		     struct err *err)
{
	if (!check_host(path, line, host, err))
		return false;
	for (size_t i = 0; i < ret->count; i++)
		if (strcmp(ret->list[i], host) == 0)
			return is_wrong(path, line, "a host for the second time", err);
	if (ret->count == HOSTS_MAX) {
		err_record(err, ERR_USAGE, E2BIG, "found more than %d hosts", HOSTS_MAX);
		err_locate(err, "%s:%zu", path, line);
		err_add_fix(err, "split the file");
		return false;
	}
	ret->list[ret->count++] = host;
	return true;
}

static bool parse_line(const char *path, size_t number, char *line, struct hosts *ret,
		       struct err *err)
{
	char *host, *end;

	cut_comment(line);
	host = line + strspn(line, BLANKS);
	end = host + strlen(host);
	while (end > host && strchr(BLANKS, end[-1]))
		*--end = '\0';
	return !host[0] || add_host(path, number, host, ret, err);
}

bool hosts_parse(const char *path, char *text, size_t size, struct hosts *ret, struct err *err)
{
	size_t number = 0;
	char *rest = text;

	*ret = (struct hosts){ .text = text };
	if (strlen(text) != size)
		return is_wrong(path, 1, "a file with the byte NUL", err);
	while (rest) {
		char *line = strsep(&rest, "\n");

		if (!parse_line(path, ++number, line, ret, err))
			return false;
	}
	if (ret->count >= HOSTS_MIN)
		return true;
	err_record(err, ERR_USAGE, EINVAL, "found %zu host%s, expected %d to %d", ret->count,
		   ret->count == 1 ? "" : "s", HOSTS_MIN, HOSTS_MAX);
	err_locate(err, "%s", path);
	return false;
}

static bool read_all(int fd, char *text, size_t *ret, struct err *err)
{
	ssize_t n;

	for (*ret = 0; *ret <= BYTES_MAX; *ret += (size_t)n) {
		n = read(fd, text + *ret, BYTES_MAX + 1 - *ret);
		if (n < 0)
			return err_set(err, ERR_SYSTEM, errno, "%s", strerror(errno));
		if (n == 0)
			return true;
	}
	return err_set(err, ERR_USAGE, EFBIG, "found more than %d bytes, expected a host a line",
		       BYTES_MAX);
}

bool hosts_read(const char *path, struct hosts *ret, struct err *err)
{
	_close_ int fd = -1;
	_free_ char *text = oom_calloc(1, BYTES_MAX + 2);
	size_t size;

	*ret = (struct hosts){ .text = NULL };
	if (!text)
		return err_no_memory(err);
	if (any_open(path, &fd, err) && read_all(fd, text, &size, err))
		return hosts_parse(path, take(text), size, ret, err);
	err_locate(err, "%s", path);
	return false;
}
