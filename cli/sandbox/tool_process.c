#include "tool_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"

/*
 * Becomes the program, with no signal blocked or ignored: those are the helper's. The kernel kills
 * it if the helper is killed.
 */
static void become(const struct tool *t, pid_t helper)
{
	char *const envp[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", NULL };
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	if (setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == helper &&
	    (t->input < 0 || dup2(t->input, STDIN_FILENO) >= 0) &&
	    dup2(t->output, STDOUT_FILENO) >= 0 && dup2(t->output, STDERR_FILENO) >= 0 &&
	    sigprocmask(SIG_SETMASK, &none, NULL) == 0)
		execve(t->path, t->argv, envp);
}

/* Returns 0 or an errno. The pipe's end without a number says that the program runs. */
static int start(const struct tool *t, pid_t *ret)
{
	_close_ int from = -1;
	pid_t helper = getpid();
	int ends[2], code = 0;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return errno;
	from = ends[0];
	*ret = fork();
	if (*ret == 0) {
		become(t, helper);
		_exit(write(ends[1], &errno, sizeof(errno)) < 0);
	}
	code = *ret < 0 ? errno : 0;
	close(ends[1]);
	if (*ret > 0 && read(from, &code, sizeof(code)) == (ssize_t)sizeof(code))
		waitpid(*ret, NULL, 0);
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
	pid_t pid = -1;
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
