/* File access below the host's root directory. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "file_place.h"
#include "host_linux.h"

/* Makes a path relative to the root directory: "/sys/x" becomes "sys/x". */
static const char *relative(const char *path)
{
	while (*path == '/')
		path++;
	return *path ? path : ".";
}

static bool file_failed(const char *doing, const char *path, struct err *err)
{
	enum err_kind kind =
		errno == ENOENT || errno == ENOTDIR ? ERR_UNSUPPORTED : host_err_kind(errno);

	return err_set(err, kind, errno, "%s %s: %s", doing, path, strerror(errno));
}

#define PROC_SHORT 1024

static bool is_below(const char *path, const char *dir)
{
	return strncmp(path, dir, strlen(dir)) == 0;
}

/*
 * A read that leaves room ends a file below /sys (kernfs, debugfs and configfs). One below /proc
 * comes in whole records, as many as fit into a page (fs/seq_file.c): what is much shorter is all,
 * since no record has three quarters of a page.
 */
static bool is_all(const char *path, size_t n)
{
	return is_below(path, "/sys/") || (is_below(path, "/proc/") && n < PROC_SHORT);
}

static bool read_all(int fd, const char *path, char *buf, size_t size, ssize_t *ret)
{
	size_t used = 0;
	ssize_t n;

	while (used + 1 < size && (n = read(fd, buf + used, size - used - 1)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		used += (size_t)n;
		if (is_all(path, used))
			break;
	}
	*ret = (ssize_t)used;
	return true;
}

/*
 * Opens the kernel's own files at once: there are thousands of reads, and no path below /sys and
 * /proc comes from others. Others choose paths of lldpad (-f), of links, and those in a tree.
 */
static int open_to_read(const struct host *h, const char *path)
{
	bool of_kernel = is_below(path, "/sys/") || is_below(path, "/proc/");
	_close_ int place = -1;

	if (!h->root_is_tree && of_kernel)
		return openat(h->root, relative(path), O_RDONLY | O_CLOEXEC);
	place = openat(h->root, relative(path), O_PATH | O_CLOEXEC);
	return place < 0 ? -1 : open_checked(place, of_kernel ? OPEN_KERNEL_FILES : 0);
}

bool host_linux_read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	_close_ int fd = open_to_read(h, path);
	ssize_t n;

	if (fd < 0 || !read_all(fd, path, buf, size, &n))
		return file_failed("read", path, err);
	if ((size_t)n + 1 >= size)
		return err_set(err, ERR_SYSTEM, EFBIG, "read %s: longer than %zu bytes", path,
			       size - 2);
	if (n > 0 && buf[n - 1] == '\n')
		n--;
	buf[n] = '\0';
	return true;
}

bool host_linux_write_file(struct host *h, const char *path, const char *value, struct err *err)
{
	_close_ int fd = openat(h->root, relative(path), O_WRONLY | O_CLOEXEC);
	ssize_t size = (ssize_t)strlen(value), n;

	/* A single write(): files of sysfs and configfs accept a value whole or not at all. */
	n = fd < 0 ? -1 : write(fd, value, (size_t)size);
	if (n >= 0 && n != size)
		errno = EIO;
	return n == size || file_failed("write", path, err);
}

bool host_linux_list_dir(struct host *h, const char *path,
			 void (*each)(const char *name, void *arg), void *arg, struct err *err)
{
	_close_ int fd = openat(h->root, relative(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	int code;

	if (!dir)
		return file_failed("list", path, err);
	fd = -1; /* closedir() closes it */
	while ((errno = 0, entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			each(entry->d_name, arg);
	code = errno;
	closedir(dir);
	errno = code;
	return code == 0 || file_failed("list", path, err);
}

static bool sync_dir_of(struct host *h, const char *path, struct err *err)
{
	char dir[PATH_TEXT_MAX];
	char *slash;
	_close_ int fd = -1;

	snprintf(dir, sizeof(dir), "%s", relative(path));
	slash = strrchr(dir, '/');
	if (slash)
		*slash = '\0';
	fd = openat(h->root, slash ? dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fsync(fd) < 0)
		return file_failed("sync the directory of", path, err);
	return true;
}

static bool write_all(int fd, const char *text)
{
	size_t left = strlen(text);

	while (left > 0) {
		ssize_t n = write(fd, text, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		text += n;
		left -= (size_t)n;
	}
	return true;
}

/* How a file is replaced. */
struct replacing {
	mode_t mode;	  /* that of a new file, or of each */
	bool durable;	  /* after a power cut, too */
	bool keeps_owner; /* and the mode of the file that was there */
};

/* Sets mode and owner whatever the umask. A file that loses its owner is this user's. */
static bool set_owner(const struct file_place *place, int draft, const struct replacing *how)
{
	mode_t mode = how->mode;
	struct stat old;

	if (how->keeps_owner && fstatat(place->dir, place->name, &old, AT_SYMLINK_NOFOLLOW) == 0) {
		mode = old.st_mode & 0755;
		(void)!fchown(draft, old.st_uid, old.st_gid);
	}
	return fchmod(draft, mode) == 0;
}

/*
 * Writes a new file beside the old one and renames it. A leftover of an earlier run, or a link in
 * its place, goes.
 */
static bool replace_file(struct host *h, const char *path, const char *text,
			 const struct replacing *how, struct err *err)
{
	_place_ struct file_place place = { .dir = -1 };
	char draft[DRAFT_NAME_MAX];
	_close_ int fd = -1;

	errno = file_place_find(h->root, relative(path), &place);
	if (!errno && S_ISDIR(place.kind))
		errno = EISDIR;
	if (errno)
		return file_failed("write", path, err);
	if (!file_place_is_regular(&place))
		return err_set(err, ERR_SYSTEM, EINVAL, "write %s: it is not a regular file", path);
	draft_of(place.name, draft, sizeof(draft));
	unlinkat(place.dir, draft, 0);
	fd = openat(place.dir, draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return file_failed("create a draft of", path, err);
	if (!set_owner(&place, fd, how) || !write_all(fd, text) ||
	    (how->durable && fsync(fd) < 0) ||
	    renameat(place.dir, draft, place.dir, place.name) < 0) {
		file_failed("write", path, err);
		unlinkat(place.dir, draft, 0);
		return false;
	}
	return true;
}

/* The file that reserves room for the others in its directory. */
static void reserve_beside(const char *path, char ret[PATH_TEXT_MAX])
{
	int dir = (int)(strrchr(path, '/') - path);

	snprintf(ret, PATH_TEXT_MAX, "%.*s/reserve", dir, path);
}

/*
 * Overwrites an existing file without needing new blocks; blanks, which JSON ignores, fill the
 * rest.
 */
static bool overwrite_file(struct host *h, const char *path, const char *text)
{
	_close_ int fd = openat(h->root, relative(path), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	char blanks[512];
	struct stat s;
	off_t left;

	if (fd < 0 || fstat(fd, &s) < 0 || !write_all(fd, text))
		return false;
	memset(blanks, ' ', sizeof(blanks) - 1);
	blanks[sizeof(blanks) - 1] = '\0';
	for (left = s.st_size - (off_t)strlen(text); left > 0; left -= (off_t)sizeof(blanks) - 1)
		if (!write_all(fd, left < (off_t)sizeof(blanks) ? blanks + sizeof(blanks) - 1 - left
								: blanks))
			return false;
	return fsync(fd) == 0;
}

static bool exchange_files(struct host *h, const char *a, const char *b)
{
	return renameat2(h->root, relative(a), h->root, relative(b), RENAME_EXCHANGE) == 0;
}

/*
 * Replaces the file by the reserve. If there was a file, its room becomes the reserve; both are
 * exchanged again if the smaller one holds the text as well, so that the larger one stays in
 * reserve.
 */
static bool use_reserve(struct host *h, const char *path, const char *text)
{
	char reserve[PATH_TEXT_MAX];

	reserve_beside(path, reserve);
	if (!overwrite_file(h, reserve, text))
		return false;
	if (!exchange_files(h, reserve, path))
		return renameat(h->root, relative(reserve), h->root, relative(path)) == 0;
	if (overwrite_file(h, reserve, text))
		(void)exchange_files(h, reserve, path);
	return true;
}

static bool save_file(struct host *h, const char *path, const char *text,
		      const struct replacing *how, struct err *err)
{
	struct err why = { 0 };

	if (!replace_file(h, path, text, how, &why) &&
	    ((why.code != ENOSPC && why.code != EDQUOT) || !use_reserve(h, path, text))) {
		*err = why;
		return false;
	}
	return sync_dir_of(h, path, err);
}

bool host_linux_save_file(struct host *h, const char *path, const char *text, struct err *err)
{
	return save_file(h, path, text, &(struct replacing){ 0600, true, false }, err);
}

bool host_linux_rewrite_file(struct host *h, const char *path, const char *text, struct err *err)
{
	return save_file(h, path, text, &(struct replacing){ 0600, true, true }, err);
}

bool host_linux_reserve_room(struct host *h, const char *dir, size_t size, struct err *err)
{
	char path[PATH_TEXT_MAX];
	_close_ int fd = -1;
	struct stat s;

	snprintf(path, sizeof(path), "%s/reserve", dir);
	fd = openat(h->root, relative(path), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0 || fstat(fd, &s) < 0)
		return file_failed("create", path, err);
	if (s.st_size >= (off_t)size)
		return true;
	errno = posix_fallocate(fd, 0, (off_t)size);
	if (errno || fsync(fd) < 0)
		return file_failed("reserve space in", path, err);
	return sync_dir_of(h, path, err);
}

bool host_linux_release_file(struct host *h, const char *path, struct err *err)
{
	char reserve[PATH_TEXT_MAX];
	struct stat file, kept;

	reserve_beside(path, reserve);
	if (fstatat(h->root, relative(path), &file, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(file.st_mode) &&
	    (fstatat(h->root, relative(reserve), &kept, AT_SYMLINK_NOFOLLOW) < 0 ||
	     kept.st_size < file.st_size))
		return host_linux_move_file(h, path, reserve, err);
	return host_linux_move_file(h, path, NULL, err);
}

bool host_linux_publish_file(struct host *h, const char *path, const char *text, struct err *err)
{
	return replace_file(h, path, text, &(struct replacing){ 0644, false, false }, err);
}

bool host_linux_move_file(struct host *h, const char *from, const char *to, struct err *err)
{
	int code = to ? renameat(h->root, relative(from), h->root, relative(to))
		      : unlinkat(h->root, relative(from), 0);

	if (code < 0)
		return file_failed(to ? "rename" : "remove", from, err);
	return sync_dir_of(h, from, err) && (!to || sync_dir_of(h, to, err));
}

/* Leaves the mode of an existing directory unchanged. */
bool host_linux_make_dir(struct host *h, const char *path, struct err *err)
{
	if (mkdirat(h->root, relative(path), 0755) < 0)
		return errno == EEXIST || file_failed("make", path, err);
	return fchmodat(h->root, relative(path), 0755, 0) == 0 || file_failed("make", path, err);
}
