/*
 * Runs a command, and says or ends or holds it at one of its system calls. As strace does it, but
 * only the calls in question are stopped at: on an emulated processor that is ten times as fast.
 * (strace has --seccomp-bpf for that, with which 6.1 delivers no signal.)
 *
 *   hold_at list CALLS COMMAND…        each as "CALL N THIRD", the N-th of its name, and its third
 *                                      argument; CALLS is openat,write or so, or all
 *   hold_at kill CALL N COMMAND…       kill -9 after the N-th
 *   hold_at hold CALL N FILE COMMAND…  makes FILE after the N-th, and goes on when it is gone
 *
 * Ends as the command did: 137 if it was killed. What the command leaves behind is waited for.
 */
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <linux/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLS_MAX 1024
#define LOOK_US	  5000
#define AT_RETURN (SIGTRAP | 0x80)

struct order {
	enum { LIST, KILL, HOLD } what;
	char *calls;
	unsigned n;
	const char *file;
	char **command;
};

static void fail(const char *what)
{
	perror(what);
	exit(125);
}

static bool parse(char **words, int count, struct order *ret)
{
	static const struct {
		const char *word;
		int words;
	} modes[] = { [LIST] = { "list", 3 }, [KILL] = { "kill", 4 }, [HOLD] = { "hold", 5 } };

	for (int i = LIST; i <= HOLD; i++)
		if (count > modes[i].words && strcmp(words[1], modes[i].word) == 0) {
			*ret = (struct order){ .what = i,
					       .calls = words[2],
					       .command = words + modes[i].words };
			ret->n = i == LIST ? 0 : (unsigned)atoi(words[3]);
			ret->file = i == HOLD ? words[4] : NULL;
			return true;
		}
	return false;
}

/* ---- the command's side ---- */

static void stop_at(char *calls)
{
	bool all = strcmp(calls, "all") == 0;
	scmp_filter_ctx filter = seccomp_init(all ? SCMP_ACT_TRACE(0) : SCMP_ACT_ALLOW);

	if (!filter || seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, 0) < 0)
		fail("seccomp_init");
	for (char *name = strtok(calls, ","); name && !all; name = strtok(NULL, ","))
		if (seccomp_rule_add(filter, SCMP_ACT_TRACE(0), seccomp_syscall_resolve_name(name),
				     0) < 0)
			fail(name);
	if (seccomp_load(filter) < 0)
		fail("seccomp_load");
	seccomp_release(filter);
}

static void become(const struct order *o)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
		fail("ptrace");
	raise(SIGSTOP);
	stop_at(o->calls);
	execvp(o->command[0], o->command);
	fail(o->command[0]);
}

/* ---- ours ---- */

static void wait_until_gone(const char *file)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		fail(file);
	close(fd);
	while (access(file, F_OK) == 0)
		usleep(LOOK_US);
}

static void list(unsigned long nr, unsigned n, unsigned long long third)
{
	char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, (int)nr);

	if (name && strcmp(name, "execve") != 0)
		printf("%s %u %llu\n", name, n, third);
	free(name);
}

/* Before a call that is stopped at; true when it is the one to end at. */
static bool is_it(const struct order *o, pid_t pid)
{
	static unsigned counts[CALLS_MAX];
	struct __ptrace_syscall_info call;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(call), &call) < 0 ||
	    call.seccomp.nr >= CALLS_MAX)
		return false;
	counts[call.seccomp.nr]++;
	if (o->what == LIST)
		list(call.seccomp.nr, counts[call.seccomp.nr], call.seccomp.args[2]);
	return counts[call.seccomp.nr] == o->n;
}

/* Lets one that has stopped go on. */
static void attend(const struct order *o, pid_t pid, int status)
{
	int signal = WSTOPSIG(status);
	bool last = status >> 16 == PTRACE_EVENT_SECCOMP && is_it(o, pid);

	if (signal == AT_RETURN && o->what == KILL)
		kill(pid, SIGKILL);
	if (signal == AT_RETURN && o->what == HOLD)
		wait_until_gone(o->file);
	if (signal == AT_RETURN || signal == SIGTRAP || signal == SIGSTOP)
		signal = 0;
	ptrace(last ? PTRACE_SYSCALL : PTRACE_CONT, pid, NULL, (void *)(long)signal);
}

static int follow(const struct order *o, pid_t command)
{
	int status, code = 125;
	pid_t pid;

	waitpid(command, &status, 0);
	if (ptrace(PTRACE_SETOPTIONS, command, NULL,
		   (void *)(PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
			    PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD)) < 0)
		fail("ptrace");
	ptrace(PTRACE_CONT, command, NULL, NULL);
	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFSTOPPED(status))
			attend(o, pid, status);
		else if (pid == command)
			code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
	return code;
}

int main(int argc, char **argv)
{
	struct order o;
	pid_t command;

	if (!parse(argv, argc, &o)) {
		fputs("usage: hold_at list CALLS | kill CALL N | hold CALL N FILE  COMMAND…\n",
		      stderr);
		return 125;
	}
	command = fork();
	if (command < 0)
		fail("fork");
	if (command == 0)
		become(&o);
	return follow(&o, command);
}
