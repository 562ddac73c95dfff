/* Loads kernel modules through a helper process that has the privilege. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "host_linux.h"

bool host_linux_load_module(struct host *h, const char *name, struct err *err)
{
	const struct host_linux *l = (const struct host_linux *)h;
	ssize_t n;
	int code;

	if (l->modprobe_helper < 0)
		return err_set(err, ERR_DENIED, EPERM, "module %s: this process cannot request it",
			       name);
	if (send(l->modprobe_helper, name, strlen(name), MSG_NOSIGNAL) < 0)
		return err_set(err, ERR_SYSTEM, errno, "module %s: %s", name, strerror(errno));
	do
		n = recv(l->modprobe_helper, &code, sizeof(code), 0);
	while (n < 0 && errno == EINTR);
	if (n != sizeof(code))
		return err_set(err, ERR_SYSTEM, EPIPE,
			       "module %s: the process that loads modules has died", name);
	return code == 0 || err_set(err, ERR_SYSTEM, code, "modprobe %s: %s", name, strerror(code));
}
