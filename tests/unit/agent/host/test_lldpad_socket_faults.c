/*
 * Tests of requests over lldpad's socket with each call failing, and with any sender of the answer.
 * lldpad_socket.c is built in here, with a socket that follows a row; test_lldpad_socket.c has
 * a real one.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

#define TRIES	3
#define ANOTHER 1000

/* The sender of the answer, as the kernel reports it. */
enum who { ROOT, OF_ANOTHER, NOBODY, A_FILE, ANOTHER_LEVEL };

/* The results of calls; calls that are not named here succeed. */
struct outside {
	int no_socket, no_option, no_bind, no_connect; /* an errno */
	/* An errno or 0 for each call in order; the last one holds for all later calls. */
	int no_wait[TRIES], no_send[TRIES], no_reply[TRIES];
	const char *reply;
	enum who who;
	int flags; /* the message's */
};

static struct {
	struct outside does;
	int fd;
	size_t waited, sent, taken; /* number of calls */
	unsigned requests;
} outside;

static int fails_with(int code)
{
	errno = code;
	return code ? -1 : 0;
}

/* Open a descriptor that the test finds closed afterwards. */
static int open_one(void)
{
	if (outside.does.no_socket)
		return fails_with(outside.does.no_socket);
	outside.fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	return outside.fd;
}

/* True if the next call fails. */
static bool fails(const int codes[TRIES], size_t *calls)
{
	size_t nth = (*calls)++;

	return fails_with(codes[nth < TRIES ? nth : TRIES - 1]) != 0;
}

static int connect_to(const struct sockaddr_un *at, socklen_t size)
{
	assert_int_equal(size,
			 offsetof(struct sockaddr_un, sun_path) + sizeof("@/com/intel/lldpad") - 1);
	assert_string_equal(at->sun_path + 1, "/com/intel/lldpad");
	return fails_with(outside.does.no_connect);
}

static int wait_for_it(void)
{
	return fails(outside.does.no_wait, &outside.waited) ? -1 : 1;
}

static ssize_t send_it(const char *text, size_t size)
{
	if (fails(outside.does.no_send, &outside.sent))
		return -1;
	assert_string_equal(text, "P");
	assert_int_equal(size, 1);
	outside.requests++;
	return (ssize_t)size;
}

/* The kernel puts the sender first, and the caller's buffer has room for it. */
static void say_who(struct msghdr *m)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(m);
	struct ucred who = { .uid = outside.does.who == ROOT ? 0 : ANOTHER };

	c->cmsg_level = outside.does.who == ANOTHER_LEVEL ? SOL_SOCKET + 1 : SOL_SOCKET;
	c->cmsg_type = outside.does.who == A_FILE ? SCM_RIGHTS : SCM_CREDENTIALS;
	c->cmsg_len = CMSG_LEN(sizeof(who));
	memcpy(CMSG_DATA(c), &who, sizeof(who));
	m->msg_controllen = outside.does.who == NOBODY ? 0 : CMSG_SPACE(sizeof(who));
}

static ssize_t take_it(struct msghdr *m)
{
	size_t size;

	if (fails(outside.does.no_reply, &outside.taken))
		return -1;
	size = strlen(outside.does.reply);
	assert_true(size <= m->msg_iov->iov_len);
	memcpy(m->msg_iov->iov_base, outside.does.reply, size);
	say_who(m);
	m->msg_flags = outside.does.flags;
	return (ssize_t)size;
}

#define socket(family, type, protocol)	   ((void)(type), open_one())
#define setsockopt(fd, level, name, at, n) ((void)(at), fails_with(outside.does.no_option))
#define bind(fd, at, size)		   ((void)(at), fails_with(outside.does.no_bind))
#define connect(fd, at, size)		   connect_to((const void *)(at), size)
#define poll(p, count, wait)		   ((void)(p), (void)(wait), wait_for_it())
#define send(fd, text, size, flags)	   send_it(text, size)
#define recvmsg(fd, m, flags)		   take_it(m)
#include "agent/host/lldpad_socket.c"

static uint64_t now;

static uint64_t slow_clock(struct host *h)
{
	(void)h;
	return now += 100;
}

static int never(struct host *h)
{
	(void)h;
	return 0;
}

static const struct row {
	const char *sentence;
	struct outside does;
	enum err_kind kind; /* ERR_NONE: answered */
	int code;
	const char *text;   /* part of the error */
	size_t sent, taken; /* number of attempts */
} rows[] = {
	{ "a request is answered", { .reply = "R00P" }, ERR_NONE, 0, "", 1, 1 },
	{ "no socket",
	  { .no_socket = EMFILE },
	  ERR_SYSTEM,
	  EMFILE,
	  "lldpad's socket: Too many",
	  0,
	  0 },
	{ "a socket that cannot report the sender",
	  { .no_option = ENOPROTOOPT },
	  ERR_SYSTEM,
	  ENOPROTOOPT,
	  "lldpad's socket: ",
	  0,
	  0 },
	{ "a socket without an address",
	  { .no_bind = ENOMEM },
	  ERR_SYSTEM,
	  ENOMEM,
	  "lldpad's socket: Cannot allocate memory",
	  0,
	  0 },
	{ "nobody listens",
	  { .no_connect = ECONNREFUSED },
	  ERR_MISSING,
	  ECONNREFUSED,
	  "no program listens on lldpad's socket",
	  0,
	  0 },
	{ "not permitted to talk to it",
	  { .no_connect = EACCES },
	  ERR_DENIED,
	  EACCES,
	  "lldpad's socket: Permission denied",
	  0,
	  0 },
	{ "a signal while waiting is no failure",
	  { .no_wait = { EINTR, EINTR }, .reply = "R00P" },
	  ERR_NONE,
	  0,
	  "",
	  1,
	  1 },
	{ "waiting fails",
	  { .no_wait = { ENOMEM } },
	  ERR_SYSTEM,
	  ENOMEM,
	  "lldpad's socket: Cannot allocate memory",
	  0,
	  0 },
	{ "waiting for the answer fails",
	  { .no_wait = { 0, ENOMEM } },
	  ERR_SYSTEM,
	  ENOMEM,
	  "lldpad's socket: Cannot allocate memory",
	  1,
	  0 },
	{ "a queue that is full again is waited for",
	  { .no_send = { EAGAIN }, .reply = "R00P" },
	  ERR_NONE,
	  0,
	  "",
	  2,
	  1 },
	{ "a signal while sending is no failure",
	  { .no_send = { EINTR }, .reply = "R00P" },
	  ERR_NONE,
	  0,
	  "",
	  2,
	  1 },
	{ "a queue that is always full again has its deadline",
	  { .no_send = { EAGAIN, EAGAIN, EAGAIN } },
	  ERR_UNKNOWN,
	  ETIMEDOUT,
	  "does not answer within 3 s",
	  29,
	  0 },
	{ "it ends before it is asked",
	  { .no_send = { ECONNREFUSED } },
	  ERR_MISSING,
	  ECONNREFUSED,
	  "no program listens on lldpad's socket",
	  1,
	  0 },
	{ "it cannot be sent",
	  { .no_send = { ENOBUFS } },
	  ERR_SYSTEM,
	  ENOBUFS,
	  "lldpad's socket: No buffer space",
	  1,
	  0 },
	{ "an answer that another read is waited for again",
	  { .no_reply = { EAGAIN }, .reply = "R00P" },
	  ERR_NONE,
	  0,
	  "",
	  1,
	  2 },
	{ "a signal while reading is no failure",
	  { .no_reply = { EINTR }, .reply = "R00P" },
	  ERR_NONE,
	  0,
	  "",
	  1,
	  2 },
	{ "it ends while it is asked",
	  { .no_reply = { ECONNRESET } },
	  ERR_SYSTEM,
	  ECONNRESET,
	  "lldpad's socket: Connection reset",
	  1,
	  1 },
	{ "another user answers",
	  { .who = OF_ANOTHER, .reply = "R00P" },
	  ERR_DENIED,
	  EPERM,
	  "a process of user 1000 answers on lldpad's socket",
	  1,
	  1 },
	{ "the sender is not reported",
	  { .who = NOBODY, .reply = "R00P" },
	  ERR_DENIED,
	  EPERM,
	  "does not identify itself",
	  1,
	  1 },
	{ "a file instead of who answers",
	  { .who = A_FILE, .reply = "R00P" },
	  ERR_DENIED,
	  EPERM,
	  "does not identify itself",
	  1,
	  1 },
	{ "something else instead of who answers",
	  { .who = ANOTHER_LEVEL, .reply = "R00P" },
	  ERR_DENIED,
	  EPERM,
	  "does not identify itself",
	  1,
	  1 },
	{ "half an answer",
	  { .reply = "R00P", .flags = MSG_TRUNC },
	  ERR_SYSTEM,
	  EMSGSIZE,
	  "lldpad's answer is too long",
	  1,
	  1 },
};

static void ends_as_the_row_says(void **s)
{
	const struct row *r = *s;
	struct host_linux l = {
		.host = { .now_ms = slow_clock, .interrupted = never, .may_write = true }
	};
	struct err err = { 0 };
	char reply[32] = "";

	memset(&outside, 0, sizeof(outside));
	outside.does = r->does;
	outside.fd = -1;
	now = 0;
	assert_int_equal(host_linux_ask_lldpad(&l.host, "P", reply, sizeof(reply), &err),
			 r->kind == ERR_NONE);
	assert_int_equal(err.kind, r->kind);
	assert_int_equal(err.code, r->code);
	assert_non_null(strstr(err.text, r->text));
	assert_int_equal(outside.sent, r->sent);
	assert_int_equal(outside.taken, r->taken);
	assert_in_range(outside.requests, r->taken > 0, 1);
	if (r->kind == ERR_NONE)
		assert_string_equal(reply, r->does.reply);
	/* Only a timeout shortens the next wait. */
	assert_int_equal(l.lldpad_unresponsive, r->code == ETIMEDOUT);
	assert_int_equal(fcntl(outside.fd, F_GETFD), -1);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, ends_as_the_row_says);
	return suite_run(&s, "lldpad's socket");
}
