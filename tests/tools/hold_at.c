/*
 * Runs a command, and lists its system calls, or kills or holds it at one of them, as strace does.
 * Only the calls in question stop the command: on an emulated processor that is ten times as fast.
 * (strace has --seccomp-bpf for that, with which 6.1 delivers no signal.)
 *
 *   hold_at list CALLS COMMAND…        print each as "CALL N": the N-th of its name; CALLS is a list
 *                                      such as openat,write
 *   hold_at changes CALLS COMMAND…     print and count only those that change something: an openat
 *                                      to write, a message to the kernel that is no query
 *   hold_at kill CALL N COMMAND…       kill -9 after the N-th that changes something
 *   hold_at hold CALL N FILE COMMAND…  make FILE after the N-th, and go on when FILE is gone
 *
 * How often the link and the counters are read differs from run to run; the changes do not.
 *
 * Exits with the command's code: 137 if it was killed. Waits for all processes that it leaves.
 */
#include <fcntl.h>
#include <linux/devlink.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <rdma/rdma_netlink.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/ptrace.h>
#include <linux/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLS_MAX 1024
#define LOOK_US	  5000
#define AT_RETURN (SIGTRAP | 0x80)

struct order {
	enum { LIST, CHANGES, KILL, HOLD } what;
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
	} modes[] = { [LIST] = { "list", 3 },
		      [CHANGES] = { "changes", 3 },
		      [KILL] = { "kill", 4 },
		      [HOLD] = { "hold", 5 } };

	for (int i = LIST; i <= HOLD; i++)
		if (count > modes[i].words && strcmp(words[1], modes[i].word) == 0) {
			*ret = (struct order){ .what = i,
					       .calls = words[2],
					       .command = words + modes[i].words };
			ret->n = i < KILL ? 0 : (unsigned)atoi(words[3]);
			ret->file = i == HOLD ? words[4] : NULL;
			return true;
		}
	return false;
}

/* ---- the command's side ---- */

static void stop_at(char *calls)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

	if (!filter || seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, 0) < 0)
		fail("seccomp_init");
	for (char *name = strtok(calls, ","); name; name = strtok(NULL, ","))
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

/* ---- the tracer's side ---- */

static void wait_until_gone(const char *file)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		fail(file);
	close(fd);
	while (access(file, F_OK) == 0)
		usleep(LOOK_US);
}

static bool peek(pid_t pid, uint64_t from, void *to, size_t size)
{
	struct iovec here = { to, size }, there = { (void *)(uintptr_t)from, size };

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

static int protocol_of(pid_t pid, int fd)
{
	int process = pidfd_open(pid, 0), copy = process < 0 ? -1 : pidfd_getfd(process, fd, 0);
	int protocol = -1;
	socklen_t size = sizeof(protocol);

	getsockopt(copy, SOL_SOCKET, SO_PROTOCOL, &protocol, &size);
	close(copy);
	close(process);
	return protocol;
}

/* The start of every message to the kernel. */
struct head {
	struct nlmsghdr netlink;
	struct genlmsghdr generic;
};

static bool only_asks(int protocol, const struct head *m)
{
	switch (protocol) {
	case NETLINK_ROUTE: /* the types are NEW, DEL, GET, SET, and so on */
		return (m->netlink.nlmsg_type & 3) == (RTM_GETLINK & 3);
	case NETLINK_SOCK_DIAG:
		return m->netlink.nlmsg_type == SOCK_DIAG_BY_FAMILY;
	case NETLINK_RDMA:
		return (m->netlink.nlmsg_type & 0x3ff) != RDMA_NLDEV_CMD_SET;
	case NETLINK_GENERIC:
		return m->netlink.nlmsg_type == GENL_ID_CTRL ||
		       m->generic.cmd == ETHTOOL_MSG_LINKMODES_GET ||
		       m->generic.cmd == ETHTOOL_MSG_PAUSE_GET ||
		       m->generic.cmd == DEVLINK_CMD_PARAM_GET;
	default:
		return false;
	}
}

static bool is_question(pid_t pid, const struct __ptrace_syscall_info *call)
{
	uint64_t at = call->seccomp.args[1];
	struct msghdr message;
	struct iovec first;
	struct head head;

	if (call->seccomp.nr == SYS_sendmsg) {
		if (!peek(pid, at, &message, sizeof(message)) ||
		    !peek(pid, (uintptr_t)message.msg_iov, &first, sizeof(first)))
			return false;
		at = (uintptr_t)first.iov_base;
	} else if (call->seccomp.nr != SYS_sendto) {
		return false;
	}
	return peek(pid, at, &head, sizeof(head)) &&
	       only_asks(protocol_of(pid, (int)call->seccomp.args[0]), &head);
}

static bool changes(pid_t pid, const struct __ptrace_syscall_info *call)
{
	switch (call->seccomp.nr) {
	case SYS_openat:
		return call->seccomp.args[2] & (O_WRONLY | O_RDWR | O_CREAT);
	case SYS_sendto:
	case SYS_sendmsg:
		return !is_question(pid, call);
	default:
		return true;
	}
}

static void list(const struct __ptrace_syscall_info *call, unsigned n)
{
	char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, (int)call->seccomp.nr);

	if (name)
		printf("%s %u\n", name, n);
	free(name);
}

/* Counts a call before it runs; true if it is the one to kill or hold at. */
static bool is_it(const struct order *o, pid_t pid)
{
	static unsigned counts[CALLS_MAX];
	struct __ptrace_syscall_info call;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(call), &call) < 0 ||
	    call.seccomp.nr >= CALLS_MAX ||
	    ((o->what == CHANGES || o->what == KILL) && !changes(pid, &call)))
		return false;
	counts[call.seccomp.nr]++;
	if (o->what < KILL)
		list(&call, counts[call.seccomp.nr]);
	return counts[call.seccomp.nr] == o->n;
}

/* Resumes a process that has stopped. */
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
		fputs("usage: hold_at list|changes CALLS | kill CALL N | hold CALL N FILE  COMMAND…\n",
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
