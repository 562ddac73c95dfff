#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cleanup.h"

#define FOLDER	"/run/losslessctl"
#define POLL_MS 100

bool lock_take(struct host *h, unsigned wait_s, int *ret, struct err *err)
{
	uint64_t until = h->now_ms(h) + (uint64_t)wait_s * 1000;
	_close_ int fd = -1;

	if (!host_make_dir(h, err, FOLDER))
		return false;
	fd = openat(h->root, &FOLDER "/lock"[1], O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return err_set(err, host_err_kind(errno), errno, "open " FOLDER "/lock: %s",
			       strerror(errno));
	/* The file is never removed: another run may hold it open already. */
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (h->interrupted(h))
			return err_set(err, ERR_INTERRUPTED, h->interrupted(h), "interrupted");
		if (h->now_ms(h) >= until) {
			err_record(err, ERR_LOCKED, EBUSY,
				   "another losslessctl is writing on this host");
			return err_hint(err, "try again, or wait for it with --wait SECONDS");
		}
		h->sleep_ms(h, POLL_MS);
	}
	*ret = fd;
	fd = -1;
	return true;
}
