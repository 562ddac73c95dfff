#include "trusted_open.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/file_place.h"
#include "../../policy/util/fix_text.h"
#include "../../policy/util/oom.h"

#define LINKS_MAX    40	 /* as in the kernel */
#define FIX_WORD_MAX 101 /* a longer path is cut there */

/* A walk from "/" to the file, one name at a time. */
struct walk {
	int directory;		       /* the current directory */
	char directory_path[PATH_MAX]; /* its path; "" is "/" */
	char remaining[PATH_MAX];      /* the rest of the path */
	char named[PATH_MAX];	       /* the full path requested; the caller's message names it */
	unsigned links;
	enum mount_trust trust;
};

enum err_kind file_err_kind(int code)
{
	switch (code) {
	case EACCES:
		return ERR_DENIED;
	case ENOENT:
		return ERR_NO_FILE;
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case EIO:
		return ERR_SYSTEM;
	default:
		return ERR_POLICY;
	}
}

static bool failed(struct err *err, const char *part)
{
	return err_set(err, file_err_kind(errno), errno, "%s: %s", part, strerror(errno));
}

static bool failed_at(const struct walk *w, const char *part, struct err *err)
{
	if (strcmp(part, w->named) != 0)
		return failed(err, part);
	return err_set(err, file_err_kind(errno), errno, "%s", strerror(errno));
}

static bool too_long(struct err *err)
{
	errno = ENAMETOOLONG;
	return failed(err, "its path");
}

/*
 * The program that serves a FUSE file system may be any user's: it names owners and modes as it
 * likes. A container's root may be one, whose program can do more than change a policy.
 */
static bool is_served_by_program(const struct statfs *fs, const struct stat *s)
{
	struct stat root;

	return (unsigned)fs->f_type == FUSE_SUPER_MAGIC &&
	       (stat("/", &root) < 0 || root.st_dev != s->st_dev);
}

static const char *kind_of(const struct stat *s)
{
	return S_ISLNK(s->st_mode) ? "link" : S_ISDIR(s->st_mode) ? "directory" : "file";
}

/*
 * The owner and the mode of these are root's to change. Elsewhere, as in /home/NAME or in a group's
 * directory, a change would take from others what is theirs.
 */
static bool is_of_system(const char *part)
{
	return strcmp(part, "/") == 0 || strcmp(part, "/etc") == 0 || strcmp(part, "/usr") == 0 ||
	       strncmp(part, "/etc/", strlen("/etc/")) == 0 ||
	       (strncmp(part, "/usr/", strlen("/usr/")) == 0 &&
		strncmp(part, "/usr/local", strlen("/usr/local")) != 0);
}

static bool has_owner(const char *part, const struct stat *s, struct err *err)
{
	char buf[FIX_WORD_MAX];
	const char *word = shell_word(part, buf, sizeof(buf));

	if (s->st_uid == 0 || s->st_uid == geteuid())
		return true;
	err_record(err, ERR_REFUSED, EPERM,
		   "users other than root can change it: the %s %s belongs to user %u", kind_of(s),
		   part, (unsigned)s->st_uid);
	if (word && is_of_system(part))
		err_add_fix(err, "run `chown %sroot %s`", S_ISLNK(s->st_mode) ? "-h " : "", word);
	return false;
}

static bool has_mode(const char *part, const struct stat *s, bool fixed, struct err *err)
{
	char buf[FIX_WORD_MAX];
	const char *word = shell_word(part, buf, sizeof(buf));

	if (!(s->st_mode & (S_IWGRP | S_IWOTH)))
		return true;
	err_record(err, ERR_REFUSED, EPERM,
		   "users other than root can change it: the %s %s has mode %04o", kind_of(s), part,
		   s->st_mode & 07777);
	if (word && (is_of_system(part) || S_ISREG(s->st_mode)))
		err_add_fix(err, "run `chmod go-w %s`%s", word,
			    fixed ? "; for a Kubernetes ConfigMap, pass --trust-read-only-mount"
				  : "");
	return false;
}

static bool check_part(const struct walk *w, int fd, const char *part, struct stat *ret,
		       struct err *err)
{
	struct statfs fs;
	bool fixed;

	if (fstat(fd, ret) < 0 || fstatfs(fd, &fs) < 0)
		return failed(err, part);
	if (is_served_by_program(&fs, ret))
		return err_set(err, ERR_REFUSED, EPERM,
			       "%s is on a file system that a program serves (FUSE): its owner and "
			       "mode prove nothing",
			       part);
	fixed = fs.f_flags & ST_RDONLY;
	if (fixed && w->trust == TRUST_READ_ONLY_MOUNTS)
		return S_ISLNK(ret->st_mode) || has_owner(part, ret, err);
	return has_owner(part, ret, err) &&
	       (S_ISLNK(ret->st_mode) || has_mode(part, ret, fixed, err));
}

/* Removes the next name from the rest of the path; "" at its end. */
static void next_name(struct walk *w, char name[NAME_MAX + 1])
{
	size_t skip = strspn(w->remaining, "/");
	size_t n = strcspn(w->remaining + skip, "/");

	snprintf(name, NAME_MAX + 1, "%.*s", (int)n, w->remaining + skip);
	skip += n;
	skip += strspn(w->remaining + skip, "/");
	memmove(w->remaining, w->remaining + skip, strlen(w->remaining + skip) + 1);
}

static void enter(struct walk *w, int fd, const char *part)
{
	if (w->directory >= 0)
		close(w->directory);
	w->directory = fd;
	snprintf(w->directory_path, sizeof(w->directory_path), "%s",
		 strcmp(part, "/") == 0 ? "" : part);
}

static bool start_at_root(struct walk *w, struct err *err)
{
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat s;

	if (fd < 0)
		return failed(err, "/");
	enter(w, fd, "/");
	return check_part(w, fd, "/", &s, err);
}

/* A link of /proc/PID/fd names what has no path so: "pipe:[4711]". */
static bool has_no_path(const char *target)
{
	return !strchr(target, '/') && strstr(target, ":[");
}

/*
 * In /proc a link may lead elsewhere than its text: /proc/PID/root of a container is "/", the same
 * directory with other mounts, and /proc/PID/fd has files that are deleted.
 */
static bool leads_to(const struct walk *w, int link, const char *part, const char *target)
{
	_close_ int to = openat(w->directory, strrchr(part, '/') + 1, O_PATH | O_CLOEXEC);
	_close_ int named = openat(w->directory, target, O_PATH | O_CLOEXEC);
	struct statx a, b;

	if (!is_in_proc(link) || statx(to, "", AT_EMPTY_PATH, STATX_INO | STATX_MNT_ID, &a) < 0 ||
	    statx(named, "", AT_EMPTY_PATH, STATX_INO | STATX_MNT_ID, &b) < 0)
		return true;
	return a.stx_dev_major == b.stx_dev_major && a.stx_dev_minor == b.stx_dev_minor &&
	       a.stx_ino == b.stx_ino && a.stx_mnt_id == b.stx_mnt_id;
}

/* Inserts the link's target before the rest of the path. */
static bool follow(struct walk *w, int link, const char *part, struct err *err)
{
	char target[PATH_MAX], rest[PATH_MAX];
	ssize_t n = readlinkat(link, "", target, sizeof(target) - 1);

	if (n >= 0 && ++w->links > LINKS_MAX) {
		errno = ELOOP;
		n = -1;
	}
	if (n < 0)
		return failed(err, part);
	target[n] = '\0';
	if (has_no_path(target))
		return err_set(err, ERR_POLICY, EINVAL, "%s is not a regular file", w->named);
	if (!leads_to(w, link, part, target))
		return err_set(err, ERR_REFUSED, EXDEV,
			       "the link %s leads to another file than %.100s, which it names",
			       part, target);
	memcpy(rest, w->remaining, sizeof(rest));
	if (snprintf(w->remaining, sizeof(w->remaining), "%s/%s", target, rest) >=
	    (int)sizeof(w->remaining))
		return too_long(err);
	return target[0] != '/' || start_at_root(w, err);
}

/* Opens the very file that was checked. */
static bool open_file(const struct walk *w, int checked, const char *part, int *ret,
		      struct err *err)
{
	*ret = open_checked(checked, 0);
	if (*ret < 0 && errno == EINVAL)
		return err_set(err, ERR_POLICY, EINVAL, "%s is not a regular file", part);
	return *ret >= 0 || failed_at(w, part, err);
}

/* Walks one name further; *ret is the file at the end of the path. */
static bool step(struct walk *w, const char *name, int *ret, struct err *err)
{
	char part[PATH_MAX];
	_close_ int fd = openat(w->directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat s;

	if (snprintf(part, sizeof(part), "%s/%s", w->directory_path, name) >= (int)sizeof(part))
		return too_long(err);
	if (fd < 0)
		return failed_at(w, part, err);
	if (!check_part(w, fd, part, &s, err))
		return false;
	if (S_ISLNK(s.st_mode))
		return follow(w, fd, part, err);
	if (!S_ISDIR(s.st_mode) && !w->remaining[0])
		return open_file(w, fd, part, ret, err);
	if (!w->remaining[0])
		errno = EISDIR;
	else if (!S_ISDIR(s.st_mode))
		errno = ENOTDIR;
	if (!w->remaining[0] || !S_ISDIR(s.st_mode))
		return failed_at(w, part, err);
	enter(w, fd, part);
	fd = -1;
	return true;
}

static bool start_walk(struct walk *w, const char *path, struct err *err)
{
	char cwd[PATH_MAX] = "";

	if (path[0] != '/' && !getcwd(cwd, sizeof(cwd)))
		return failed(err, "the working directory");
	if (snprintf(w->remaining, sizeof(w->remaining), "%s%s%s", cwd, cwd[0] ? "/" : "", path) >=
	    (int)sizeof(w->remaining))
		return too_long(err);
	memcpy(w->named, w->remaining, sizeof(w->named));
	return start_at_root(w, err);
}

bool trusted_open(const char *path, enum mount_trust trust, int *ret, struct err *err)
{
	struct walk w = { .directory = -1, .trust = trust };
	char name[NAME_MAX + 1];
	bool ok;

	*ret = -1;
	ok = start_walk(&w, path, err);
	while (ok && *ret < 0) {
		next_name(&w, name);
		ok = name[0] ? step(&w, name, ret, err)
			     : err_set(err, ERR_POLICY, EISDIR, "%s", strerror(EISDIR));
	}
	if (w.directory >= 0)
		close(w.directory);
	return ok;
}

bool any_open(const char *path, int *ret, struct err *err)
{
	*ret = open_checked_at(AT_FDCWD, path, OPEN_PIPES);
	if (*ret >= 0)
		fcntl(*ret, F_SETFL, fcntl(*ret, F_GETFL) & ~O_NONBLOCK);
	return *ret >= 0 ||
	       err_set(err, file_err_kind(errno), errno, "%s",
		       errno == EINVAL ? "not a regular file or a pipe" : strerror(errno));
}

/* ---- files and pipes, bounded in bytes and in time ---- */

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
