#include "helper_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LINE (ASIDE_FREE - 1)

/*
 * Closes all inherited descriptors: a process that reads from the caller's pipes must see their
 * end, and no file of the caller stays open.
 */
static bool keep_only(int line)
{
	int nowhere = open("/dev/null", O_RDWR);

	for (int fd = 0; fd < LINE; fd++)
		if (dup2(nowhere, fd) < 0)
			return false;
	if (line == LINE ? fcntl(line, F_SETFD, FD_CLOEXEC) < 0 : dup3(line, LINE, O_CLOEXEC) < 0)
		return false;
	closefrom(ASIDE_FREE);
	return true;
}

bool helper_process_start(serve_fn *serve, int type, const char *what, int *ret, struct err *err)
{
	int line[2];
	pid_t pid;

	*ret = -1;
	if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, line) < 0)
		return err_set(err, ERR_SYSTEM, errno, "socketpair: %s", strerror(errno));
	pid = fork();
	if (pid == 0) {
		/* Ignore signals from the terminal: they are meant for the caller. */
		signal(SIGHUP, SIG_IGN);
		signal(SIGINT, SIG_IGN);
		/* Ignored SIGCHLD, which a shell may pass on, would hide how programs end. */
		signal(SIGCHLD, SIG_DFL);
		if (keep_only(line[1]))
			serve(LINE);
		_exit(0);
	}
	close(line[1]);
	if (pid > 0)
		*ret = line[0];
	else
		close(line[0]);
	return pid > 0 || err_set(err, ERR_SYSTEM, errno, "start a process that %s: %s", what,
				  strerror(errno));
}
