#include "policy_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../agent/cleanup.h"
#include "../policy/clean.h"
#include "print.h"
#include "trusted.h"

static bool too_large(struct err *err)
{
	return err_set(err, ERR_POLICY, EFBIG, "larger than %u MiB", POLICY_MAX_BYTES >> 20);
}

/* Of a pipe one byte more than a policy may have is read; a file is known by its size. */
static bool read_all(int fd, char *buf, size_t *ret, struct err *err)
{
	const size_t most = POLICY_MAX_BYTES + 1;
	struct stat info;
	ssize_t n;

	*ret = 0;
	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > POLICY_MAX_BYTES)
		return too_large(err);
	while (*ret < most && (n = read(fd, buf + *ret, most - *ret)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(err, ERR_POLICY, errno, "%s", strerror(errno));
		*ret += (size_t)n;
	}
	return *ret < most || too_large(err);
}

/* Who only reads is told, if asked to say more, what would stop an apply. */
static void warn_of_distrust(const struct cli *c, const char *path)
{
	_close_ int fd = -1;
	struct err why = { 0 };

	if (c->opt.verbose && !trusted_open(path, &fd, &why) && why.kind == ERR_REFUSED)
		print_warning(c, "apply and agent would refuse this policy: %s", why.text);
}

static bool read_file(const struct cli *c, const char *path, char *buf, size_t *size,
		      struct err *err)
{
	_close_ int fd = -1;

	if (c->opt.verb->writes)
		return trusted_open(path, &fd, err) && read_all(fd, buf, size, err);
	warn_of_distrust(c, path);
	/* A fifo that nobody writes to must not hang us; what has a writer is waited for. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0) {
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
		return read_all(fd, buf, size, err);
	}
	return err_set(err, errno == EACCES ? ERR_DENIED : ERR_POLICY, errno, "%s",
		       strerror(errno));
}

static bool read_source(const struct cli *c, const char *path, char *buf, size_t *size,
			struct err *err)
{
	if (strcmp(path, "-") == 0)
		return read_all(STDIN_FILENO, buf, size, err);
	if (read_file(c, path, buf, size, err))
		return true;
	if (err->code == ENOENT && strcmp(path, DEFAULT_POLICY) == 0)
		err_hint(err, "write one there, or name another: losslessctl VERB ./policy.json");
	return false;
}

/* What is harmful takes one column, as the mark below counts it. */
static void print_line(const char *line, const char *end)
{
	while (line < end) {
		size_t harm = clean_harm(line, NULL), innocent = clean_innocent(line);

		if (harm)
			fputc(*line == '\t' ? ' ' : '?', stderr);
		fwrite(line, 1, innocent, stderr);
		line += harm + innocent > 0 ? harm + innocent : 1;
	}
}

/* The line that is wrong, with a mark under the place. */
static void show_line(const struct cli *c, const char *text, const struct place *at)
{
	const char *line = text;

	for (unsigned n = 1; n < at->line && (line = strchr(line, '\n')); n++)
		line++;
	if (!line || !at->line || c->opt.quiet || c->opt.json || strcspn(line, "\n") > 160)
		return;
	fprintf(stderr, "%s%5u |%s ", c->err.dim, at->line, c->err.reset);
	print_line(line, line + strcspn(line, "\n"));
	fprintf(stderr, "\n      | %*s%s^%s\n", (int)at->column - 1, "", c->err.red, c->err.reset);
}

bool policy_open(struct cli *c, struct policy **ret, struct err *err)
{
	const char *path = c->opt.policy ? c->opt.policy : DEFAULT_POLICY;
	_free_ char *text = calloc(1, POLICY_MAX_BYTES + 2);
	const char *source = strcmp(path, "-") == 0 ? "standard input" : path;
	size_t size;

	if (!text)
		return err_set(err, ERR_SYSTEM, ENOMEM, "out of memory");
	if (!read_source(c, path, text, &size, err))
		return err_at(err, false, "%s", source);
	if (policy_parse(ret, text, size, source, err))
		return true;
	show_line(c, text, &err->at);
	return false;
}
