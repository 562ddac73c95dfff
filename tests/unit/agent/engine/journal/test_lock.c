/* Tests of the locks of a run, a watchdog and an agent: each has one holder. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "agent/engine/journal/lock.h"
#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

#define DEVICE(s) major((s)->st_dev), minor((s)->st_dev), (unsigned long)(s)->st_ino

static char root[] = "/tmp/losslessctl-lock-XXXXXX";
static struct host_linux outside;
static struct host *const h = &outside.host;

static uint64_t now;
static int stop_signal;
static int reader = -1; /* it lets go of the lock once somebody waits */

static uint64_t now_ms(struct host *host)
{
	(void)host;
	return now;
}

static void sleep_ms(struct host *host, unsigned ms)
{
	(void)host;
	now += ms;
	if (reader >= 0)
		close(reader);
	reader = -1;
}

static int interrupted(struct host *host)
{
	(void)host;
	return stop_signal;
}

static int make_root(void **s)
{
	struct err err = { 0 };

	(void)s;
	if (!mkdtemp(root) || !host_linux_open(&outside, root, true, &err))
		return -1;
	h->now_ms = now_ms;
	h->sleep_ms = sleep_ms;
	h->interrupted = interrupted;
	return mkdirat(h->root, "run", 0755);
}

static int remove_root(void **s)
{
	static const char *const names[] = { "lock", "confirm.lock", "agent.lock" };
	char path[64];

	(void)s;
	for (size_t i = 0; i < COUNT(names); i++) {
		snprintf(path, sizeof(path), "run/losslessctl/%s", names[i]);
		unlinkat(h->root, path, 0);
	}
	unlinkat(h->root, "run/losslessctl", AT_REMOVEDIR);
	unlinkat(h->root, "run", AT_REMOVEDIR);
	host_linux_close(&outside);
	return rmdir(root);
}

static bool writer_waits(struct host *host, int *ret, struct err *err)
{
	return lock_acquire(host, 3, ret, err);
}

static bool writer(struct host *host, int *ret, struct err *err)
{
	return lock_acquire(host, 0, ret, err);
}

static bool watchdog(struct host *host, int *ret, struct err *err)
{
	return lock_watch(host, 2, ret, err);
}

static const struct row {
	const char *sentence;
	bool (*take)(struct host *h, int *ret, struct err *err);
	unsigned waits_ms;
	const char *error, *fix;
} rows[] = {
	{ "a writer hardly waits for another", writer, 100, "another losslessctl is writing",
	  "--lock-timeout" },
	{ "a writer waits for another as long as it may", writer_waits, 3000, "still after 3 s",
	  "a longer --lock-timeout" },
	{ "a watchdog waits for another", watchdog, 2000, "has not ended", "" },
	{ "an agent does not start beside another", lock_agent, 100, "another agent",
	  "systemctl stop" },
};

static void one_holder_each(void **s)
{
	const struct row *r = *s;
	struct err err = { 0 };
	int first = -1, second = -1;

	assert_true(r->take(h, &first, &err));
	now = 0;
	assert_false(r->take(h, &second, &err));
	assert_int_equal(second, -1);
	assert_int_equal(now, r->waits_ms);
	assert_int_equal(err.kind, ERR_LOCKED);
	assert_non_null(strstr(err.text, r->error));
	assert_non_null(strstr(err.fix, r->fix));
	close(first);
	err = (struct err){ 0 };
	assert_true(r->take(h, &second, &err));
	close(second);
}

/* Lists the locks of a kernel: one of another file, one that waits, and that of the writer. */
static void list_locks(int dir, const struct stat *lock)
{
	int fd = openat(dir, "proc/locks", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	dprintf(fd,
		"1: POSIX  ADVISORY  WRITE 1 %02x:%02x:%lu 0 EOF\n"
		"2: FLOCK  ADVISORY  WRITE 2 %02x:%02x:%lu1 0 EOF\n"
		"3: FLOCK  ADVISORY  WRITE 4711 %02x:%02x:%lu 0 EOF\n"
		"3: -> FLOCK  ADVISORY  WRITE 3 %02x:%02x:%lu 0 EOF\n",
		DEVICE(lock), DEVICE(lock), DEVICE(lock), DEVICE(lock));
	close(fd);
}

static void the_holder_is_named(void **s)
{
	struct err err = { 0 };
	int first = -1, second = -1;
	struct stat lock;

	(void)s;
	assert_true(writer(h, &first, &err));
	assert_int_equal(fstat(first, &lock), 0);
	assert_int_equal(mkdirat(h->root, "proc", 0755), 0);
	list_locks(h->root, &lock);
	assert_false(writer(h, &second, &err));
	assert_string_equal(err.text, "another losslessctl (pid 4711) is writing on this host");
	unlinkat(h->root, "proc/locks", 0);
	unlinkat(h->root, "proc", AT_REMOVEDIR);
	close(first);
}

static void a_request_to_stop_ends_the_wait(void **s)
{
	struct err err = { 0 };
	int first = -1, second = -1;

	(void)s;
	assert_true(writer(h, &first, &err));
	stop_signal = SIGTERM;
	assert_false(writer_waits(h, &second, &err));
	stop_signal = 0;
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	assert_string_equal(err.fix, "");
	close(first);
}

/* A reader asks by a shared lock whether a run holds it. */
static void a_reader_stops_no_writer(void **s)
{
	struct err err = { 0 };
	int fd = -1;

	(void)s;
	assert_true(writer(h, &fd, &err));
	close(fd);
	reader = openat(h->root, "run/losslessctl/lock", O_RDONLY | O_CLOEXEC);
	assert_int_equal(flock(reader, LOCK_SH | LOCK_NB), 0);
	assert_true(writer(h, &fd, &err));
	close(fd);
}

static void a_rollback_locks_a_file_as_it_is(void **s)
{
	struct err err = { 0 };
	int first = -1, second = -1;

	(void)s;
	unlinkat(h->root, "run/losslessctl/lock", 0);
	assert_false(lock_acquire_as_it_is(h, 0, &first, &err));
	assert_int_equal(err.code, ENOENT);
	err = (struct err){ 0 };
	assert_int_equal(mkdirat(h->root, "run/losslessctl/lock", 0700), 0);
	assert_false(writer(h, &first, &err));
	assert_int_equal(err.code, EISDIR);
	err = (struct err){ 0 };
	assert_true(lock_acquire_as_it_is(h, 0, &first, &err));
	assert_false(lock_acquire_as_it_is(h, 0, &second, &err));
	assert_int_equal(err.kind, ERR_LOCKED);
	close(first);
	unlinkat(h->root, "run/losslessctl/lock", AT_REMOVEDIR);
}

/* A symbolic link there would let another user choose the file that is written. */
static void a_link_is_no_lock(void **s)
{
	static bool (*const takes[])(struct host * h, int *ret,
				     struct err *err) = { writer, watchdog, lock_agent };
	static const char *const names[] = { "lock", "confirm.lock", "agent.lock" };

	(void)s;
	for (size_t i = 0; i < COUNT(takes); i++) {
		struct err err = { 0 };
		char path[64];
		int fd = -1;

		snprintf(path, sizeof(path), "run/losslessctl/%s", names[i]);
		unlinkat(h->root, path, 0);
		assert_int_equal(symlinkat("../../elsewhere", h->root, path), 0);
		assert_false(takes[i](h, &fd, &err));
		assert_int_equal(err.code, ELOOP);
		assert_int_equal(faccessat(h->root, "elsewhere", F_OK, 0), -1);
		unlinkat(h->root, path, 0);
	}
}

static void a_lock_is_seen_while_it_is_held(void **s)
{
	struct err err = { 0 };
	uint64_t before;
	int fd = -1;

	(void)s;
	assert_int_equal(lock_stamped_ns(h), 0); /* no run yet */
	assert_false(lock_is_held(h));
	assert_true(writer(h, &fd, &err));
	assert_true(lock_is_held(h));
	assert_false(lock_is_watched(h));
	before = lock_stamped_ns(h);
	usleep(20000);
	lock_stamp(fd);
	assert_true(lock_stamped_ns(h) > before);
	close(fd);
	assert_false(lock_is_held(h));
}

/* A run that is killed ends its work as well: the next holder has not begun. */
static void the_work_of_a_holder_ends_with_it(void **s)
{
	struct err err = { 0 };
	int fd = -1;

	(void)s;
	assert_true(writer(h, &fd, &err));
	assert_int_equal(lock_work(h), WORK_NOT_BEGUN);
	for (int w = WORK_APPLYING; w <= WORK_ROLLING_BACK_ALL; w++) {
		lock_set_work(h, (enum lock_work)w);
		assert_int_equal(lock_work(h), w);
	}
	lock_stamp(fd);
	assert_int_equal(lock_work(h), WORK_NOT_BEGUN);
	lock_set_work(h, WORK_APPLYING);
	close(fd);
	assert_int_equal(lock_work(h), WORK_NONE);
	assert_true(writer(h, &fd, &err));
	assert_int_equal(lock_work(h), WORK_NOT_BEGUN);
	close(fd);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, one_holder_each);
	SUITE_ADD(&s, the_holder_is_named);
	SUITE_ADD(&s, a_request_to_stop_ends_the_wait);
	SUITE_ADD(&s, a_reader_stops_no_writer);
	SUITE_ADD(&s, a_rollback_locks_a_file_as_it_is);
	SUITE_ADD(&s, a_link_is_no_lock);
	SUITE_ADD(&s, a_lock_is_seen_while_it_is_held);
	SUITE_ADD(&s, the_work_of_a_holder_ends_with_it);
	return _cmocka_run_group_tests("lock", s.tests, s.count, make_root, remove_root);
}
