/* Netlink requests with unique sequence numbers and a deadline; every reply is read to its end. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host_linux.h"

#define DEADLINE_MS	  5000
#define SHORT_DEADLINE_MS 200 /* timeout after an unanswered request */

/* The kernel has mostly answered when the request is sent: so many reads need no clock. */
#define UNTIMED_READS 64

/* MAX_ERRNO of include/linux/err.h. */
#define ERRNO_MAX 4095

/* State of one request: how to recognise its replies, and their callback. */
struct exchange {
	unsigned seq, portid;
	reply_fn *each;
	void *arg;
	bool one_reply; /* it is all, and no acknowledgement is asked for */
	bool done;
};

bool host_linux_bind(int fd, const void *address, size_t size)
{
	struct sockaddr_storage at = { 0 };

	memcpy(&at, address, size);
	return bind(fd, (const struct sockaddr *)&at, sizeof(at)) == 0;
}

/* mnl_socket_bind() has a shorter address, and mnl_socket_sendto() has one: see host_linux_bind().
 */
static struct mnl_socket *open_netlink(int protocol)
{
	const struct sockaddr_nl any = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);
	struct mnl_socket *ret = NULL;

	if (fd >= 0 && host_linux_bind(fd, &any, sizeof(any)))
		ret = mnl_socket_fdopen(fd);
	if (fd >= 0 && !ret)
		close(fd);
	return ret;
}

static bool open_bus(struct host_linux *l, enum bus bus, struct err *err)
{
	static const int protocol[BUS_COUNT] = {
		[BUS_ROUTE] = NETLINK_ROUTE,
		[BUS_ETHTOOL] = NETLINK_GENERIC, /* and a family */
		[BUS_DEVLINK] = NETLINK_GENERIC,
		[BUS_RDMA] = NETLINK_RDMA,
		[BUS_SOCKETS] = NETLINK_SOCK_DIAG,
	};
	int on = 1;

	if (l->bus[bus])
		return true;
	l->bus[bus] = open_netlink(protocol[bus]);
	if (!l->bus[bus])
		return err_set(err, ERR_SYSTEM, errno, "open a netlink socket: %s",
			       strerror(errno));
	mnl_socket_setsockopt(l->bus[bus], NETLINK_EXT_ACK, &on, sizeof(on));
	mnl_socket_setsockopt(l->bus[bus], NETLINK_CAP_ACK, &on, sizeof(on));
	return true;
}

static int find_message(const struct nlattr *a, void *arg)
{
	if (mnl_attr_get_type(a) == NLMSGERR_ATTR_MSG &&
	    mnl_attr_validate(a, MNL_TYPE_NUL_STRING) == 0)
		*(const char **)arg = mnl_attr_get_str(a);
	return MNL_CB_OK;
}

/* Succeeds with code 0; else records the errno and the kernel's message, if any. */
static bool check_errno(int code, const char *message, struct err *err)
{
	if (code == 0)
		return true;
	if (code > 0 || code < -ERRNO_MAX)
		return err_set(err, ERR_SYSTEM, EPROTO, "the kernel's answer is not an errno");
	return err_set(err, host_err_kind(code), code, "%s%s%s", strerror(-code),
		       message ? ": " : "", message ? message : "");
}

/* The result in NLMSG_ERROR. */
static bool error_result(const struct nlmsghdr *n, struct err *err)
{
	const struct nlmsgerr *e = mnl_nlmsg_get_payload(n);
	const char *message = NULL;

	if (mnl_nlmsg_get_payload_len(n) < sizeof(*e))
		return err_set(err, ERR_SYSTEM, EPROTO, "the kernel's answer is cut short");
	if ((n->nlmsg_flags & NLM_F_ACK_TLVS) && (n->nlmsg_flags & NLM_F_CAPPED))
		mnl_attr_parse(n, sizeof(*e), find_message, &message);
	return check_errno(e->error, message, err);
}

/*
 * The result in NLMSG_DONE: a failed dump has its error there, as an int (netlink_dump() of the
 * kernel).
 */
static bool done_result(const struct nlmsghdr *n, struct err *err)
{
	const int *code = mnl_nlmsg_get_payload(n);

	return mnl_nlmsg_get_payload_len(n) < sizeof(*code) || check_errno(*code, NULL, err);
}

/* Processes one message: a reply, or the end. Messages for other requests are ignored. */
static bool handle_message(struct exchange *x, const struct nlmsghdr *n, struct err *err)
{
	if (n->nlmsg_seq != x->seq || n->nlmsg_pid != x->portid)
		return true;
	if (n->nlmsg_type == NLMSG_ERROR) {
		x->done = true;
		return error_result(n, err);
	}
	if (n->nlmsg_type == NLMSG_DONE) {
		x->done = true;
		return done_result(n, err);
	}
	if (n->nlmsg_type < NLMSG_MIN_TYPE)
		return true;
	x->done = x->one_reply;
	return !x->each || x->each(n, x->arg) >= 0 ||
	       err_set(err, ERR_SYSTEM, EPROTO, "the kernel's answer cannot be parsed");
}

unsigned host_linux_timeout_ms(const struct host_linux *l)
{
	return l->kernel_unresponsive ? SHORT_DEADLINE_MS : DEADLINE_MS;
}

/* The time runs from the first wait of a request, when *deadline is 0. */
static bool wait_readable(struct host_linux *l, int fd, uint64_t *deadline, struct err *err)
{
	for (;;) {
		uint64_t now = l->host.now_ms(&l->host);
		struct pollfd p = { fd, POLLIN, 0 };
		int n;

		*deadline = *deadline ? *deadline : now + host_linux_timeout_ms(l);
		n = poll(&p, 1, now < *deadline ? (int)(*deadline - now) : 0);

		if (n > 0)
			return true;
		l->kernel_unresponsive = l->kernel_unresponsive || n == 0;
		if (n == 0)
			return err_set(err, ERR_SYSTEM, ETIMEDOUT, "the kernel does not answer");
		if (errno != EINTR)
			return err_set(err, ERR_SYSTEM, errno, "poll: %s", strerror(errno));
	}
}

bool host_linux_is_whole(const struct nlmsghdr *n, int left)
{
	return mnl_nlmsg_ok(n, left) && n->nlmsg_len <= (unsigned)left &&
	       MNL_ALIGN(n->nlmsg_len) <= (unsigned)left;
}

/* Sets *empty if nothing has come yet. */
static bool read_reply_datagram(struct exchange *x, int fd, bool *empty, struct err *err)
{
	char buf[32768] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct sockaddr_nl from = { 0 };
	socklen_t from_len = sizeof(from);
	ssize_t got = recvfrom(fd, buf, sizeof(buf), MSG_TRUNC | MSG_DONTWAIT,
			       (struct sockaddr *)&from, &from_len);
	int left = (int)got;

	*empty = got < 0 && errno == EAGAIN;
	if (got < 0)
		return *empty || errno == EINTR ||
		       err_set(err, ERR_SYSTEM, errno, "netlink: %s", strerror(errno));
	if ((size_t)got > sizeof(buf))
		return err_set(err, ERR_SYSTEM, EMSGSIZE, "the kernel's answer is too long");
	if (from.nl_pid != 0)
		return true; /* not sent by the kernel */
	for (const struct nlmsghdr *n = (const struct nlmsghdr *)buf;
	     host_linux_is_whole(n, left) && !x->done; n = mnl_nlmsg_next(n, &left))
		if (!handle_message(x, n, err))
			return false;
	return true;
}

static bool read_replies(struct host_linux *l, int fd, struct exchange *x, struct err *err)
{
	uint64_t deadline = 0;

	for (unsigned i = 1; !x->done; i++) {
		bool empty = false;

		if (!read_reply_datagram(x, fd, &empty, err))
			return false;
		if ((empty || i % UNTIMED_READS == 0) && !x->done &&
		    !wait_readable(l, fd, &deadline, err))
			return false;
	}
	l->kernel_unresponsive = false;
	return true;
}

static bool netlink_exchange(struct host_linux *l, struct mnl_socket *socket, struct exchange *x,
			     struct nlmsghdr *request, struct err *err)
{
	request->nlmsg_seq = x->seq;
	request->nlmsg_flags |= x->one_reply ? NLM_F_REQUEST : NLM_F_REQUEST | NLM_F_ACK;
	if (send(mnl_socket_get_fd(socket), request, request->nlmsg_len, 0) < 0)
		return err_set(err, host_err_kind(errno), errno, "netlink: %s", strerror(errno));
	return read_replies(l, mnl_socket_get_fd(socket), x, err);
}

/* A family of generic netlink. */
struct family {
	uint16_t id;
	uint32_t monitor; /* its multicast group "monitor" */
};

struct group {
	const char *name;
	uint32_t id;
};

static int note_group(const struct nlattr *a, void *arg)
{
	struct group *g = arg;

	if (mnl_attr_get_type(a) == CTRL_ATTR_MCAST_GRP_NAME &&
	    mnl_attr_validate(a, MNL_TYPE_NUL_STRING) == 0)
		g->name = mnl_attr_get_str(a);
	if (mnl_attr_get_type(a) == CTRL_ATTR_MCAST_GRP_ID &&
	    mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		g->id = mnl_attr_get_u32(a);
	return MNL_CB_OK;
}

static int note_groups(const struct nlattr *a, void *arg)
{
	struct family *f = arg;
	struct group g = { "", 0 };

	if (mnl_attr_parse_nested(a, note_group, &g) >= 0 && strcmp(g.name, "monitor") == 0)
		f->monitor = g.id;
	return MNL_CB_OK;
}

static int note_family(const struct nlattr *a, void *arg)
{
	struct family *f = arg;

	if (mnl_attr_get_type(a) == CTRL_ATTR_FAMILY_ID && mnl_attr_validate(a, MNL_TYPE_U16) == 0)
		f->id = mnl_attr_get_u16(a);
	if (mnl_attr_get_type(a) == CTRL_ATTR_MCAST_GROUPS)
		return mnl_attr_parse_nested(a, note_groups, f);
	return MNL_CB_OK;
}

static int each_family(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, sizeof(struct genlmsghdr), note_family, arg);
}

static const char *const families[BUS_COUNT] = {
	[BUS_ETHTOOL] = "ethtool",
	[BUS_DEVLINK] = "devlink",
};

/* Looks up the id of a family, which the kernel assigns at run time. */
static bool find_family(struct host_linux *l, enum bus bus, struct err *err)
{
	char buf[128] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *g = mnl_nlmsg_put_extra_header(n, sizeof(*g));
	struct mnl_socket *s = l->bus[bus];
	struct family f = { 0 };
	struct exchange x = { .seq = ++l->seq,
			      .portid = mnl_socket_get_portid(s),
			      .each = each_family,
			      .arg = &f,
			      .one_reply = true };

	n->nlmsg_type = GENL_ID_CTRL;
	g->cmd = CTRL_CMD_GETFAMILY;
	g->version = 1;
	mnl_attr_put_strz(n, CTRL_ATTR_FAMILY_NAME, families[bus]);
	if (netlink_exchange(l, s, &x, n, err) && f.id) {
		l->family[bus] = f.id;
		if (bus == BUS_ETHTOOL)
			l->monitor = f.monitor;
		return true;
	}
	*err = (struct err){ 0 };
	return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "this kernel has no %s netlink",
		       families[bus]);
}

bool host_linux_ethtool_monitor(struct host_linux *l, uint32_t *ret, struct err *err)
{
	if (!open_bus(l, BUS_ETHTOOL, err) ||
	    (!l->family[BUS_ETHTOOL] && !find_family(l, BUS_ETHTOOL, err)))
		return false;
	*ret = l->monitor;
	return l->monitor || err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP,
				     "this kernel sends no ethtool notifications");
}

/* A question that is no dump has one message as its answer, or an error. */
static bool has_one_reply(enum bus bus, const struct nlmsghdr *request)
{
	return (request->nlmsg_flags & NLM_F_DUMP) != NLM_F_DUMP && host_reads_only(bus, request);
}

bool host_linux_talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
		     void *arg, struct err *err)
{
	struct host_linux *l = (struct host_linux *)h;
	struct exchange x = { .each = each, .arg = arg, .one_reply = has_one_reply(bus, request) };

	if (!open_bus(l, bus, err))
		return false;
	if (families[bus]) {
		if (!l->family[bus] && !find_family(l, bus, err))
			return false;
		request->nlmsg_type = l->family[bus];
	}
	x.seq = ++l->seq;
	x.portid = mnl_socket_get_portid(l->bus[bus]);
	return netlink_exchange(l, l->bus[bus], &x, request, err);
}
