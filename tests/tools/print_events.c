/*
 * Prints the kernel's events while a command runs, for tests: a line for each,
 * with the milliseconds since the command began, and one for its end.
 *
 *   print_events MS COMMAND [ARG]...
 */
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../agent/host/host_linux.h"
#include "../../policy/util/exit_code.h"

#define LINKS_MAX 64

static const char *const kinds[] = {
	[EVENT_NONE] = "none",	     [EVENT_DCB] = "dcb",   [EVENT_LINK] = "link",
	[EVENT_ETHTOOL] = "ethtool", [EVENT_RDMA] = "rdma", [EVENT_LOST] = "lost",
	[EVENT_SIGNAL] = "signal",
};

/* The names that links had: a link that is gone has none. */
static char names[LINKS_MAX][IF_NAMESIZE];

static void note(int number)
{
	(void)number;
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static const char *name_of(unsigned ifindex)
{
	if (ifindex == 0 || ifindex >= LINKS_MAX)
		return "any";
	if_indextoname(ifindex, names[ifindex]);
	return names[ifindex];
}

/* The end of the command, as its parent saw it: this process may learn of it late. */
struct end {
	double at_ms;
	int code;
};

static void run(char **command, struct end *ret)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		execvp(command[0], command);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	*ret = (struct end){ now_ms(), WIFEXITED(status) ? WEXITSTATUS(status) : 128 };
}

static void start(char **command, struct end *ret)
{
	sigset_t chld;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigaction(SIGCHLD, &(struct sigaction){ .sa_handler = note }, NULL);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	if (fork() == 0) {
		sigprocmask(SIG_UNBLOCK, &chld, NULL);
		run(command, ret);
		_exit(0);
	}
}

static bool listen_while(struct host *h, char **command, double for_ms, struct err *err)
{
	struct event e = { .kind = EVENT_NONE };
	struct end *end =
		mmap(NULL, sizeof(*end), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double started_at, now;

	if (!host_next_event(h, 0, &e, err)) /* from now on events arrive */
		return false;
	started_at = now = now_ms();
	start(command, end);
	for (; now < started_at + for_ms; now = now_ms()) {
		if (!host_next_event(h, (unsigned)(started_at + for_ms - now) + 1, &e, err))
			return false;
		if (e.kind == EVENT_SIGNAL)
			printf("ended %d %.1f\n", end->code, end->at_ms - started_at);
		else if (e.kind != EVENT_NONE)
			printf("%s %s%s %.1f\n", kinds[e.kind], name_of(e.ifindex),
			       e.gone ? " gone" : "", now_ms() - started_at);
		fflush(stdout);
	}
	return true;
}

int main(int argc, char **argv)
{
	struct host_linux l;
	struct err err = { 0 };

	if (argc < 3)
		return 64;
	for (unsigned i = 1; i < LINKS_MAX; i++)
		name_of(i);
	if (host_linux_open(&l, "/", false, &err) &&
	    !listen_while(&l.host, argv + 2, strtod(argv[1], NULL), &err))
		fprintf(stderr, "%s\n", err.text);
	host_linux_close(&l);
	return exit_code_of_err(&err);
}
