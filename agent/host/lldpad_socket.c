/*
 * lldpad's control socket: one datagram each way. Each request has a new socket, or the last one
 * was answered, so that a late reply cannot be taken for the reply to the next request.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cleanup.h"
#include "host_linux.h"
#include "namespace.h"

#define ADDRESS		  "/com/intel/lldpad"
#define DEADLINE_MS	  3000
#define SHORT_DEADLINE_MS 200 /* timeout while lldpad hangs: each port asks again */

/* Wait the full time for a change: its result must be known. */
static unsigned lldpad_timeout_ms(const struct host_linux *l)
{
	return l->lldpad_unresponsive && !l->host.may_write ? SHORT_DEADLINE_MS : DEADLINE_MS;
}

struct lldpad_exchange {
	struct host *h;
	int fd;
	int caught; /* a signal caught before: a rollback after it must not be interrupted by it */
	uint64_t deadline; /* by now_ms() */
};

static bool lldpad_socket_failed(struct err *err)
{
	if (errno == ECONNREFUSED)
		return err_set(err, ERR_MISSING, errno, "no program listens on lldpad's socket");
	return err_set(err, host_err_kind(errno), errno, "lldpad's socket: %s", strerror(errno));
}

/*
 * Binds to an address chosen by the kernel, because lldpad does not reply to a socket without one.
 * A connected socket receives from lldpad only.
 */
static bool open_socket(int *ret_fd, struct err *err)
{
	struct sockaddr_un any = { .sun_family = AF_UNIX };
	struct sockaddr_un lldpad = { .sun_family = AF_UNIX, .sun_path = "\0" ADDRESS };
	socklen_t size = offsetof(struct sockaddr_un, sun_path) + sizeof(ADDRESS);
	int on = 1;

	*ret_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*ret_fd < 0 || setsockopt(*ret_fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) < 0 ||
	    bind(*ret_fd, (const struct sockaddr *)&any, sizeof(any.sun_family)) < 0 ||
	    connect(*ret_fd, (const struct sockaddr *)&lldpad, size) < 0)
		return lldpad_socket_failed(err);
	return true;
}

static bool wait_until(const struct lldpad_exchange *q, short event, struct err *err)
{
	for (;;) {
		struct pollfd p = { q->fd, event, 0 };
		uint64_t now = q->h->now_ms(q->h);
		int signal = q->h->interrupted(q->h), n;

		if (signal != q->caught)
			return err_set(err, ERR_INTERRUPTED, signal, "interrupted (%s)",
				       strsignal(signal));
		if (now >= q->deadline)
			return err_set(err, ERR_UNKNOWN, ETIMEDOUT,
				       "lldpad does not answer within %d s", DEADLINE_MS / 1000);
		n = poll(&p, 1, (int)(q->deadline - now));
		if (n > 0)
			return true;
		if (n < 0 && errno != EINTR)
			return lldpad_socket_failed(err);
	}
}

static bool should_retry(void)
{
	return errno == EAGAIN || errno == EINTR;
}

static bool send_request(const struct lldpad_exchange *q, const char *request, struct err *err)
{
	size_t size = strlen(request);

	do {
		/* The queue of an lldpad that hangs fills up. */
		if (!wait_until(q, POLLOUT, err))
			return false;
		if (send(q->fd, request, size, MSG_NOSIGNAL) == (ssize_t)size)
			return true;
	} while (should_retry());
	return lldpad_socket_failed(err);
}

/* Any user may bind lldpad's address while lldpad is down, so accept replies from root only. */
static bool is_from_root(struct msghdr *m, struct err *err)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
		struct ucred who;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_CREDENTIALS)
			continue;
		memcpy(&who, CMSG_DATA(c), sizeof(who));
		return who.uid == 0 ||
		       err_set(err, ERR_DENIED, EPERM,
			       "a process of user %u answers on lldpad's socket, not lldpad",
			       who.uid);
	}
	return err_set(err, ERR_DENIED, EPERM,
		       "the program that answers on lldpad's socket does not identify itself");
}

static bool check_lldpad_reply(struct msghdr *m, const char *reply, size_t size, struct err *err)
{
	if (!is_from_root(m, err))
		return false;
	if (m->msg_flags & MSG_TRUNC)
		return err_set(err, ERR_SYSTEM, EMSGSIZE, "lldpad's answer is too long");
	if (strlen(reply) != size)
		return err_set(err, ERR_SYSTEM, EPROTO, "lldpad's answer is not text");
	return true;
}

static bool receive_lldpad_reply(const struct lldpad_exchange *q, char *reply, size_t size,
				 struct err *err)
{
	/* Leaves no room for file descriptors that a reply may carry: the kernel drops them. */
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct ucred))];
	struct iovec data = { reply, size - 1 };
	struct msghdr m = { .msg_iov = &data, .msg_iovlen = 1 };
	ssize_t got;

	do {
		if (!wait_until(q, POLLIN, err))
			return false;
		m.msg_control = control;
		m.msg_controllen = sizeof(control);
		got = recvmsg(q->fd, &m, 0);
	} while (got < 0 && should_retry());
	if (got < 0)
		return lldpad_socket_failed(err);
	reply[got] = '\0';
	return check_lldpad_reply(&m, reply, (size_t)got, err);
}

static bool exchange(struct host_linux *l, int fd, const char *request, char *reply, size_t size,
		     struct err *err)
{
	struct host *h = &l->host;
	const struct lldpad_exchange q = { h, fd, h->interrupted(h),
					   h->now_ms(h) + lldpad_timeout_ms(l) };
	bool answered =
		send_request(&q, request, err) && receive_lldpad_reply(&q, reply, size, err);

	l->lldpad_unresponsive = !answered && err->code == ETIMEDOUT;
	return answered;
}

void host_linux_open_lldpad(struct lldpad_line *ret)
{
	ret->fd = -1;
	if (!open_socket(&ret->fd, &ret->why) && ret->fd >= 0) {
		close(ret->fd);
		ret->fd = -1;
	}
}

bool host_linux_ask_lldpad(struct host *h, const char *request, char *reply, size_t size,
			   struct err *err)
{
	_close_ int fd = -1;
	struct host_linux *l = (struct host_linux *)h;
	struct lldpad_line *line = l->lldpad;

	if (!line)
		return open_socket(&fd, err) && exchange(l, fd, request, reply, size, err);
	if (line->fd >= 0 && exchange(l, line->fd, request, reply, size, &line->why))
		return true;
	fd = line->fd;
	line->fd = -1;
	return err_set(err, line->why.kind, line->why.code, "%s", line->why.text);
}

/* ---- its user ---- */

static int note_user(const struct nlattr *a, void *arg)
{
	if (mnl_attr_get_type(a) == UNIX_DIAG_UID && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		*(uint32_t *)arg = mnl_attr_get_u32(a);
	return MNL_CB_OK;
}

static int read_user(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, sizeof(struct unix_diag_msg), note_user, arg);
}

/* Another user namespace may have no name for root of the host: it is nobody there. */
bool host_socket_may_be_roots(struct host *h, uint32_t inode)
{
	char room[MNL_ALIGN(sizeof(struct nlmsghdr)) + sizeof(struct unix_diag_req)]
		__attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = mnl_nlmsg_put_header(room);
	struct unix_diag_req *question = mnl_nlmsg_put_extra_header(n, sizeof(*question));
	struct err quiet = { 0 };
	uint32_t user = 0;

	n->nlmsg_type = SOCK_DIAG_BY_FAMILY;
	*question = (struct unix_diag_req){ .sdiag_family = AF_UNIX,
					    .udiag_states = UINT32_MAX,
					    .udiag_ino = inode,
					    .udiag_show = UDIAG_SHOW_UID,
					    .udiag_cookie = { UINT32_MAX, UINT32_MAX } };
	return !user_namespace_is_initial(h) ||
	       !host_talk(h, BUS_SOCKETS, n, read_user, &user, &quiet) || user == 0;
}
