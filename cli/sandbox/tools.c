#include "tools.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "trusted_open.h"

/* ---- one program ---- */

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

bool tool_is_trusted(const char *path, struct err *err)
{
	_close_ int fd = -1;

	return trusted_open(path, CHECK_EVERY_MOUNT, &fd, err);
}

/* ---- tools that have a row ---- */

#define PATHS_MAX 2
#define WORDS_MAX 8
#define ARGUMENT  "" /* stands for the question in a program's words */

/* The modules that may be requested, and a path that exists once they are loaded. */
static const struct module {
	const char *name, *path;
} modules[] = {
	{ "rdma_cm", "/sys/kernel/config/rdma_cm" },
};

static bool is_address(const char *pci)
{
	size_t n = strlen(pci);

	return n > 0 && n < sizeof("0000:00:00.0000") && strspn(pci, "0123456789abcdef:.") == n;
}

static bool is_module(const char *name)
{
	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		if (strcmp(modules[i].name, name) == 0)
			return true;
	return false;
}

static bool is_nothing(const char *question)
{
	return !question[0];
}

/*
 * Both names of a tool; those of the firmware are of mstflint, and of NVIDIA's MFT, and print the
 * same. modprobe is started as the kernel does; in containers it is missing.
 */
static const struct program {
	const char *paths[PATHS_MAX], *words[WORDS_MAX];
	bool (*takes)(const char *question);
	const char *package;
} programs[] = {
	[TASK_NVCONFIG] = { { "/usr/bin/mstconfig", "/usr/bin/mlxconfig" },
			    { "-d", ARGUMENT, "-e", "q" },
			    is_address,
			    "mstflint" },
	[TASK_ROCE_ACCL] = { { "/usr/bin/mstreg", "/usr/bin/mlxreg" },
			     { "-d", ARGUMENT, "--reg_name", "ROCE_ACCL", "--get" },
			     is_address,
			     "mstflint" },
	[TASK_RDMA_TOPO] = { { RDMA_TOPO_PATH, RDMA_TOPO_PATH_2 },
			     { "check" },
			     is_nothing,
			     "rdma-core 61 or later" },
	[TASK_MODPROBE] = { { "/sbin/modprobe", "/usr/sbin/modprobe" },
			    { "-q", "--", ARGUMENT },
			    is_module,
			    "kmod" },
};

static bool failed(struct helper_result *r, int code, const char *reason)
{
	r->code = code;
	snprintf(r->reason, sizeof(r->reason), "%s", reason);
	return false;
}

/* Finds the first name that is installed; root alone may be able to change it. */
static bool find(const struct program *p, const char **ret, struct helper_result *r)
{
	struct err err = { 0 };

	for (size_t i = 0; i < PATHS_MAX; i++) {
		*ret = p->paths[i];
		if (access(*ret, F_OK) == 0)
			return tool_is_trusted(*ret, &err) ||
			       failed(r, err.code && err.code != ENOENT ? err.code : EPERM,
				      err.text);
	}
	r->code = ENOENT;
	snprintf(r->reason, sizeof(r->reason), "neither %s nor %s is installed (package %s)",
		 p->paths[0], p->paths[1], p->package);
	return false;
}

static bool run(const struct tool *t, struct helper_result *r)
{
	enum tool_end end;
	int status, code = tool_run(t, &end, &status);

	if (code)
		return failed(r, code, strerror(code));
	if (end == TOOL_LATE) {
		r->code = ETIMEDOUT;
		snprintf(r->reason, sizeof(r->reason), "%s did not end within %u s", t->path,
			 t->limit_s);
		return false;
	}
	r->failed = status != 0;
	return true;
}

/* The tool's output is kept in memory. */
void tool_answer(const struct helper_work *w, struct helper_answer *ret)
{
	const struct program *p = &programs[w->task];
	_close_ int output = memfd_create("output", MFD_CLOEXEC);
	char *argv[WORDS_MAX + 2] = { 0 };
	struct tool t = { NULL, argv, -1, output, helper_limit_s[w->task], -1 };
	ssize_t n;

	if (output < 0) {
		failed(&ret->result, errno, strerror(errno));
		return;
	}
	if (!p->takes(w->question)) {
		failed(&ret->result, EINVAL, "the port has no PCI address");
		return;
	}
	if (!find(p, &t.path, &ret->result))
		return;
	argv[0] = (char *)t.path;
	for (size_t i = 0; i < WORDS_MAX && p->words[i]; i++)
		argv[i + 1] = (char *)(p->words[i][0] ? p->words[i] : w->question);
	if (!run(&t, &ret->result))
		return;
	n = pread(output, ret->text, ret->text_max, 0);
	ret->text_size = n > 0 ? (size_t)n : 0;
}

bool tool_is_installed(enum helper_task task)
{
	return access(programs[task].paths[0], F_OK) == 0 ||
	       access(programs[task].paths[1], F_OK) == 0;
}

bool modules_are_loaded(void)
{
	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		if (access(modules[i].path, F_OK) < 0)
			return false;
	return true;
}
