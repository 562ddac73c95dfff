#include "env_files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/file_place.h"
#include "../../policy/util/fix_text.h"
#include "trusted_open.h"

#define FILE_BYTES_MAX (4u << 20)
#define LOG_BYTES_MAX  (256u << 20)

static const struct patience patience = { .idle_ms = 10000, .total_ms = 120000 };

#define OPTION(member) offsetof(struct options, member)

static const struct {
	const char *format; /* a path, of an option */
	const char *rest;   /* the rest of the path, within the root directory of a process */
	size_t option;	    /* the file belongs to this option */
	bool required;	    /* must exist */
	bool of_host;	    /* not opened for a process or a log */
	const char *piped;  /* the name of an option that also takes a pipe */
} files[ENV_FILES] = {
	[ENV_FILE_GIVEN] = { "%s", NULL, OPTION(environ), .required = true, .piped = "--check" },
	[ENV_FILE_PROCESS] = { "/proc/%s/environ", NULL, OPTION(pid), .required = true },
	[ENV_FILE_USER_CONF] = { "/proc/%s/root", "", OPTION(pid), .required = false },
	[ENV_FILE_PROCESS_CONF] = { "/proc/%s/root", "/etc/nccl.conf", OPTION(pid),
				    .required = false },
	[ENV_FILE_UCX_DIR] = { "/proc/%s/root", "", OPTION(pid), .required = false },
	[ENV_FILE_UCX_HOME] = { "/proc/%s/root", "", OPTION(pid), .required = false },
	[ENV_FILE_UCX_PROCESS] = { "/proc/%s/root", "/etc/ucx/ucx.conf", OPTION(pid),
				   .required = false },
	[ENV_FILE_NCCL_CONF] = { "%s/etc/nccl.conf", NULL, OPTION(root), .of_host = true },
	[ENV_FILE_RCCL_CONF] = { "%s/etc/rccl.conf", NULL, OPTION(root), .of_host = true },
	[ENV_FILE_UCX_CONF] = { "%s/etc/ucx/ucx.conf", NULL, OPTION(root), .of_host = true },
	[ENV_FILE_LOG] = { "%s", NULL, OPTION(nccl_log), .required = true, .piped = "--nccl-log" },
};

static const char *option_of(const struct cli *c, enum env_file file)
{
	return *(const char *const *)((const char *)&c->opt + files[file].option);
}

static bool is_stdin(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

/* The path in the root directory of a process; NULL: the file is in ours. */
static const char *path_in_root(const struct cli *c, enum env_file file)
{
	bool depends = files[file].rest && !files[file].rest[0];

	return depends ? c->env_paths[file] : files[file].rest;
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

	if (files[file].piped && is_stdin(option_of(c, file))) {
		snprintf(buf, PATH_TEXT_MAX, "standard input");
		return buf;
	}
	write_outer_path(c, file, buf);
	used = strlen(buf);
	snprintf(buf + used, PATH_TEXT_MAX - used, "%s", inner ? inner : "");
	return buf;
}

/* Links in a container lead to its own files, and never to those of the host. */
static int open_in_root(const char *root, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC,
				.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	_close_ int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), place = -1;

	place = fd < 0 ? -1 : (int)syscall(SYS_openat2, fd, path, &how, sizeof(how));
	return place < 0 ? -1 : open_checked(place, 0);
}

/* The kernel's files have no other use here: a link of others may lead to /proc/kmsg. */
static bool is_environ(const char *path)
{
	static const char proc[] = "/proc/";
	const char *id = path + sizeof(proc) - 1;

	return strncmp(path, proc, sizeof(proc) - 1) == 0 &&
	       strcmp(id + strcspn(id, "/"), "/environ") == 0;
}

static int open_any(const struct cli *c, enum env_file file)
{
	const char *inner = path_in_root(c, file);
	char path[PATH_TEXT_MAX];

	if (files[file].piped && is_stdin(option_of(c, file)))
		return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	write_outer_path(c, file, path);
	if (inner)
		return open_in_root(path, inner);
	return open_checked_at(AT_FDCWD, path,
			       (is_environ(path) ? OPEN_KERNEL_FILES : 0) |
				       (files[file].piped ? OPEN_PIPES : 0));
}

static bool is_pipe(const struct stat *info)
{
	return S_ISFIFO(info->st_mode) || S_ISSOCK(info->st_mode);
}

/* /dev/null is an empty environment; other devices, and terminals, are none. */
static bool is_null(const struct stat *info)
{
	return S_ISCHR(info->st_mode) && info->st_rdev == makedev(1, 3);
}

#define READS_ALL (1ull << CAP_DAC_OVERRIDE | 1ull << CAP_DAC_READ_SEARCH)

static bool is_in_group(const char *status, unsigned group)
{
	const char *at = strstr(status, "\nGroups:");
	char *end;

	for (at = at ? at + strlen("\nGroups:") : ""; *at; at = end) {
		unsigned long one = strtoul(at, &end, 10);

		if (end == at)
			break;
		if (one == group)
			return true;
	}
	return false;
}

/* By its ids for files (FSUID), as /proc/PID/status has them; true if that cannot be read. */
static bool process_may_read(const char *pid, const struct stat *info)
{
	_free_ char *status = NULL;
	struct err quiet = { 0 };
	unsigned long long rights;
	unsigned user, group;
	const char *ids, *caps;
	char path[64];
	size_t size;
	_close_ int fd = -1;

	snprintf(path, sizeof(path), "/proc/%.20s/status", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !bounded_read_whole(fd, FILE_BYTES_MAX, patience, &status, &size, &quiet))
		return true;
	ids = strstr(status, "\nUid:");
	caps = strstr(status, "\nCapEff:");
	if (!ids || sscanf(ids, " Uid: %*u %*u %*u %u Gid: %*u %*u %*u %u", &user, &group) != 2 ||
	    !caps || sscanf(caps, " CapEff: %llx", &rights) != 1)
		return true;
	if (user == 0 && (rights & READS_ALL)) /* another user's are those of its user namespace */
		return true;
	if (user == info->st_uid)
		return info->st_mode & S_IRUSR;
	if (group == info->st_gid || is_in_group(status, info->st_gid))
		return info->st_mode & S_IRGRP;
	return info->st_mode & S_IROTH;
}

/* A library ignores a file that its job cannot read; the user of a job is known with --pid alone.
 */
static bool is_for_jobs(const struct cli *c, enum env_file file, const struct stat *info,
			struct err *err)
{
	bool of_process = files[file].option == OPTION(pid);
	char path[PATH_TEXT_MAX], quoted[PATH_TEXT_MAX];
	const char *word;

	if (files[file].required ||
	    (of_process ? process_may_read(c->opt.pid, info) : info->st_mode & S_IROTH))
		return true;
	err_record(err, ERR_DENIED, EACCES,
		   "mode %04o: %s cannot read it, and the library ignores it without a word",
		   info->st_mode & 07777, of_process ? "the process" : "a job of another user");
	/* Its user chose the file, which may be a link to one that is nobody's to read. */
	if (of_process)
		return err_fix(err, "let its user read the file, or name another one");
	word = shell_word(env_file_path(c, file, path), quoted, sizeof(quoted));
	return word ? err_fix(err, "run `chmod a+r %s`", word) : false;
}

static bool open_readable(const struct cli *c, enum env_file file, int *ret, struct err *err)
{
	bool piped = files[file].piped;
	_close_ int fd = open_any(c, file);
	struct stat info;

	if ((fd < 0 && errno != EINVAL && errno != EISDIR) || (fd >= 0 && fstat(fd, &info) < 0))
		return err_set(err, file_err_kind(errno), errno, "%s", strerror(errno));
	if (fd < 0 || (!S_ISREG(info.st_mode) && !(piped && (is_pipe(&info) || is_null(&info)))))
		return err_set(err, ERR_POLICY, EINVAL, "not a regular file%s",
			       piped ? " or a pipe" : "");
	if (!is_for_jobs(c, file, &info, err))
		return false;
	*ret = fd;
	fd = -1;
	return true;
}

static bool is_wanted(const struct cli *c, enum env_file file)
{
	bool host_counts = c->opt.environ || (c->opt.verb->takes & READS_ENVIRONMENT);
	const char *inner = path_in_root(c, file);

	if (inner && !inner[0])
		return false; /* the environment of the process names none */
	return option_of(c, file) && (host_counts || !files[file].of_host);
}

static bool is_number(const char *text)
{
	return text[0] && !text[strspn(text, "0123456789")];
}

/* A command that fails in a pipe leaves it empty, which is not an empty environment. */
static bool is_empty_pipe(int fd, size_t size)
{
	struct stat info;

	return !size && fstat(fd, &info) == 0 && is_pipe(&info);
}

static bool read_whole(int fd, char **ret, size_t *ret_size, struct err *err)
{
	_free_ char *text = NULL;

	if (!bounded_read_whole(fd, FILE_BYTES_MAX, patience, &text, ret_size, err))
		return false;
	if (is_empty_pipe(fd, *ret_size))
		return err_set(err, ERR_POLICY, 0, "nothing was written to it");
	*ret = text;
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

bool env_file_read_log(const struct cli *c, void (*each)(void *arg, const char *text, size_t size),
		       void *arg, struct err *err)
{
	char path[PATH_TEXT_MAX];

	return err_at(err,
		      bounded_read_pieces(c->env_fds[ENV_FILE_LOG], LOG_BYTES_MAX, patience, each,
					  arg, err),
		      "%s", env_file_path(c, ENV_FILE_LOG, path));
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

/* Sets the path of a file that the environment names: DIRECTORY, and a name in it. */
static bool set_path(struct cli *c, enum env_file file, const char *directory, const char *name,
		     struct err *err)
{
	int n = snprintf(c->env_paths[file], sizeof(c->env_paths[file]), "%s%s", directory, name);

	if (!directory[0])
		c->env_paths[file][0] = '\0';
	if (!directory[0] || ((size_t)n < sizeof(c->env_paths[file]) && directory[0] == '/'))
		return true;
	c->env_paths[file][0] = '\0';
	return err_set(err, ERR_POLICY, EINVAL,
		       "the path of the process's %s is relative, or too long",
		       file == ENV_FILE_USER_CONF ? "nccl.conf" : "ucx.conf");
}

/*
 * Sets the paths as initEnv() of NCCL's src/misc/param.cc, and ucs_config_parse_config_files() of
 * UCX's src/ucs/config/parser.c choose the files. NCCL asks the user database for the home
 * directory, which a container may lack: HOME stands for it here.
 */
static bool set_paths(struct cli *c, const char *text, size_t size, struct err *err)
{
	const char *named = value_of(text, size, "NCCL_CONF_FILE");
	const char *home = value_of(text, size, "HOME");

	c->user_conf_is_named = named[0];
	return set_path(c, ENV_FILE_USER_CONF, named[0] ? named : home,
			named[0] ? "" : "/.nccl.conf", err) &&
	       set_path(c, ENV_FILE_UCX_DIR, value_of(text, size, "UCX_CONFIG_DIR"), "/ucx.conf",
			err) &&
	       set_path(c, ENV_FILE_UCX_HOME, home, "/ucx.conf", err);
}

static bool find_paths(struct cli *c, struct err *err)
{
	_free_ char *text = NULL;
	size_t size;

	if (!env_file_read(c, ENV_FILE_PROCESS, &text, &size, err) ||
	    !set_paths(c, text, size, err))
		return false;
	return lseek(c->env_fds[ENV_FILE_PROCESS], 0, SEEK_SET) == 0 ||
	       err_set(err, ERR_POLICY, errno, "%s", strerror(errno));
}

/* True if the library does without this file, and says nothing. */
static bool may_lack(const struct cli *c, enum env_file file, const struct err *why)
{
	return !files[file].required && (why->code == ENOENT || why->code == ENOTDIR) &&
	       !(file == ENV_FILE_USER_CONF && c->user_conf_is_named);
}

static bool open_wanted(struct cli *c, enum env_file file, struct err *err)
{
	char path[PATH_TEXT_MAX];

	if (file == ENV_FILE_USER_CONF && c->env_fds[ENV_FILE_PROCESS] >= 0 && !find_paths(c, err))
		return false;
	if (!is_wanted(c, file) || open_readable(c, file, &c->env_fds[file], err) ||
	    may_lack(c, file, err))
		return true;
	if (file == ENV_FILE_USER_CONF && c->user_conf_is_named)
		err_add_fix(err, "correct NCCL_CONF_FILE: NCCL silently ignores a missing file");
	if (file == ENV_FILE_PROCESS && err->kind == ERR_DENIED)
		err_add_fix(err, "run it with sudo, or as the user of the process");
	return err_in(err, "%s", env_file_path(c, file, path));
}

/* A kernel thread and a zombie have neither arguments nor an environment. */
static bool has_environment(const char *pid, struct err *err)
{
	char path[64], byte;
	_close_ int fd = -1;

	snprintf(path, sizeof(path), "/proc/%.20s/cmdline", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 || read(fd, &byte, 1) != 0 ||
	       err_set(err, ERR_NO_FILE, 0,
		       "--pid: process %s is a kernel thread, or has ended: it has no environment",
		       pid);
}

static bool check_options(const struct cli *c, struct err *err)
{
	size_t stdins = is_stdin(c->opt.policy);

	for (enum env_file file = 0; file < ENV_FILES; file++) {
		const char *text = option_of(c, file), *name = files[file].piped;

		if (name && text && !text[0])
			return err_set(err, ERR_USAGE, EINVAL, "%s: the name of the file is empty",
				       name);
		stdins += name && is_stdin(text);
	}
	if (stdins > 1)
		return err_set(err, ERR_USAGE, EINVAL, "only one file can be standard input (-)");
	if (c->opt.pid && !is_number(c->opt.pid))
		return err_set(err, ERR_USAGE, EINVAL, "--pid: \"%s\" is not a process id",
			       c->opt.pid);
	return !c->opt.pid || has_environment(c->opt.pid, err);
}

bool env_files_open(struct cli *c, struct err *err)
{
	if (!check_options(c, err))
		return false;
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
