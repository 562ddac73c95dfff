/* Tests of files whose kind is checked first: what may not be opened is not opened for a moment. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/host/file_place.h"
#include "tests/support/unit.h"

static char dir[] = "/tmp/losslessctl-kinds-XXXXXX";

static int fill(void **state)
{
	(void)state;
	if (!mkdtemp(dir) || chdir(dir) < 0)
		return -1;
	close(open("file", O_WRONLY | O_CREAT, 0600));
	return mkfifo("fifo", 0600) || symlink("fifo", "link") || symlink("file", "link-to-file");
}

static int clear(void **state)
{
	(void)state;
	return unlink("file") || unlink("fifo") || unlink("link") || unlink("link-to-file") ||
	       rmdir(dir);
}

#define ALL (OPEN_PIPES | OPEN_KERNEL_FILES)

static const struct row {
	const char *sentence;
	const char *path;
	unsigned kinds;
	int code; /* 0: it opens */
} rows[] = {
	{ "a regular file opens", "file", 0, 0 },
	{ "a link to one opens", "link-to-file", 0, 0 },
	{ "a missing file is missing", "none", ALL, ENOENT },
	{ "a directory is none", "/", ALL, EISDIR },
	{ "a FIFO is not opened", "fifo", OPEN_KERNEL_FILES, EINVAL },
	{ "a link to a FIFO is not followed to it", "link", 0, EINVAL },
	{ "a FIFO opens where pipes may be, without a writer", "fifo", OPEN_PIPES, 0 },
	{ "a device is not opened", "/dev/zero", ALL, EINVAL },
	{ "the null device is an empty file where pipes may be", "/dev/null", OPEN_PIPES, 0 },
	{ "the null device is no regular file", "/dev/null", OPEN_KERNEL_FILES, EINVAL },
	{ "a file of procfs is not opened", "/proc/self/status", OPEN_PIPES, EINVAL },
	{ "a file of procfs opens where the kernel's may be", "/proc/self/status",
	  OPEN_KERNEL_FILES, 0 },
};

static void opens_as_the_row_says(void **state)
{
	const struct row *r = *state;
	int fd = open_checked_at(AT_FDCWD, r->path, r->kinds);

	if (r->code) {
		assert_int_equal(errno, r->code);
		assert_int_equal(fd, -1);
		return;
	}
	assert_true(fd >= 0);
	close(fd);
}

static bool was_opened(int watcher)
{
	struct inotify_event event;

	return read(watcher, &event, sizeof(event)) > 0;
}

static void what_is_refused_was_not_opened_for_a_moment(void **state)
{
	int watcher = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	(void)state;
	assert_true(inotify_add_watch(watcher, "fifo", IN_OPEN) >= 0);
	assert_int_equal(open_checked_at(AT_FDCWD, "link", OPEN_KERNEL_FILES), -1);
	assert_false(was_opened(watcher));
	close(open_checked_at(AT_FDCWD, "link", OPEN_PIPES));
	assert_true(was_opened(watcher)); /* the watcher works */
	close(watcher);
}

/* A link of another user may lead there: root would take what is not its own. */
static void the_pipe_of_another_process_is_not_opened(void **state)
{
	char ours[64], theirs[64];
	int ends[2], fd;
	pid_t child;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		alarm(10);
		pause();
		_exit(0);
	}
	snprintf(ours, sizeof(ours), "/proc/self/fd/%d", ends[0]);
	snprintf(theirs, sizeof(theirs), "/proc/%d/fd/%d", (int)child, ends[0]);
	fd = open_checked_at(AT_FDCWD, ours, OPEN_PIPES);
	assert_true(fd >= 0);
	close(fd);
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(open_checked_at(AT_FDCWD, theirs, OPEN_PIPES), -1);
	assert_int_equal(errno, EINVAL);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, opens_as_the_row_says);
	SUITE_ADD(&s, the_pipe_of_another_process_is_not_opened);
	SUITE_ADD(&s, what_is_refused_was_not_opened_for_a_moment);
	return _cmocka_run_group_tests("open_checked", s.tests, s.count, fill, clear);
}
