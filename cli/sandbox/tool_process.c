#include "tool_process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"

/* With no signal blocked or ignored: those are the helper's. */
static int start(const struct tool *t, pid_t *ret)
{
	char *const envp[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	int code;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
						      POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, t->output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, t->output, STDERR_FILENO);
	code = posix_spawn(ret, t->path, &files, &attributes, t->argv, envp);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	return code;
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* A descriptor that can be read when a child has ended. pidfd_open() would need Linux 5.3. */
static int watch_children(void)
{
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	return signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
}

/*
 * Waits until the program has ended, or has to be. The signal may be that of an earlier program.
 * poll() leaves out a negative descriptor.
 */
static enum tool_end wait_for_end(const struct tool *t, int children, pid_t pid, int *status)
{
	long end = now_ms() + t->limit_s * 1000L, left;
	struct signalfd_siginfo signal;

	while (waitpid(pid, status, WNOHANG) == 0) {
		struct pollfd p[] = { { children, POLLIN, 0 }, { t->cancel, POLLIN, 0 } };

		left = end - now_ms();
		if (left <= 0)
			return TOOL_LATE;
		if (poll(p, 2, (int)left) > 0 && !p[0].revents)
			return TOOL_CANCELLED;
		(void)!read(children, &signal, sizeof(signal));
	}
	return TOOL_ENDED;
}

int tool_run(const struct tool *t, enum tool_end *end, int *status)
{
	_close_ int children = watch_children();
	pid_t pid;
	int code = children < 0 ? errno : start(t, &pid);

	if (code)
		return code;
	*end = wait_for_end(t, children, pid, status);
	if (*end == TOOL_ENDED)
		return 0;
	kill(-pid, SIGKILL);
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
	return 0;
}
