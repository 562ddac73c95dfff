#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/attempts.h"

int a_pipe[2];

int a_socket;

void *a_page;

void leave(int code)
{
	syscall(SYS_exit_group, code);
}

static long open_as(int flags)
{
	return openat(AT_FDCWD, "/dev/null", flags, 0600);
}

long try_open(void)
{
	return open_as(O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
}

long try_open_to_write(void)
{
	return open_as(O_WRONLY);
}

long try_open_for_both(void)
{
	return open_as(O_RDWR | O_APPEND);
}

long try_create(void)
{
	return open_as(O_RDONLY | O_CREAT);
}

long try_truncate(void)
{
	return open_as(O_RDONLY | O_TRUNC);
}

long try_openat2(void)
{
	return syscall(SYS_openat2, AT_FDCWD, "/dev/null", NULL, (size_t)0);
}

long try_say(void)
{
	return write(STDERR_FILENO, "", 0);
}

long try_write(void)
{
	return write(a_pipe[1], "", 0);
}

long try_mkdir(void)
{
	return mkdirat(AT_FDCWD, "/dev/null/x", 0700);
}

long try_rename(void)
{
	return renameat(AT_FDCWD, "/dev/null/x", AT_FDCWD, "/dev/null/y");
}

long try_unlink(void)
{
	return unlinkat(AT_FDCWD, "/dev/null/x", 0);
}

long try_chmod(void)
{
	return fchmod(-1, 0600);
}

long try_chown(void)
{
	return fchownat(AT_FDCWD, "/dev/null/x", 0, 0, 0);
}

long try_link(void)
{
	return symlinkat("x", AT_FDCWD, "/dev/null/x");
}

long try_exec(void)
{
	char *none[] = { NULL };

	return execve("/dev/null/x", none, none);
}

long try_fork(void)
{
	long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (pid == 0)
		leave(0);
	return pid;
}

long try_new_namespace(void)
{
	long pid = syscall(SYS_clone, SIGCHLD | CLONE_NEWUSER, 0, 0, 0, 0);

	if (pid == 0)
		leave(0);
	return pid;
}

long try_unshare(void)
{
	return unshare(CLONE_NEWUSER);
}

long try_kill(void)
{
	return kill(getppid(), 0);
}

long try_kill_self(void)
{
	return kill(getpid(), 0);
}

long try_ptrace(void)
{
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

long try_read_memory(void)
{
	return syscall(SYS_process_vm_readv, getppid(), NULL, 0L, NULL, 0L, 0L);
}

long try_run_data(void)
{
	return mprotect(a_page, 4096, PROT_READ | PROT_EXEC);
}

long try_map_code(void)
{
	return mmap(NULL, 4096, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1
											     : 0;
}

long try_map(void)
{
	return mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1
											     : 0;
}

long try_set_flags(void)
{
	return fcntl(a_pipe[0], F_SETFL, O_RDONLY);
}

/* The kernel chooses whom it signals: the processes in the foreground, if this is a terminal. */
long try_signal_terminal(void)
{
	return fcntl(a_pipe[0], F_SETFL, O_RDONLY | O_ASYNC);
}

long try_own_signals(void)
{
	return fcntl(a_pipe[0], F_SETOWN, getpid());
}

long try_choose_signal(void)
{
	return fcntl(a_pipe[0], F_SETSIG, 0);
}

long try_lease(void)
{
	return fcntl(a_pipe[0], F_SETLEASE, F_UNLCK);
}

/* Binds to a file that cannot be created: the kernel's error shows that the filter passed. */
long try_bind_file(void)
{
	const struct sockaddr_un at = { AF_UNIX, "/dev/null/x" };

	return bind(a_socket, (const struct sockaddr *)&at, sizeof(at));
}

/* The length of the names that the filter takes, which AF_UNIX refuses. */
long try_bind_long(void)
{
	const union {
		struct sockaddr_storage any;
		struct sockaddr_un file;
	} at = { .file = { AF_UNIX, "/dev/null/x" } };

	return bind(a_socket, (const struct sockaddr *)&at, sizeof(at));
}

long try_connect(void)
{
	const struct sockaddr_un at = { AF_UNIX, "/dev/null/x" };

	return connect(a_socket, (const struct sockaddr *)&at, sizeof(at));
}

long try_send(void)
{
	return send(a_socket, "", 0, MSG_NOSIGNAL);
}

long try_send_to(void)
{
	const struct sockaddr_un at = { AF_UNIX, "/dev/null/x" };

	return sendto(a_socket, "", 0, MSG_NOSIGNAL, (const struct sockaddr *)&at, sizeof(at));
}

/* The address is in memory, where no filter sees it. */
long try_send_message(void)
{
	const struct msghdr none = { .msg_iovlen = 0 };

	return sendmsg(a_socket, &none, MSG_NOSIGNAL);
}

/* No such type: the kernel's error shows that the filter passed, with or without capability. */
static long open_socket(int domain)
{
	return socket(domain, 15, 0);
}

long try_netlink(void)
{
	return open_socket(AF_NETLINK);
}

long try_unix(void)
{
	return socket(AF_UNIX, SOCK_DGRAM, 0);
}

long try_unix_stream(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

long try_packet(void)
{
	return open_socket(AF_PACKET);
}

long try_internet(void)
{
	return socket(AF_INET6, SOCK_DGRAM, 0);
}

long try_udp(void)
{
	return socket(AF_INET, SOCK_DGRAM, 0);
}

long try_tcp(void)
{
	return socket(AF_INET, SOCK_STREAM, 0);
}

long try_terminal_input(void)
{
	return ioctl(a_pipe[0], TIOCSTI, "x");
}

long try_terminal_paste(void)
{
	return ioctl(a_pipe[0], TIOCLINUX, "\3"); /* TIOCL_PASTESEL */
}

long try_terminal_size(void)
{
	struct winsize w;

	return ioctl(a_pipe[0], TIOCGWINSZ, &w);
}

long try_set_limit(void)
{
	const struct rlimit l = { 64, 64 };

	return setrlimit(RLIMIT_NOFILE, &l);
}

long try_mount(void)
{
	return mount("none", "/dev/null/x", "tmpfs", 0, NULL);
}

long try_module(void)
{
	return syscall(SYS_finit_module, -1, "", 0);
}

long try_bpf(void)
{
	return syscall(SYS_bpf, -1, NULL, 0);
}

long try_io_uring(void)
{
	return syscall(SYS_io_uring_setup, 0, NULL);
}

long try_become(void)
{
	return syscall(SYS_setresuid, getuid(), getuid(), getuid());
}
