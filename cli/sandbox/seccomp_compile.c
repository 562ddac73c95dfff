/*
 * Build tool: prints the BPF program of each group of system calls, for privileges.c. A verb starts
 * faster with a program that is ready, and does not link libseccomp.
 */
#include "privileges.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/sockios.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#define TALK   CALLS_TALK
#define READ   CALLS_READ
#define LISTEN CALLS_LISTEN
#define WRITE  CALLS_WRITE
#define ASK    (READ | LISTEN | WRITE)
#define ANY    (TALK | ASK)
#define LOOK   (TALK | READ | LISTEN)

/* Rows, and conditions on one argument, counted from 0. */
/* clang-format off */
#define IS(argument, value)   { (argument), SCMP_CMP_MASKED_EQ, UINT32_MAX, (value) }
#define LACKS(argument, bits) { (argument), SCMP_CMP_MASKED_EQ, (bits), 0 }
#define UP_TO(argument, most) { (argument), SCMP_CMP_LE, (most), 0 }
#define US(argument)	      { (argument), SCMP_CMP_EQ, CALLS_OURSELVES, 0 }
/* All four members are set: gcc's analyzer takes an omitted one for uninitialized. */
#define ALWAYS		      { 0, _SCMP_CMP_MIN, 0, 0 }
/* socketcall() has its arguments in memory, where no filter sees them. */
#ifdef __NR_socketcall
#define DATAGRAMS      ALWAYS
#define NO_FILE	       ALWAYS
#define TO_NOBODY_ELSE ALWAYS
#else
#define DATAGRAMS { 1, SCMP_CMP_MASKED_EQ, 0xf, SOCK_DGRAM }
/* The kernel takes this length of an address for every family but AF_UNIX (host_linux_bind()). */
#define NO_FILE	       { 2, SCMP_CMP_EQ, sizeof(struct sockaddr_storage), 0 }
#define TO_NOBODY_ELSE UP_TO(5, 0) /* no address: a netlink socket's peer is the kernel */
#endif
#define CALL(name, may)		      { SCMP_SYS(name), (may), { ALWAYS, ALWAYS } }
#define CALL_IF(name, may, when)      { SCMP_SYS(name), (may), { when, ALWAYS } }
#define CALL_IFS(name, may, when, and) { SCMP_SYS(name), (may), { when, and } }
#define FCNTL(command) \
	CALL_IF(fcntl, ANY, IS(1, command)), CALL_IF(fcntl64, ANY, IS(1, command))
/* clang-format on */

#define TO_WRITE (O_ACCMODE | O_CREAT | O_TRUNC)
#define NAMESPACES \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | \
	 CLONE_NEWPID | CLONE_NEWNET)

struct row {
	int call;
	unsigned may;		     /* enum calls */
	struct scmp_arg_cmp when[2]; /* op 0: always */
};

/* Calls that an architecture lacks are skipped. */
/* clang-format off */
static const struct row rows[] = {
	/* Open files, and the output. */
	CALL(read, ANY), CALL(readv, ANY), CALL(pread64, ANY),
	CALL_IF(write, LOOK, UP_TO(0, STDERR_FILENO)), CALL(write, WRITE),
	CALL_IF(writev, LOOK, UP_TO(0, STDERR_FILENO)), CALL(writev, WRITE), CALL(close, ANY),
	CALL(lseek, ANY), CALL(_llseek, ANY),
	/*
	 * Not F_SETOWN, which makes the kernel signal any process of this user, nor O_ASYNC, for
	 * which a terminal takes its foreground processes (__tty_fasync of drivers/tty/tty_io.c).
	 */
	FCNTL(F_DUPFD), FCNTL(F_DUPFD_CLOEXEC), FCNTL(F_GETFD), FCNTL(F_SETFD), FCNTL(F_GETFL),
	CALL_IFS(fcntl, ANY, IS(1, F_SETFL), LACKS(2, O_ASYNC)),
	CALL_IFS(fcntl64, ANY, IS(1, F_SETFL), LACKS(2, O_ASYNC)), CALL(dup, ANY),
	CALL(poll, ANY), CALL(ppoll, ANY), CALL(ppoll_time64, ANY),
	CALL_IF(ioctl, ANY, IS(1, TCGETS)), CALL_IF(ioctl, ANY, IS(1, TIOCGWINSZ)),
	CALL_IF(ioctl, READ, IS(1, TCSETSW)), CALL_IF(ioctl, READ, IS(1, TCSETSF)),
	CALL(signalfd4, READ),
	/* Files: for reading, by name. */
	CALL_IF(openat, LOOK, LACKS(2, TO_WRITE)), CALL(openat, WRITE),
	CALL_IF(open, LOOK, LACKS(1, TO_WRITE)), CALL(open, WRITE), CALL(fstat, ANY),
	CALL(fstat64, ANY), CALL(stat, ANY), CALL(stat64, ANY), CALL(lstat, ANY),
	CALL(lstat64, ANY), CALL(newfstatat, ANY), CALL(fstatat64, ANY), CALL(statx, ANY),
	CALL(statfs, ANY), CALL(statfs64, ANY), CALL(fstatfs, ANY), CALL(fstatfs64, ANY),
	CALL(access, ANY), CALL(faccessat, ANY), CALL(faccessat2, ANY), CALL(readlink, ANY),
	CALL(readlinkat, ANY), CALL(getdents, ANY), CALL(getdents64, ANY), CALL(getcwd, ANY),
	CALL(flock, ASK),
	/* Files: the journal, the state, sysfs, configfs, debugfs. */
	CALL(mkdir, WRITE), CALL(mkdirat, WRITE), CALL(rename, WRITE), CALL(renameat, WRITE),
	CALL(renameat2, WRITE), CALL(unlink, WRITE), CALL(unlinkat, WRITE), CALL(fsync, WRITE),
	CALL(fdatasync, WRITE), CALL(ftruncate, WRITE), CALL(ftruncate64, WRITE),
	CALL(fallocate, WRITE), CALL(pwrite64, WRITE),
	CALL(fchmod, WRITE), CALL(chmod, WRITE), CALL(fchmodat, WRITE), CALL(umask, WRITE),
	CALL(chdir, WRITE), CALL(fchown, WRITE), CALL(fchown32, WRITE),
	/* Sockets. What netlink may change CAP_NET_ADMIN decides: messages look alike from here. */
	CALL_IF(socket, ASK, IS(0, AF_NETLINK)),
	CALL_IFS(socket, ASK, IS(0, AF_UNIX), DATAGRAMS),
	CALL_IF(socket, LISTEN, IS(0, AF_PACKET)), CALL_IF(socketpair, WRITE, IS(0, AF_UNIX)),
	CALL_IF(bind, READ | LISTEN, NO_FILE), CALL(bind, WRITE), CALL(connect, WRITE),
	CALL(accept4, LISTEN), CALL(getsockname, ASK), CALL(getsockopt, ASK), CALL(shutdown, ASK),
	CALL(setsockopt, ASK), CALL_IF(sendto, ASK, TO_NOBODY_ELSE), CALL(send, ASK),
	CALL(recvfrom, ASK), CALL(recv, ASK), CALL(recvmsg, ASK),
	CALL_IF(ioctl, ASK, IS(1, SIOCETHTOOL)), CALL_IF(ioctl, ASK, IS(1, SIOCGIFINDEX)),
	CALL_IF(ioctl, ASK, IS(1, SIOCGIFNAME)),
	/* Memory that is never both written and run. */
	CALL(brk, ANY), CALL(munmap, ANY), CALL(mremap, ANY), CALL(madvise, ANY),
	CALL_IF(mmap, ANY, LACKS(2, PROT_EXEC)), CALL_IF(mmap2, ANY, LACKS(2, PROT_EXEC)),
	CALL_IF(mprotect, ANY, LACKS(2, PROT_EXEC)), CALL(mlockall, WRITE),
	/* This process, and giving up more of it. */
	CALL(exit, ANY), CALL(exit_group, ANY), CALL(getpid, ANY), CALL(getppid, ANY),
	CALL(gettid, ANY), CALL(getuid, ANY), CALL(getuid32, ANY), CALL(geteuid, ANY),
	CALL(geteuid32, ANY), CALL(getgid, ANY), CALL(getgid32, ANY), CALL(getegid, ANY),
	CALL(getegid32, ANY), CALL(uname, ANY), CALL(sysinfo, ANY), CALL(getrandom, ANY),
	CALL(futex, ANY), CALL(futex_time64, ANY), CALL(sched_yield, ANY),
	CALL(sched_getaffinity, ANY), CALL_IF(prlimit64, ANY, UP_TO(2, 0)),
	CALL(ugetrlimit, ANY), CALL(rseq, ANY), CALL(set_robust_list, ANY), CALL(capget, ANY),
	CALL(capset, ANY), CALL_IF(prctl, ANY, IS(0, PR_SET_NO_NEW_PRIVS)),
	/* Time, and signals: to nobody else but lldpad, through a pidfd. */
	CALL(clock_gettime, ANY), CALL(clock_gettime64, ANY), CALL(gettimeofday, ANY),
	CALL(time, ANY), CALL(nanosleep, ANY), CALL(clock_nanosleep, ANY),
	CALL(clock_nanosleep_time64, ANY), CALL(restart_syscall, ANY), CALL(rt_sigaction, ANY),
	CALL(rt_sigprocmask, ANY), CALL(rt_sigpending, ANY), CALL(rt_sigreturn, ANY),
	CALL(sigreturn, ANY), CALL(rt_sigtimedwait, WRITE), CALL(rt_sigtimedwait_time64, WRITE),
	CALL_IF(kill, ANY, US(0)), CALL_IF(tgkill, ANY, US(0)), CALL(pidfd_open, WRITE),
	CALL(pidfd_send_signal, WRITE),
	/* The process that takes an apply back when nobody confirms it. No program is started. */
	CALL_IF(clone, WRITE, LACKS(0, NAMESPACES)), CALL(fork, WRITE), CALL(wait4, WRITE),
	CALL(waitpid, WRITE), CALL(setsid, WRITE), CALL(dup2, WRITE), CALL(dup3, WRITE),
	CALL(close_range, WRITE),
};
/* clang-format on */

/*
 * Calls that no helper needs, nor a program that it runs (mstconfig, Python for rdma_topo,
 * modprobe, ssh-keygen, perftest): what its capability would let it do beside its task. Their
 * other calls are too many, and not ours to list.
 */
/* clang-format off */
#define DENY(name)	    { SCMP_SYS(name), CALLS_TOOL | CALLS_LOADER, { ALWAYS, ALWAYS } }
#define DENY_IF(name, when) { SCMP_SYS(name), CALLS_TOOL | CALLS_LOADER, { when, ALWAYS } }
#define HAS(argument, bit)  { (argument), SCMP_CMP_MASKED_EQ, (bit), (bit) }
#define CLONE_HAS(bit)	    DENY_IF(clone, HAS(0, bit))

static const struct row denied[] = {
	CALL(init_module, CALLS_TOOL), CALL(finit_module, CALLS_TOOL), DENY(delete_module),
	DENY(mount), DENY(umount2), DENY(pivot_root), DENY(chroot), DENY(fsopen), DENY(fsconfig),
	DENY(fsmount), DENY(fspick), DENY(move_mount), DENY(open_tree), DENY(mount_setattr),
	DENY(unshare), DENY(setns), CLONE_HAS(CLONE_NEWNS), CLONE_HAS(CLONE_NEWCGROUP),
	CLONE_HAS(CLONE_NEWUTS), CLONE_HAS(CLONE_NEWIPC), CLONE_HAS(CLONE_NEWUSER),
	CLONE_HAS(CLONE_NEWPID), CLONE_HAS(CLONE_NEWNET), DENY(ptrace), DENY(process_vm_readv),
	DENY(process_vm_writev), DENY(pidfd_getfd), DENY(kcmp), DENY(bpf), DENY(perf_event_open),
	DENY(userfaultfd), DENY(io_uring_setup), DENY(io_uring_enter), DENY(io_uring_register),
	DENY(kexec_load), DENY(kexec_file_load), DENY(reboot), DENY(swapon), DENY(swapoff),
	DENY(sethostname), DENY(setdomainname), DENY(settimeofday), DENY(clock_settime),
	DENY(clock_settime64), DENY(acct), DENY(quotactl), DENY(quotactl_fd), DENY(syslog),
	DENY(open_by_handle_at), DENY(add_key), DENY(request_key), DENY(keyctl),
	DENY_IF(ioctl, IS(1, TIOCSTI)), DENY_IF(ioctl, IS(1, TIOCLINUX)),
};
/* clang-format on */

static unsigned conditions(const struct row *row)
{
	return (unsigned)(row->when[0].op != 0) + (row->when[1].op != 0);
}

static bool add_rows(scmp_filter_ctx filter, const struct row *list, size_t count, unsigned may,
		     uint32_t action)
{
	for (const struct row *row = list; row < list + count; row++)
		if ((row->may & may) && seccomp_rule_add_array(filter, action, row->call,
							       conditions(row), row->when) < 0)
			return false;
	return true;
}

static scmp_filter_ctx verb_filter(unsigned may)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));

	if (filter && add_rows(filter, rows, sizeof(rows) / sizeof(rows[0]), may, SCMP_ACT_ALLOW))
		return filter;
	seccomp_release(filter);
	return NULL;
}

/* libc takes clone() where there is no clone3(), whose flags no filter sees. */
static scmp_filter_ctx tool_filter(unsigned may)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

	if (filter &&
	    add_rows(filter, denied, sizeof(denied) / sizeof(denied[0]), may,
		     SCMP_ACT_ERRNO(EPERM)) &&
	    seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0)
		return filter;
	seccomp_release(filter);
	return NULL;
}

/* Reads what libseccomp wrote to `file`. Prints a struct program. */
static bool print_program(FILE *file, unsigned may)
{
	struct sock_filter s;
	long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;

	rewind(file);
	printf("[%u] = { %zu, (const struct sock_filter[]){\n", may, (size_t)size / sizeof(s));
	while (fread(&s, sizeof(s), 1, file) == 1)
		printf("{ %u, %u, %u, %u },\n", s.code, s.jt, s.jf, s.k);
	puts("} },");
	return size > 0;
}

static bool compile(unsigned may)
{
	scmp_filter_ctx filter =
		may & (CALLS_TOOL | CALLS_LOADER) ? tool_filter(may) : verb_filter(may);
	FILE *file = tmpfile(); /* before version 2.6 libseccomp exports to a file only */
	bool ok = filter && file && seccomp_export_bpf(filter, fileno(file)) == 0 &&
		  print_program(file, may);

	if (file)
		fclose(file);
	seccomp_release(filter);
	return ok;
}

int main(void)
{
	for (unsigned may = CALLS_TALK; may <= CALLS_LOADER; may <<= 1)
		if (!compile(may))
			return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
