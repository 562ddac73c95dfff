/*
 * The door to lldpad's socket, in a network namespace of its own: who answers,
 * with what, and what becomes of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

#define NOBODY 65534

static struct host_linux outside;
static int signal_number;
static bool alone; /* in a network namespace of ours */

/* The third look is at the deadline, and the second just before. */
static uint64_t hasty_clock(struct host *h)
{
	static uint64_t now;

	(void)h;
	return now += 2999;
}

static int after_a_look(struct host *h)
{
	static unsigned looks;

	(void)h;
	return ++looks > 2 ? signal_number : 0;
}

static void write_to(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd >= 0 && write(fd, text, strlen(text)) < 0)
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
	close(fd);
}

/* Root may leave the network as it is; others become root of a user namespace first. */
static bool leave_network(void)
{
	char map[64];

	snprintf(map, sizeof(map), "0 %u 1", (unsigned)getuid());
	if (unshare(CLONE_NEWNET) == 0)
		return true;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0)
		return false;
	write_to("/proc/self/uid_map", map);
	return getuid() == 0;
}

static void begin(void)
{
	struct err err = { 0 };

	if (!alone)
		skip();
	assert_true(host_linux_open(&outside, "/", true, &err));
}

static int listen_as_lldpad(void)
{
	static const char name[] = "\0/com/intel/lldpad";
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	memcpy(a.sun_path, name, sizeof(name) - 1);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&a,
			      offsetof(struct sockaddr_un, sun_path) + sizeof(name) - 1),
			 0);
	return fd;
}

/* A child that answers one datagram, as another user if need be. */
static pid_t answer_once(int fd, const char *text, size_t size, uid_t uid)
{
	struct sockaddr_un from;
	socklen_t from_size = sizeof(from);
	char request[4096];
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	if (uid && setuid(uid) < 0)
		_exit(1);
	if (recvfrom(fd, request, sizeof(request), 0, (struct sockaddr *)&from, &from_size) < 0 ||
	    sendto(fd, text, size, 0, (struct sockaddr *)&from, from_size) < 0)
		_exit(1);
	_exit(0);
}

static bool can_be(uid_t uid)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(setuid(uid) < 0);
	return waitpid(pid, &status, 0) == pid && status == 0;
}

/* Asks for a ping, which a child answers with these bytes. */
static bool ask(const char *text, size_t size, uid_t uid, char reply[32], struct err *err)
{
	int fd = listen_as_lldpad(), status;
	pid_t pid = answer_once(fd, text, size, uid);
	bool ok = host_ask_lldpad(&outside.host, "P", reply, 32, err);

	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(fd);
	return ok;
}

/* The same, and nothing after it. */
static bool ask_once(const char *text, size_t size, uid_t uid, char reply[32], struct err *err)
{
	bool ok = ask(text, size, uid, reply, err);

	host_linux_close(&outside);
	return ok;
}

static void an_answer_of_root_is_taken(void **s)
{
	struct err err = { 0 };
	char reply[32];

	(void)s;
	begin();
	assert_true(ask_once("R00PPONG42", 10, 0, reply, &err));
	assert_string_equal(reply, "R00PPONG42");
}

static void an_answer_of_another_user_is_not(void **s)
{
	struct err err = { 0 };
	char reply[32];

	(void)s;
	if (!can_be(NOBODY))
		skip();
	begin();
	assert_false(ask_once("R00PPONG42", 10, NOBODY, reply, &err));
	assert_int_equal(err.kind, ERR_DENIED);
	assert_non_null(strstr(err.text, "by a process of uid 65534, not by lldpad"));
}

static void an_answer_that_is_cut_short_is_not(void **s)
{
	static const char long_text[] = "R00PPONG4200000000000000000000000000000000000000000";
	struct err err = { 0 };
	char reply[32];

	(void)s;
	begin();
	assert_false(ask_once(long_text, sizeof(long_text) - 1, 0, reply, &err));
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_int_equal(err.code, EMSGSIZE);
}

static void an_answer_with_a_zero_in_it_is_not(void **s)
{
	struct err err = { 0 };
	char reply[32];

	(void)s;
	begin();
	assert_false(ask_once("R00P\0ONG42", 10, 0, reply, &err));
	assert_int_equal(err.code, EPROTO);
}

static void an_empty_answer_is_an_empty_text(void **s)
{
	struct err err = { 0 };
	char reply[32] = "old";

	(void)s;
	begin();
	assert_true(ask_once("", 0, 0, reply, &err));
	assert_string_equal(reply, "");
}

static void nobody_is_missing(void **s)
{
	struct err err = { 0 };
	char reply[32];

	(void)s;
	begin();
	assert_false(host_ask_lldpad(&outside.host, "P", reply, sizeof(reply), &err));
	assert_int_equal(err.kind, ERR_MISSING);
	host_linux_close(&outside);
}

static void silence_ends_at_the_deadline(void **s)
{
	struct err err = { 0 };
	char reply[32];
	int fd;

	(void)s;
	begin();
	fd = listen_as_lldpad();
	outside.host.now_ms = hasty_clock;
	assert_false(host_ask_lldpad(&outside.host, "P", reply, sizeof(reply), &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_string_equal(err.text, "lldpad does not answer within 3 s");
	close(fd);
	host_linux_close(&outside);
}

/*
 * The second look at the clock is just before the deadline and the third behind it,
 * if the deadline is a millisecond more than the clock's step.
 */
static unsigned looks, step;

static uint64_t counting_clock(struct host *h)
{
	static uint64_t now;

	(void)h;
	looks++;
	return now += step;
}

static void assert_waits(unsigned ms)
{
	struct err err = { 0 };
	char reply[32];

	looks = 0;
	step = ms - 1;
	assert_false(host_ask_lldpad(&outside.host, "P", reply, sizeof(reply), &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_int_equal(looks, 3);
}

static void who_only_reads_waits_once_for_one_that_hangs(void **s)
{
	struct err err = { 0 };
	char reply[32];
	int fd;

	(void)s;
	begin();
	fd = listen_as_lldpad();
	outside.host.now_ms = counting_clock;
	assert_waits(3000);
	assert_waits(3000);
	outside.host.may_write = false;
	assert_waits(200);
	assert_waits(200);
	close(fd);
	step = 0;
	assert_true(ask("R00P", 4, 0, reply, &err));
	fd = listen_as_lldpad();
	assert_waits(3000);
	close(fd);
	host_linux_close(&outside);
}

/* The queue of an lldpad that hangs is full sooner or later: sending must not wait for ever. */
static void so_does_a_full_queue(void **s)
{
	struct err err = { 0 };
	char reply[32];
	int fd;

	(void)s;
	begin();
	fd = listen_as_lldpad();
	outside.host.now_ms = hasty_clock;
	for (int i = 0; i < 100; i++) {
		err = (struct err){ 0 };
		outside.lldpad_unresponsive = false;
		assert_false(host_ask_lldpad(&outside.host, "P", reply, sizeof(reply), &err));
	}
	assert_int_equal(err.kind, ERR_UNKNOWN);
	close(fd);
	host_linux_close(&outside);
}

static void a_signal_ends_the_wait(void **s)
{
	struct err err = { 0 };
	char reply[32];
	int fd;

	(void)s;
	begin();
	fd = listen_as_lldpad();
	outside.host.interrupted = after_a_look;
	signal_number = SIGTERM;
	assert_false(host_ask_lldpad(&outside.host, "P", reply, sizeof(reply), &err));
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	assert_int_equal(err.code, SIGTERM);
	close(fd);
	host_linux_close(&outside);
}

static int caught_before(struct host *h)
{
	(void)h;
	return SIGINT;
}

static void after_a_signal_going_back_still_asks(void **s)
{
	struct err err = { 0 };
	char reply[32];

	(void)s;
	begin();
	outside.host.interrupted = caught_before;
	assert_true(ask_once("R00P", 4, 0, reply, &err));
}

static const struct request_row {
	const char *sentence, *request;
	bool reads;
} requests[] = {
	{ "a ping reads", "P", true },
	{ "statistics read", "M00000001C3000000000003veB00", true },
	{ "getting a TLV reads", "M00000001C3010000000203veA000000007f", true },
	{ "getting adminStatus reads", "M00000001C3030000000403veB000badminstatus", true },
	{ "setting a TLV changes", "M00000001C3020000000c03veB000080c20b07willing0002no", false },
	{ "setting adminStatus changes", "M00000001C3040000000c03veB000badminstatus0004rxtx",
	  false },
	{ "another module changes", "M001b2102C3010000000203veA000000007f", false },
	{ "another version changes", "M00000001C2010000000203veA0000007f", false },
	{ "the old messages change", "C301fe", false },
	{ "attaching changes", "A", false },
	{ "more than a ping changes", "PP", false },
	{ "nothing changes", "", false },
};

static bool never(struct host *h, const char *request, char *reply, size_t size, struct err *err)
{
	(void)h;
	(void)request;
	(void)err;
	snprintf(reply, size, "reached");
	return true;
}

static void only_readers_pass_a_host_that_may_not_write(void **s)
{
	const struct request_row *row = *s;
	struct host h = { .ask_lldpad = never };
	struct err err = { 0 };
	char reply[16] = "";

	assert_int_equal(host_ask_lldpad(&h, row->request, reply, sizeof(reply), &err), row->reads);
	assert_string_equal(reply, row->reads ? "reached" : "");
	assert_int_equal(err.kind, row->reads ? ERR_NONE : ERR_REFUSED);
	h.may_write = true;
	assert_true(host_ask_lldpad(&h, row->request, reply, sizeof(reply), &err));
}

int main(void)
{
	static struct suite s;

	alone = leave_network();
	SUITE_ADD(&s, an_answer_of_root_is_taken);
	SUITE_ADD(&s, an_answer_of_another_user_is_not);
	SUITE_ADD(&s, an_answer_that_is_cut_short_is_not);
	SUITE_ADD(&s, an_answer_with_a_zero_in_it_is_not);
	SUITE_ADD(&s, an_empty_answer_is_an_empty_text);
	SUITE_ADD(&s, nobody_is_missing);
	SUITE_ADD(&s, silence_ends_at_the_deadline);
	SUITE_ADD(&s, who_only_reads_waits_once_for_one_that_hangs);
	SUITE_ADD(&s, so_does_a_full_queue);
	SUITE_ADD(&s, a_signal_ends_the_wait);
	SUITE_ADD(&s, after_a_signal_going_back_still_asks);
	SUITE_ADD_ROWS(&s, requests, only_readers_pass_a_host_that_may_not_write);
	return suite_run(&s, "lldpad's door");
}
