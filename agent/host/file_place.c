#include "file_place.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "cleanup.h"

#define LINKS_MAX 40 /* as in the kernel */

struct walk {
	int root, dir;
	char rest[PATH_MAX]; /* the rest of the path */
	unsigned links;
};

void file_place_close(struct file_place *p)
{
	if (p->dir >= 0)
		close(p->dir);
	p->dir = -1;
}

static int enter(struct walk *w, int from, const char *name, int follow)
{
	int fd = openat(from, name, O_PATH | O_DIRECTORY | O_CLOEXEC | follow);

	if (fd < 0)
		return errno;
	if (w->dir >= 0)
		close(w->dir);
	w->dir = fd;
	return 0;
}

static int start(struct walk *w)
{
	if (w->root != AT_FDCWD)
		return enter(w, w->root, ".", O_NOFOLLOW);
	return enter(w, AT_FDCWD, w->rest[0] == '/' ? "/" : ".", O_NOFOLLOW);
}

/* Moves the next name from the rest of the path. */
static int next_name(struct walk *w, char name[NAME_MAX + 1])
{
	const char *at = w->rest + strspn(w->rest, "/");
	size_t n = strcspn(at, "/");

	if (n > NAME_MAX)
		return ENAMETOOLONG;
	memcpy(name, at, n);
	name[n] = '\0';
	memmove(w->rest, at + n, strlen(at + n) + 1);
	return n ? 0 : EISDIR;
}

bool is_in_proc(int fd)
{
	struct statfs s;

	return fstatfs(fd, &s) == 0 && (unsigned)s.f_type == PROC_SUPER_MAGIC;
}

/* The text of a link in /proc may not say where it leads: /proc/PID/root of a container is "/". */
static int follow(struct walk *w, int link, const char *name, const struct stat *s)
{
	char target[PATH_MAX];
	size_t rest = strlen(w->rest);
	ssize_t n = readlinkat(link, "", target, sizeof(target));

	if ((s->st_uid != 0 && s->st_uid != geteuid()) || ++w->links > LINKS_MAX)
		return ELOOP;
	if (is_in_proc(link))
		return enter(w, w->dir, name, 0);
	if (n <= 0)
		return n < 0 ? errno : ENOENT;
	if ((size_t)n + rest + 1 > sizeof(w->rest))
		return ENAMETOOLONG;
	memmove(w->rest + n, w->rest, rest + 1);
	memcpy(w->rest, target, (size_t)n);
	return w->rest[0] == '/' ? start(w) : 0;
}

/* Walks one name; *ret_end is true once `name` is the file's. */
static int step(struct walk *w, char name[NAME_MAX + 1], mode_t *ret_kind, bool *ret_end)
{
	_close_ int fd = -1;
	int code = next_name(w, name);
	bool is_last = !w->rest[0];
	struct stat s;

	if (code)
		return code;
	fd = openat(w->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno != ENOENT)
		return errno;
	if (fd >= 0 && fstat(fd, &s) < 0)
		return errno;
	*ret_kind = fd < 0 ? 0 : s.st_mode & S_IFMT;
	*ret_end = is_last && (!S_ISLNK(*ret_kind) || is_in_proc(fd));
	if (*ret_end)
		return 0;
	if (fd < 0)
		return ENOENT;
	return S_ISLNK(*ret_kind) ? follow(w, fd, name, &s) : enter(w, w->dir, name, O_NOFOLLOW);
}

int file_place_find(int root, const char *path, struct file_place *ret)
{
	struct walk w = { .root = root, .dir = -1 };
	bool end = false;
	int code;

	*ret = (struct file_place){ .dir = -1 };
	if (strlen(path) >= sizeof(w.rest))
		return ENAMETOOLONG;
	memcpy(w.rest, path, strlen(path) + 1);
	code = start(&w);
	while (!code && !end)
		code = step(&w, ret->name, &ret->kind, &end);
	ret->dir = w.dir;
	if (code)
		file_place_close(ret);
	return code;
}

void draft_of(const char *path, char *ret, size_t size)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	snprintf(ret, size, "%.*s.%s.new", (int)(name - path), path, name);
}

bool file_place_is_regular(const struct file_place *p)
{
	return !p->kind || S_ISREG(p->kind);
}

int file_place_open(const struct file_place *p)
{
	int how = O_WRONLY | O_CLOEXEC | O_NOCTTY | (S_ISLNK(p->kind) ? 0 : O_NOFOLLOW);

	return openat(p->dir, p->name, how);
}

#define OWN_DESCRIPTORS 1024

#define CONFIGFS_MAGIC 0x62656570 /* fs/configfs/mount.c */
#define MQUEUE_MAGIC   0x19800202 /* ipc/mqueue.c */
#define RPC_PIPEFS     0x67596969 /* net/sunrpc/rpc_pipe.c; a read takes a message of another's */

static bool is_made_by_kernel(int place)
{
	static const long types[] = { PROC_SUPER_MAGIC,	  SYSFS_MAGIC,	      DEBUGFS_MAGIC,
				      TRACEFS_MAGIC,	  SECURITYFS_MAGIC,   CONFIGFS_MAGIC,
				      BPF_FS_MAGIC,	  CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
				      EFIVARFS_MAGIC,	  PSTOREFS_MAGIC,     SELINUX_MAGIC,
				      BINFMTFS_MAGIC,	  MQUEUE_MAGIC,	      NSFS_MAGIC,
				      DEVPTS_SUPER_MAGIC, RPC_PIPEFS };
	struct statfs s;

	if (fstatfs(place, &s) < 0)
		return true;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if ((unsigned)s.f_type == (unsigned)types[i])
			return true;
	return false;
}

/* True if one of our own descriptors is this file. */
static bool is_ours(const struct stat *file)
{
	struct stat s;
	int fd = 0;

	while (fd < OWN_DESCRIPTORS &&
	       !(fstat(fd, &s) == 0 && s.st_dev == file->st_dev && s.st_ino == file->st_ino &&
		 !(fcntl(fd, F_GETFL) & O_PATH)))
		fd++;
	errno = 0;
	return fd < OWN_DESCRIPTORS;
}

/*
 * A named pipe, or one of a shell's <(command). A link to /proc/PID/fd leads to the pipe of another
 * process, which would miss what is read.
 */
static bool is_pipe_for_us(int place, const struct stat *s)
{
	struct statfs fs;

	if (!S_ISFIFO(s->st_mode) || is_made_by_kernel(place) || fstatfs(place, &fs) < 0)
		return false;
	return (unsigned)fs.f_type != PIPEFS_MAGIC || is_ours(s);
}

static bool may_open(int place, unsigned kinds)
{
	struct stat s;

	if (fstat(place, &s) < 0)
		return false;
	if (S_ISREG(s.st_mode))
		return (kinds & OPEN_KERNEL_FILES) || !is_made_by_kernel(place);
	if (S_ISDIR(s.st_mode))
		errno = EISDIR;
	return (kinds & OPEN_PIPES) &&
	       (is_pipe_for_us(place, &s) || (S_ISCHR(s.st_mode) && s.st_rdev == makedev(1, 3)));
}

int open_checked(int place, unsigned kinds)
{
	char link[32];

	errno = 0;
	if (!may_open(place, kinds)) {
		errno = errno ? errno : EINVAL;
		return -1;
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", place);
	return open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int open_checked_at(int dir, const char *path, unsigned kinds)
{
	_close_ int place = openat(dir, path, O_PATH | O_CLOEXEC);

	return place < 0 ? -1 : open_checked(place, kinds);
}
