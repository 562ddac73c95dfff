/*
 * The host's files on a failing disk: files.c is built in here, with calls that a test makes
 * fail. Each test program includes it once.
 */
#ifndef LOSSLESSCTL_TESTS_UNIT_AGENT_HOST_FAILING_FILES_H
#define LOSSLESSCTL_TESTS_UNIT_AGENT_HOST_FAILING_FILES_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/host/cleanup.h"
#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

enum call {
	NOTHING,
	OPEN,
	READ,
	WRITE,
	SHORT_WRITE,
	SYNC,
	MODE,
	LOOK,
	ALLOCATE,
	EXCHANGE,
	RENAME,
	REMOVE,
	MAKE,
	MODE_AT,
	OPEN_DIR,
	NEXT_ENTRY
};

static struct {
	enum call call;
	int nth; /* from 1 */
	int code;
	bool is_full; /* the first write finds no room, besides the failing call */
} outside;

static bool fails(enum call c)
{
	if (c != outside.call || --outside.nth != 0)
		return false;
	errno = outside.code;
	return true;
}

/* Functions keep the branches of the source as they are in the program. */
static int try_openat(int at, const char *path, int how, ...)
{
	va_list more;
	mode_t mode = 0;

	va_start(more, how);
	if (how & O_CREAT)
		mode = va_arg(more, mode_t);
	va_end(more);
	return fails(OPEN) ? -1 : openat(at, path, how, mode);
}

static ssize_t try_read(int fd, void *bytes, size_t size)
{
	return fails(READ) ? -1 : read(fd, bytes, size);
}

static ssize_t try_write(int fd, const void *bytes, size_t size)
{
	bool is_full = outside.is_full;

	outside.is_full = false;
	if (is_full)
		errno = ENOSPC;
	if (is_full || fails(WRITE))
		return -1;
	/* A short write is that of a disk that fills up. */
	return write(fd, bytes, fails(SHORT_WRITE) ? size / 2 : size);
}

static int try_fsync(int fd)
{
	return fails(SYNC) ? -1 : fsync(fd);
}

static int try_fchmod(int fd, mode_t mode)
{
	return fails(MODE) ? -1 : fchmod(fd, mode);
}

static int try_fstat(int fd, struct stat *ret)
{
	return fails(LOOK) ? -1 : fstat(fd, ret);
}

static int try_allocate(int fd, off_t from, off_t size)
{
	return fails(ALLOCATE) ? outside.code : posix_fallocate(fd, from, size);
}

static int try_exchange(int a, const char *from, int b, const char *to, unsigned how)
{
	return fails(EXCHANGE) ? -1 : renameat2(a, from, b, to, how);
}

static int try_renameat(int a, const char *from, int b, const char *to)
{
	return fails(RENAME) ? -1 : renameat(a, from, b, to);
}

static int try_unlinkat(int at, const char *path, int how)
{
	return fails(REMOVE) ? -1 : unlinkat(at, path, how);
}

static int try_mkdirat(int at, const char *path, mode_t mode)
{
	return fails(MAKE) ? -1 : mkdirat(at, path, mode);
}

static int try_fchmodat(int at, const char *path, mode_t mode, int how)
{
	return fails(MODE_AT) ? -1 : fchmodat(at, path, mode, how);
}

static DIR *try_fdopendir(int fd)
{
	return fails(OPEN_DIR) ? NULL : fdopendir(fd);
}

static struct dirent *try_readdir(DIR *dir)
{
	return fails(NEXT_ENTRY) ? NULL : readdir(dir);
}

#define openat		try_openat
#define read		try_read
#define write		try_write
#define fsync		try_fsync
#define fchmod		try_fchmod
#define fstat		try_fstat
#define posix_fallocate try_allocate
#define renameat2	try_exchange
#define renameat	try_renameat
#define unlinkat	try_unlinkat
#define mkdirat		try_mkdirat
#define fchmodat	try_fchmodat
#define fdopendir	try_fdopendir
#define readdir		try_readdir
#include "agent/host/files.c"
#undef openat
#undef read
#undef write
#undef fstat
#undef unlinkat
#undef mkdirat

#define RESERVED 300

#define OLD "what was\n"
#define NEW "what is to be, which is longer\n"

static char root[] = "/tmp/losslessctl-disk-XXXXXX";

static void put_old(int at)
{
	int fd = openat(at, "d/file", O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, OLD, strlen(OLD)), strlen(OLD));
	close(fd);
}

static void left_is(int at, const char *text)
{
	char buf[64] = "";
	int fd = openat(at, "d/file", O_RDONLY);

	assert_true(fd >= 0 && read(fd, buf, sizeof(buf) - 1) >= 0);
	assert_string_equal(buf, text);
	close(fd);
}

static int make_root(void **s)
{
	int at;

	(void)s;
	if (!mkdtemp(root))
		return -1;
	at = open(root, O_PATH | O_DIRECTORY);
	return mkdirat(at, "d", 0755) || mkdirat(at, "e", 0755) || close(at);
}

static int remove_root(void **s)
{
	int at = open(root, O_PATH | O_DIRECTORY);

	(void)s;
	unlinkat(at, "d/file", 0);
	unlinkat(at, "d", AT_REMOVEDIR);
	unlinkat(at, "e", AT_REMOVEDIR);
	close(at);
	return rmdir(root);
}

#endif
