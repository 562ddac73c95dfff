#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../../host/cleanup.h"

#define FOLDER	   "/run/losslessctl"
#define WRITER	   FOLDER "/lock"
#define WATCHER	   FOLDER "/confirm.lock"
#define AGENT	   FOLDER "/agent.lock"
#define GENERATION FOLDER "/generation.lock"
#define POLL_MS	   20
#define LOCKS_MAX  (1u << 20) /* bytes of the kernel's list */

/* Wait at least so long: who only asks whether a lock is held takes it for an instant. */
#define INSTANT_MS 100

/* It is held for one read and one write. */
#define GENERATION_S 10

static int open_file(const struct host *h, const char *path, int how)
{
	return openat(h->root, &path[1], how | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
}

bool lock_has_room(const struct host *h, struct err *err)
{
	return host_has_room(h, FOLDER, 0, err);
}

static bool open_failed(const char *path, struct err *err)
{
	return err_set(err, host_err_kind(errno), errno, "open %s: %s", path, strerror(errno));
}

/* Waits for a lock that others hold. False with an error, or without one on a timeout. */
static bool await(struct host *h, int fd, const char *path, unsigned timeout_s, struct err *err)
{
	uint64_t wait_ms = (uint64_t)timeout_s * 1000;
	uint64_t until = h->now_ms(h) + (wait_ms > INSTANT_MS ? wait_ms : INSTANT_MS);

	/* Never remove the file: another run may have it open already. */
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK)
			return err_set(err, ERR_SYSTEM, errno, "lock %s: %s", path,
				       strerror(errno));
		if (h->interrupted(h))
			return err_set(err, ERR_INTERRUPTED, h->interrupted(h), "interrupted");
		if (h->now_ms(h) >= until)
			return false;
		host_sleep(h, POLL_MS);
	}
	return true;
}

/* Makes the file of a lock and waits for it. False as await(). */
static bool take_lock(struct host *h, const char *path, unsigned timeout_s, int *ret,
		      struct err *err)
{
	_close_ int fd = -1;

	if (!lock_has_room(h, err) || !host_make_dir(h, err, FOLDER))
		return false;
	fd = open_file(h, path, O_RDWR | O_CREAT);
	if (fd < 0)
		return open_failed(path, err);
	if (!await(h, fd, path, timeout_s, err))
		return false;
	*ret = fd;
	fd = -1;
	return true;
}

static const char *const works[] = {
	[WORK_NONE] = "",
	[WORK_NOT_BEGUN] = "",
	[WORK_APPLYING] = "applying",
	[WORK_ROLLING_BACK] = "rolling back",
	[WORK_ROLLING_BACK_ALL] = "rolling back all",
};

static enum lock_work read_work(int fd)
{
	char text[32] = "";

	(void)!pread(fd, text, sizeof(text) - 1, 0);
	text[strcspn(text, "\n")] = '\0';
	for (size_t i = WORK_APPLYING; i < sizeof(works) / sizeof(works[0]); i++)
		if (strcmp(text, works[i]) == 0)
			return (enum lock_work)i;
	return WORK_NOT_BEGUN;
}

bool lock_acquire(struct host *h, unsigned timeout_s, int *ret, struct err *err)
{
	if (take_lock(h, WRITER, timeout_s, ret, err)) {
		if (read_work(*ret) != WORK_NOT_BEGUN) /* left by a run that was killed */
			lock_stamp(*ret);
		return true;
	}
	return lock_refuse(h, timeout_s, err);
}

bool lock_acquire_as_it_is(struct host *h, unsigned timeout_s, int *ret, struct err *err)
{
	_close_ int fd = open_file(h, WRITER, O_RDONLY);

	if (fd < 0)
		return open_failed(WRITER, err);
	if (!await(h, fd, WRITER, timeout_s, err))
		return lock_refuse(h, timeout_s, err);
	*ret = fd;
	fd = -1;
	return true;
}

/*
 * The process that holds a lock, by the kernel's list: "1: FLOCK  ADVISORY  WRITE 4711 00:19:2604 0
 * EOF" has the file's device and inode. 0: unknown, as one outside the container is.
 */
static unsigned holder_of(struct host *h, const char *path)
{
	_free_ char *text = NULL;
	struct err quiet = { 0 };
	char file[64], locked[64];
	struct stat s;
	unsigned pid;

	if (fstatat(h->root, &path[1], &s, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !host_read_large_file(h, LOCKS_MAX, &text, &quiet, "/proc/locks"))
		return 0;
	snprintf(file, sizeof(file), "%02x:%02x:%llu", major(s.st_dev), minor(s.st_dev),
		 (unsigned long long)s.st_ino);
	for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
		if (sscanf(line, "%*u: FLOCK %*s WRITE %u %63s", &pid, locked) == 2 &&
		    strcmp(locked, file) == 0)
			return pid;
	return 0;
}

bool lock_refuse(struct host *h, unsigned timeout_s, struct err *err)
{
	unsigned pid = holder_of(h, WRITER);
	char who[32] = "";

	if (pid)
		snprintf(who, sizeof(who), " (pid %u)", pid);
	if (timeout_s)
		err_record(err, ERR_LOCKED, EBUSY,
			   "another losslessctl%s is writing on this host, still after %u s", who,
			   timeout_s);
	err_record(err, ERR_LOCKED, EBUSY, "another losslessctl%s is writing on this host", who);
	if (timeout_s && err->kind == ERR_LOCKED)
		return err_fix(err, "try again later, or with a longer --lock-timeout");
	return err->kind == ERR_LOCKED &&
	       err_fix(err, "try again later, or wait for the lock with --lock-timeout SECONDS");
}

/* Tries a shared lock for an instant, which does not disturb other readers. */
static bool has_holder(int fd)
{
	return fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0;
}

static bool is_held(struct host *h, const char *path)
{
	_close_ int fd = open_file(h, path, O_RDONLY);

	return has_holder(fd);
}

bool lock_is_held(struct host *h)
{
	return is_held(h, WRITER);
}

void lock_set_work(const struct host *h, enum lock_work work)
{
	_close_ int fd = open_file(h, WRITER, O_WRONLY | O_TRUNC);

	(void)!write(fd, works[work], strlen(works[work]));
}

enum lock_work lock_work(const struct host *h)
{
	_close_ int fd = open_file(h, WRITER, O_RDONLY);

	return has_holder(fd) ? read_work(fd) : WORK_NONE;
}

bool lock_was_abandoned(const struct host *h)
{
	_close_ int fd = open_file(h, WRITER, O_RDONLY);

	return fd >= 0 && !has_holder(fd) && read_work(fd) != WORK_NOT_BEGUN;
}

/* Writes a byte, because the sandbox of `apply` refuses utimensat(2). It ends the run's work. */
void lock_stamp(int lock)
{
	(void)!pwrite(lock, "\n", 1, 0);
}

uint64_t lock_stamped_ns(struct host *h)
{
	struct stat s;

	if (fstatat(h->root, &WRITER[1], &s, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	return (uint64_t)s.st_mtim.tv_sec * 1000000000u + (uint64_t)s.st_mtim.tv_nsec;
}

bool lock_watch(struct host *h, unsigned timeout_s, int *ret, struct err *err)
{
	if (take_lock(h, WATCHER, timeout_s, ret, err))
		return true;
	err_record(err, ERR_LOCKED, EBUSY,
		   "the process that waits for `losslessctl confirm` of an earlier apply has not "
		   "ended");
	return false;
}

bool lock_is_watched(struct host *h)
{
	return is_held(h, WATCHER);
}

bool lock_generation(struct host *h, int *ret, struct err *err)
{
	if (take_lock(h, GENERATION, GENERATION_S, ret, err))
		return true;
	err_record(err, ERR_LOCKED, EBUSY, "another losslessctl holds " GENERATION);
	return false;
}

bool lock_agent(struct host *h, int *ret, struct err *err)
{
	if (take_lock(h, AGENT, 0, ret, err))
		return true;
	err_record(err, ERR_LOCKED, EBUSY, "another agent runs on this host");
	return err->kind == ERR_LOCKED &&
	       err_fix(err, "run `systemctl stop losslessctl` first; its findings are in " FOLDER
			    "/status.json");
}
