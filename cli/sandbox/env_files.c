#include "env_files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "safe_open.h"

#define FILE_BYTES_MAX (4u << 20)
#define LOG_BYTES_MAX  (256u << 20)
#define PIECE_BYTES    (64u << 10)

#define OPTION(member) offsetof(struct options, member)

static const struct {
	const char *format; /* a path, of an option */
	const char *rest;   /* the rest of the path, within the root directory of a process */
	size_t option;	    /* the file belongs to this option */
	bool required;	    /* must exist */
	bool of_host;	    /* not opened if the user names another environment */
} files[ENV_FILES] = {
	[ENV_FILE_GIVEN] = { "%s", NULL, OPTION(environ), .required = true },
	[ENV_FILE_PROCESS] = { "/proc/%s/environ", NULL, OPTION(pid), .required = true },
	[ENV_FILE_USER_CONF] = { "/proc/%s/root", "", OPTION(pid), .required = false },
	[ENV_FILE_PROCESS_CONF] = { "/proc/%s/root", "/etc/nccl.conf", OPTION(pid),
				    .required = false },
	[ENV_FILE_NCCL_CONF] = { "%s/etc/nccl.conf", NULL, OPTION(root), .of_host = true },
	[ENV_FILE_RCCL_CONF] = { "%s/etc/rccl.conf", NULL, OPTION(root), .of_host = true },
	[ENV_FILE_LOG] = { "%s", NULL, OPTION(nccl_log), .required = true },
};

static const char *option_of(const struct cli *c, enum env_file file)
{
	return *(const char *const *)((const char *)&c->opt + files[file].option);
}

/* The path in the root directory of a process; NULL: the file is in ours. */
static const char *path_in_root(const struct cli *c, enum env_file file)
{
	return file == ENV_FILE_USER_CONF ? c->user_conf : files[file].rest;
}

/* Without the part in the root directory of a process. */
static void write_outer_path(const struct cli *c, enum env_file file, char buf[PATH_TEXT_MAX])
{
	const char *text = option_of(c, file),
		   *rest = files[file].format + strcspn(files[file].format, "%");
	const char *path = strcmp(text, "/") == 0 ? "" : text;

	snprintf(buf, PATH_TEXT_MAX, "%.*s%s%s", (int)(rest - files[file].format),
		 files[file].format, path, rest + strlen("%s"));
}

const char *env_file_path(const struct cli *c, enum env_file file, char buf[PATH_TEXT_MAX])
{
	const char *inner = path_in_root(c, file);
	size_t used;

	write_outer_path(c, file, buf);
	used = strlen(buf);
	snprintf(buf + used, PATH_TEXT_MAX - used, "%s", inner ? inner : "");
	return buf;
}

#define FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK) /* a FIFO without a writer would block */

/* Links in a container lead to its own files, and never to those of the host. */
static int open_in_root(const char *root, const char *path)
{
	struct open_how how = { .flags = FLAGS,
				.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	_close_ int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -1 : (int)syscall(SYS_openat2, fd, path, &how, sizeof(how));
}

static bool open_regular(const struct cli *c, enum env_file file, int *ret, struct err *err)
{
	const char *inner = path_in_root(c, file);
	char path[PATH_TEXT_MAX];
	_close_ int fd = -1;
	struct stat info;

	write_outer_path(c, file, path);
	fd = inner ? open_in_root(path, inner) : open(path, FLAGS);
	if (fd < 0 || fstat(fd, &info) < 0)
		return err_set(err, file_err_kind(errno), errno, "%s", strerror(errno));
	if (!S_ISREG(info.st_mode))
		return err_set(err, ERR_POLICY, EINVAL, "not a regular file");
	*ret = fd;
	fd = -1;
	return true;
}

static bool is_wanted(const struct cli *c, enum env_file file)
{
	bool names_another = c->opt.environ || c->opt.pid || c->opt.nccl_log;

	if (file == ENV_FILE_USER_CONF && !c->user_conf[0])
		return false;
	return option_of(c, file) && !(files[file].of_host && names_another);
}

static bool is_number(const char *text)
{
	return text[0] && !text[strspn(text, "0123456789")];
}

static bool too_large(struct err *err, unsigned bytes)
{
	return err_set(err, ERR_POLICY, EFBIG, "larger than %u MiB", bytes >> 20);
}

/* Reads up to `size` bytes; *ret is less at the end of the file. */
static bool read_some(int fd, char *buf, size_t size, size_t *ret, struct err *err)
{
	ssize_t n = 0;

	for (*ret = 0; *ret < size && (n = read(fd, buf + *ret, size - *ret)) != 0;) {
		if (n < 0 && errno != EINTR)
			return err_set(err, ERR_POLICY, errno, "%s", strerror(errno));
		*ret += n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* Reads up to the limit in growing pieces: /proc does not tell the size. Appends a NUL. */
static bool read_whole(int fd, char **ret, size_t *ret_size, struct err *err)
{
	_free_ char *text = NULL;
	size_t room = PIECE_BYTES, used = 0, n;

	do {
		char *more = realloc(text, room);

		if (!more)
			return err_no_memory(err);
		text = more;
		if (!read_some(fd, text + used, room - used, &n, err))
			return false;
		used += n;
		if (used > FILE_BYTES_MAX)
			return too_large(err, FILE_BYTES_MAX);
		room *= 2;
	} while (used == room / 2);
	text[used] = '\0';
	*ret = text;
	*ret_size = used;
	text = NULL;
	return true;
}

bool env_file_read(const struct cli *c, enum env_file file, char **ret, size_t *ret_size,
		   struct err *err)
{
	char path[PATH_TEXT_MAX];

	return err_at(err, read_whole(c->env_fds[file], ret, ret_size, err), "%s",
		      env_file_path(c, file, path));
}

/* The bytes up to the last newline; all of them if there is none. */
static size_t whole_lines(const char *text, size_t size)
{
	const char *newline = memrchr(text, '\n', size);

	return newline ? (size_t)(newline + 1 - text) : size;
}

static bool read_pieces(int fd, void (*each)(void *arg, const char *text, size_t size), void *arg,
			struct err *err)
{
	char piece[PIECE_BYTES];
	size_t kept = 0, total = 0, n;

	do {
		size_t lines;

		if (!read_some(fd, piece + kept, sizeof(piece) - kept, &n, err))
			return false;
		total += n;
		if (total > LOG_BYTES_MAX)
			return too_large(err, LOG_BYTES_MAX);
		lines = n ? whole_lines(piece, kept + n) : kept;
		each(arg, piece, lines);
		kept = kept + n - lines;
		memmove(piece, piece + lines, kept);
	} while (n);
	return true;
}

bool env_file_read_log(const struct cli *c, void (*each)(void *arg, const char *text, size_t size),
		       void *arg, struct err *err)
{
	char path[PATH_TEXT_MAX];

	return err_at(err, read_pieces(c->env_fds[ENV_FILE_LOG], each, arg, err), "%s",
		      env_file_path(c, ENV_FILE_LOG, path));
}

/* The first value of a name in the environment of a process; "" if there is none. */
static const char *value_of(const char *text, size_t size, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; at < text + size; at += strlen(at) + 1)
		if (strncmp(at, name, length) == 0 && at[length] == '=')
			return at + length + 1;
	return "";
}

/*
 * Sets c->user_conf as initEnv() of NCCL's src/misc/param.cc chooses the file. NCCL asks the user
 * database for the home directory, which a container may lack: HOME stands for it here.
 */
static bool find_user_conf(struct cli *c, struct err *err)
{
	_free_ char *text = NULL;
	const char *named, *home;
	size_t size;
	int n = 0;

	if (!env_file_read(c, ENV_FILE_PROCESS, &text, &size, err))
		return false;
	named = value_of(text, size, "NCCL_CONF_FILE");
	home = value_of(text, size, "HOME");
	if (named[0])
		n = snprintf(c->user_conf, sizeof(c->user_conf), "%s", named);
	else if (home[0])
		n = snprintf(c->user_conf, sizeof(c->user_conf), "%s/.nccl.conf", home);
	c->user_conf_is_named = named[0];
	if ((size_t)n < sizeof(c->user_conf) && (!n || c->user_conf[0] == '/'))
		return lseek(c->env_fds[ENV_FILE_PROCESS], 0, SEEK_SET) == 0 ||
		       err_set(err, ERR_POLICY, errno, "%s", strerror(errno));
	c->user_conf[0] = '\0';
	return err_set(err, ERR_POLICY, EINVAL,
		       "the path of the process's nccl.conf is relative, or too long");
}

/* True if NCCL does without this file, and says nothing. */
static bool may_lack(const struct cli *c, enum env_file file, const struct err *why)
{
	return !files[file].required && (why->code == ENOENT || why->code == ENOTDIR) &&
	       !(file == ENV_FILE_USER_CONF && c->user_conf_is_named);
}

static bool open_wanted(struct cli *c, enum env_file file, struct err *err)
{
	char path[PATH_TEXT_MAX];

	if (file == ENV_FILE_USER_CONF && c->env_fds[ENV_FILE_PROCESS] >= 0 &&
	    !find_user_conf(c, err))
		return false;
	if (!is_wanted(c, file) || open_regular(c, file, &c->env_fds[file], err) ||
	    may_lack(c, file, err))
		return true;
	if (file == ENV_FILE_USER_CONF && c->user_conf_is_named)
		err_add_fix(err, "correct NCCL_CONF_FILE: NCCL reads nothing in its place, and "
				 "says nothing");
	return err_in(err, "%s", env_file_path(c, file, path));
}

bool env_files_open(struct cli *c, struct err *err)
{
	if (c->opt.pid && !is_number(c->opt.pid))
		return err_set(err, ERR_USAGE, EINVAL, "--pid: \"%s\" is not a process id",
			       c->opt.pid);
	for (enum env_file file = 0; file < ENV_FILES; file++) {
		struct err why = { 0 };

		if (open_wanted(c, file, &why))
			continue;
		if (files[file].required) {
			*err = why;
			return false;
		}
		if (!c->env_why.kind)
			c->env_why = why;
	}
	return true;
}
