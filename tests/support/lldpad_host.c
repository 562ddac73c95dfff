#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/lldpad_host.h"
#include "tests/support/unit.h"

struct host_linux lldpad_host;

bool is_alone;

static void write_to(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd >= 0 && write(fd, text, strlen(text)) < 0)
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
	close(fd);
}

bool leave_network(void)
{
	char map[64];

	snprintf(map, sizeof(map), "0 %u 1", (unsigned)getuid());
	if (unshare(CLONE_NEWNET) == 0)
		return true;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0)
		return false;
	write_to("/proc/self/uid_map", map);
	return getuid() == 0;
}

void open_lldpad_host(void)
{
	struct err err = { 0 };

	if (!is_alone)
		skip();
	assert_true(host_linux_open(&lldpad_host, "/", true, &err));
}

int listen_as_lldpad(void)
{
	static const char name[] = "\0/com/intel/lldpad";
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	memcpy(a.sun_path, name, sizeof(name) - 1);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&a,
			      offsetof(struct sockaddr_un, sun_path) + sizeof(name) - 1),
			 0);
	return fd;
}

/* Forks a child that answers one datagram, as user `uid` if that is not 0. */
static pid_t answer_once(int fd, const char *text, size_t size, uid_t uid)
{
	struct sockaddr_un from;
	socklen_t from_size = sizeof(from);
	char request[4096];
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	if (uid && setuid(uid) < 0)
		_exit(1);
	if (recvfrom(fd, request, sizeof(request), 0, (struct sockaddr *)&from, &from_size) < 0 ||
	    sendto(fd, text, size, 0, (struct sockaddr *)&from, from_size) < 0)
		_exit(1);
	_exit(0);
}

bool ask_lldpad(const char *text, size_t size, uid_t uid, char reply[32], struct err *err)
{
	int fd = listen_as_lldpad(), status;
	pid_t pid = answer_once(fd, text, size, uid);
	bool ok = host_ask_lldpad(&lldpad_host.host, "P", reply, 32, err);

	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(fd);
	return ok;
}

bool ask_once(const char *text, size_t size, uid_t uid, char reply[32], struct err *err)
{
	bool ok = ask_lldpad(text, size, uid, reply, err);

	host_linux_close(&lldpad_host);
	return ok;
}
