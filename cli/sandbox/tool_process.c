#include "tool_process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/pidfd.h>
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

/* Waits until the program has ended, or has to be. poll() leaves out a negative descriptor. */
static enum tool_end wait_for_end(const struct tool *t, int program)
{
	long end = now_ms() + t->limit_s * 1000L, left;

	while ((left = end - now_ms()) > 0) {
		struct pollfd p[] = { { program, POLLIN, 0 }, { t->cancel, POLLIN, 0 } };

		if (poll(p, 2, (int)left) <= 0)
			continue;
		return p[0].revents ? TOOL_ENDED : TOOL_CANCELLED;
	}
	return TOOL_LATE;
}

int tool_run(const struct tool *t, enum tool_end *end, int *status)
{
	_close_ int program = -1;
	pid_t pid;
	int code = start(t, &pid);

	if (code)
		return code;
	program = pidfd_open(pid, 0);
	*end = program < 0 ? TOOL_CANCELLED : wait_for_end(t, program);
	code = program < 0 ? errno : 0;
	if (*end != TOOL_ENDED)
		kill(-pid, SIGKILL);
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
	return code;
}
