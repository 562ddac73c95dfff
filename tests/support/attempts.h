/* Attempts at a system call; each returns its result. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_ATTEMPTS_H
#define LOSSLESSCTL_TESTS_SUPPORT_ATTEMPTS_H

/* A pipe. */
extern int a_pipe[2];

/* A socket of AF_UNIX that is not connected. */
extern int a_socket;

/* A page of memory that may be written. */
extern void *a_page;

/* Exits at once: a verb does not make the sanitizers' system calls at exit. */
void leave(int code);

/* Each attempts the call in its name. */
long try_open(void);
long try_open_to_write(void);
long try_open_for_both(void);
long try_create(void);
long try_truncate(void);
long try_openat2(void);
long try_say(void);
long try_write(void);
long try_mkdir(void);
long try_rename(void);
long try_unlink(void);
long try_chmod(void);
long try_chown(void);
long try_link(void);
long try_exec(void);
long try_fork(void);
long try_new_namespace(void);
long try_unshare(void);
long try_kill(void);
long try_kill_self(void);
long try_ptrace(void);
long try_read_memory(void);
long try_run_data(void);
long try_map_code(void);
long try_map(void);
long try_set_flags(void);
long try_signal_terminal(void);
long try_own_signals(void);
long try_choose_signal(void);
long try_lease(void);
long try_bind_file(void);
long try_bind_long(void);
long try_connect(void);
long try_send(void);
long try_send_to(void);
long try_send_message(void);
long try_netlink(void);
long try_unix(void);
long try_unix_stream(void);
long try_packet(void);
long try_internet(void);
long try_udp(void);
long try_tcp(void);
long try_terminal_input(void);
long try_terminal_paste(void);
long try_terminal_size(void);
long try_set_limit(void);
long try_mount(void);
long try_module(void);
long try_bpf(void);
long try_io_uring(void);
long try_become(void);

#endif
