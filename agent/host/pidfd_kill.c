/* Sends a signal to lldpad. */
#include <errno.h>
#include <string.h>
#include <sys/pidfd.h>

#include "cleanup.h"
#include "host_linux.h"

/* Uses a pidfd: the process id could be reused between the check of the name and the signal. */
bool host_linux_signal(struct host *h, unsigned pid, int number, struct err *err)
{
	_close_ int fd = pidfd_open((pid_t)pid, 0);
	struct err quiet = { 0 };
	char comm[32];

	if (fd < 0)
		return err_set(err, host_err_kind(errno), errno, "process %u: %s", pid,
			       strerror(errno));
	if (!host_read_file(h, comm, sizeof(comm), &quiet, "/proc/%u/comm", pid) ||
	    strcmp(comm, "lldpad") != 0)
		return err_set(err, ERR_SYSTEM, ESRCH, "process %u is not lldpad", pid);
	if (pidfd_send_signal(fd, number, NULL, 0) < 0)
		return err_set(err, host_err_kind(errno), errno, "signal process %u: %s", pid,
			       strerror(errno));
	return true;
}
