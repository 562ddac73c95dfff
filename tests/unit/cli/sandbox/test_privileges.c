/*
 * Tests of the system calls that each kind of verb may still make: a process of its own, which has
 * given up the rest, makes each attempt.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/sandbox/privileges.h"
#include "tests/support/attempts.h"
#include "tests/support/unit.h"

#define LOOK  (CALLS_TALK | CALLS_READ | CALLS_LISTEN)
#define ASK   (CALLS_READ | CALLS_LISTEN | CALLS_WRITE)
#define ANY   (LOOK | CALLS_WRITE)
#define NOONE 0
#define TOOLS (CALLS_TOOL | CALLS_LOADER)

static const struct row {
	const char *sentence;
	long (*attempt)(void);
	unsigned may; /* enum calls */
} rows[] = {
	{ "everybody reads files", try_open, ANY },
	{ "only who writes opens one for writing", try_open_to_write, CALLS_WRITE },
	{ "or for both", try_open_for_both, CALLS_WRITE },
	{ "or makes one", try_create, CALLS_WRITE },
	{ "or empties one", try_truncate, CALLS_WRITE },
	{ "no process opens by a call that the filter cannot inspect", try_openat2, NOONE },
	{ "every group may write to standard error", try_say, ANY },
	{ "only who writes writes elsewhere", try_write, CALLS_WRITE },
	{ "or creates a directory", try_mkdir, CALLS_WRITE },
	{ "or renames", try_rename, CALLS_WRITE },
	{ "or removes", try_unlink, CALLS_WRITE },
	{ "or gives a file its mode", try_chmod, CALLS_WRITE },
	{ "no process changes the owner of a file", try_chown, NOONE },
	{ "no process makes a link", try_link, NOONE },
	{ "no process starts a program", try_exec, NOONE },
	{ "only who writes leaves a process behind", try_fork, CALLS_WRITE },
	{ "no process makes a namespace", try_new_namespace, NOONE },
	{ "no process enters a namespace", try_unshare, NOONE },
	{ "no process signals others by number", try_kill, NOONE },
	{ "everybody may stop themselves", try_kill_self, ANY },
	{ "no process traces", try_ptrace, NOONE },
	{ "no process reads the memory of others", try_read_memory, NOONE },
	{ "no process runs data as code", try_run_data, NOONE },
	{ "no process maps code", try_map_code, NOONE },
	{ "everybody gets memory", try_map, ANY },
	{ "who asks the kernel has netlink", try_netlink, ASK },
	{ "and a socket for ethtool", try_unix, ASK },
	{ "which is none of streams", try_unix_stream, NOONE },
	{ "only who listens has packet sockets", try_packet, CALLS_LISTEN },
	{ "no process talks to the internet", try_internet, NOONE },
	{ "not by UDP either", try_udp, NOONE },
	{ "nor by TCP", try_tcp, NOONE },
	{ "only who writes binds a socket to a file", try_bind_file, CALLS_WRITE },
	{ "others bind by an address that is no file's", try_bind_long, ASK },
	{ "only who writes connects", try_connect, CALLS_WRITE },
	{ "who asks sends to who is connected", try_send, ASK },
	{ "no process sends to another", try_send_to, NOONE },
	{ "nor by a message, whose address the filter cannot inspect", try_send_message, NOONE },
	{ "everybody changes flags of an open file", try_set_flags, ANY },
	{ "no process has the kernel signal others", try_own_signals, NOONE },
	{ "nor those in the foreground of a terminal", try_signal_terminal, NOONE },
	{ "nor chooses that signal", try_choose_signal, NOONE },
	{ "nor takes a lease", try_lease, NOONE },
	{ "no process types into a terminal", try_terminal_input, NOONE },
	{ "everybody asks how large it is", try_terminal_size, ANY },
	{ "no process sets limits", try_set_limit, NOONE },
	{ "no process mounts", try_mount, NOONE },
	{ "no process loads a module", try_module, NOONE },
	{ "no process loads BPF", try_bpf, NOONE },
	{ "no process goes around the filter by io_uring", try_io_uring, NOONE },
	{ "no process changes its user", try_become, NOONE },
};

/* Helpers, and the programs that they run. */
static const struct row tool_rows[] = {
	{ "a tool opens files for writing", try_open_to_write, TOOLS },
	{ "starts programs", try_exec, TOOLS },
	{ "and processes", try_fork, TOOLS },
	{ "sends file descriptors", try_send_message, TOOLS },
	{ "only the loader loads a module", try_module, CALLS_LOADER },
	{ "no tool mounts", try_mount, NOONE },
	{ "makes a namespace", try_new_namespace, NOONE },
	{ "enters one", try_unshare, NOONE },
	{ "traces", try_ptrace, NOONE },
	{ "reads the memory of others", try_read_memory, NOONE },
	{ "loads BPF", try_bpf, NOONE },
	{ "uses io_uring", try_io_uring, NOONE },
	{ "types into a terminal", try_terminal_input, NOONE },
	{ "pastes into one", try_terminal_paste, NOONE },
};

#define NOT_CONFINED 255

/* Return the errno of an attempt; 0: success. */
static int outcome(long (*attempt)(void), enum calls may)
{
	struct err err = { 0 };
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (!calls_confine(may, &err))
			leave(NOT_CONFINED);
		leave(attempt() < 0 ? errno : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_not_equal(WEXITSTATUS(status), NOT_CONFINED);
	return WEXITSTATUS(status);
}

/* socketcall() has its arguments in memory: no filter sees the kind of a socket, or an address. */
static bool is_blind_to(const struct row *row)
{
#ifdef SYS_socketcall
	static long (*const by_argument[])(void) = { try_unix_stream, try_packet, try_internet,
						     try_udp,	      try_tcp,	  try_bind_file,
						     try_send_to };

	for (size_t i = 0; i < COUNT(by_argument); i++)
		if (row->attempt == by_argument[i])
			return true;
#endif
	(void)row;
	return false;
}

/* Each class that the row does not name is refused, and no other. */
static void each_class_is_refused(const struct row *row, enum calls first, enum calls last)
{
	for (enum calls c = first; c <= last; c <<= 1) {
		int code = outcome(row->attempt, c);

		if ((code == EPERM) != !(row->may & c))
			fail_msg("class %d: %s", (int)c, strerror(code));
	}
}

static void is_refused_to_all_others(void **s)
{
	const struct row *row = *s;

	if (is_blind_to(row))
		skip();
	each_class_is_refused(row, CALLS_TALK, CALLS_WRITE);
}

static void is_refused_to_tools(void **s)
{
	each_class_is_refused(*s, CALLS_TOOL, CALLS_LOADER);
}

static void an_address_that_may_be_bound_is_no_file(void **s)
{
	(void)s;
	assert_int_equal(outcome(try_bind_long, CALLS_READ), EINVAL);
}

/* Read the loopback's flags, or set it up, and return the kernel's errno. */
static int ask_link(unsigned type)
{
	char buf[4096] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *i = mnl_nlmsg_put_extra_header(n, sizeof(*i));
	struct mnl_socket *s = mnl_socket_open(NETLINK_ROUTE);
	ssize_t got;

	n->nlmsg_type = (uint16_t)type;
	n->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	i->ifi_index = 1;
	i->ifi_flags = i->ifi_change = IFF_UP;
	if (!s || send(mnl_socket_get_fd(s), n, n->nlmsg_len, 0) < 0)
		return NOT_CONFINED;
	got = mnl_socket_recvfrom(s, buf, sizeof(buf));
	if (got < (ssize_t)sizeof(*n))
		return NOT_CONFINED;
	return n->nlmsg_type == NLMSG_ERROR ? -((struct nlmsgerr *)mnl_nlmsg_get_payload(n))->error
					    : 0;
}

/* Ask in a new network namespace, with every privilege narrowed to those of a verb. */
static int ask_link_as(const struct rights *rights, unsigned type, bool *ret_alone)
{
	struct err err = { 0 };
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0)
			leave(NOT_CONFINED - 1);
		leave(privilege_narrow(rights, &err) ? ask_link(type) : NOT_CONFINED);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	*ret_alone = WEXITSTATUS(status) != NOT_CONFINED - 1;
	return WEXITSTATUS(status);
}

static void who_only_reads_may_ask_netlink_and_set_nothing(void **s)
{
	bool alone;
	int code = ask_link_as(&rights_read, RTM_GETLINK, &alone);

	(void)s;
	if (!alone)
		skip();
	assert_int_equal(code, 0);
	assert_int_equal(ask_link_as(&rights_read, RTM_SETLINK, &alone), EPERM);
	assert_int_equal(ask_link_as(&rights_listen, RTM_SETLINK, &alone), EPERM);
	assert_int_equal(ask_link_as(&rights_write, RTM_SETLINK, &alone), 0);
	assert_int_equal(ask_link_as(&rights_apply, RTM_SETLINK, &alone), 0);
}

/* The bounding set is unchanged: no_new_privs alone must keep it from a program started by root. */
static void a_program_that_is_started_has_no_more(void **s)
{
	static const char few[] = "test $(grep -Ec '^Cap(Inh|Prm|Eff|Amb):.0{12}[01]000$' "
				  "/proc/self/status) = 4";
	struct err err = { 0 };
	int status;
	pid_t pid = fork();

	(void)s;
	if (pid == 0) {
		if (privilege_keep(PRIVILEGE(CAP_NET_ADMIN), &err))
			execl("/bin/sh", "sh", "-c", few, NULL);
		leave(NOT_CONFINED);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	static struct suite s;

	a_page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	a_socket = socket(AF_UNIX, SOCK_DGRAM, 0);
	if (pipe(a_pipe) < 0 || a_socket < 0 || a_page == MAP_FAILED)
		return EXIT_FAILURE;
	SUITE_ADD_ROWS(&s, rows, is_refused_to_all_others);
	SUITE_ADD_ROWS(&s, tool_rows, is_refused_to_tools);
	SUITE_ADD(&s, an_address_that_may_be_bound_is_no_file);
	SUITE_ADD(&s, who_only_reads_may_ask_netlink_and_set_nothing);
	SUITE_ADD(&s, a_program_that_is_started_has_no_more);
	return suite_run(&s, "system calls");
}
