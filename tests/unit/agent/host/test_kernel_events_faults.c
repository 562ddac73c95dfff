/*
 * Tests of failing event sockets and of malformed messages. kernel_events.c is built in here, with
 * calls that a row makes fail; test_kernel_events.c tests the successes.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <rdma/rdma_netlink.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

/* Calls, named by their purpose. */
enum call { NOTHING, OPEN, BIND, JOIN_LINKS, JOIN_DCB, WAIT };

static struct {
	enum call fails;
	unsigned joined, waited; /* calls so far */
} outside;

static int result(bool fails)
{
	errno = fails ? EIO : errno;
	return fails ? -1 : 0;
}

static struct mnl_socket *try_open(int bus, int flags)
{
	return result(outside.fails == OPEN) ? NULL : mnl_socket_open2(bus, flags);
}

static int try_bind(struct mnl_socket *s, unsigned groups, pid_t pid)
{
	return result(outside.fails == BIND) ? -1 : mnl_socket_bind(s, groups, pid);
}

/* The first call joins the group of links, the second that of DCB. */
static int try_join(const struct mnl_socket *s, int type, void *group, socklen_t size)
{
	unsigned n = ++outside.joined;

	if (result((n == 1 && outside.fails == JOIN_LINKS) ||
		   (n == 2 && outside.fails == JOIN_DCB)))
		return -1;
	return mnl_socket_setsockopt(s, type, group, size);
}

/* A call without descriptors only checks for signals: it does not fail. */
static int try_wait(struct pollfd *fds, nfds_t count, const struct timespec *wait,
		    const sigset_t *signals)
{
	return result(count && outside.fails == WAIT) ? -1 : ppoll(fds, count, wait, signals);
}

#define mnl_socket_open2      try_open
#define mnl_socket_bind	      try_bind
#define mnl_socket_setsockopt try_join
#define ppoll		      try_wait
#include "agent/host/kernel_events.c"

static const struct row {
	const char *sentence;
	enum call fails;
	const char *error;
} rows[] = {
	{ "no socket", OPEN, "listen to netlink: Input/output error" },
	{ "a socket without an address", BIND, "listen to netlink: Input/output error" },
	{ "link events that cannot be received", JOIN_LINKS,
	  "listen to netlink: Input/output error" },
	{ "DCB events that cannot be received", JOIN_DCB, "listen to DCB: Input/output error" },
	{ "a wait that fails", WAIT, "poll: Input/output error" },
};

static void it_is_an_error(void **s)
{
	const struct row *r = *s;
	struct host_linux l;
	struct err err = { 0 };
	struct event e;

	assert_true(host_linux_open(&l, "/", true, &err));
	outside.fails = r->fails;
	outside.joined = 0;
	assert_false(host_linux_next_event(&l.host, 20, &e, &err));
	assert_string_equal(err.text, r->error);
	outside.fails = NOTHING;
	if (r->fails != WAIT) /* a partly opened listener is closed */
		assert_null(l.listener.event_sockets[EVENT_SOCKET_ROUTE]);
	err = (struct err){ 0 };
	assert_true(host_linux_next_event(&l.host, 0, &e, &err)); /* a retry succeeds */
	host_linux_close(&l);
}

/* A message with a header of `head` bytes, and an attribute of `size` bytes if `attribute`. */
static const struct message_row {
	const char *sentence;
	enum event_socket from;
	uint16_t type;
	size_t head;
	uint16_t attribute, size;
	bool is_event; /* an event without a known port */
} message_rows[] = {
	{ "a link without its header", EVENT_SOCKET_ROUTE, RTM_NEWLINK, 4, 0, 0, false },
	{ "a link that goes without its header", EVENT_SOCKET_ROUTE, RTM_DELLINK, 8, 0, 0, false },
	{ "a message of another kind", EVENT_SOCKET_ROUTE, RTM_NEWADDR, 8, 0, 0, false },
	{ "a control message", EVENT_SOCKET_ROUTE, NLMSG_NOOP, 16, 0, 0, false },
	{ "DCB without its header", EVENT_SOCKET_ROUTE, RTM_SETDCB, 0, 0, 0, false },
	{ "DCB whose name has no end", EVENT_SOCKET_ROUTE, RTM_SETDCB, sizeof(struct dcbmsg),
	  DCB_ATTR_IFNAME, 4, true },
	{ "ethtool without its header", EVENT_SOCKET_ETHTOOL, 0x20, 0, 0, 0, false },
	{ "ethtool without a port", EVENT_SOCKET_ETHTOOL, 0x20, sizeof(struct genlmsghdr), 9, 4,
	  true },
	{ "RDMA whose netdev is a byte", EVENT_SOCKET_RDMA, 0x1400, 0, RDMA_NLDEV_ATTR_NDEV_INDEX,
	  1, true },
};

static void it_names_no_port(void **s)
{
	const struct message_row *r = *s;
	char room[256] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(room);
	struct event_listener g = { .queued = 0 };

	n->nlmsg_type = r->type;
	if (r->head)
		mnl_nlmsg_put_extra_header(n, r->head);
	if (r->attribute)
		mnl_attr_put(n, r->attribute, r->size, "abcdefgh");
	queue_messages(&g, r->from, room, (int)n->nlmsg_len);
	assert_int_equal(g.queued, r->is_event);
	assert_int_equal(g.queue[0].ifindex, 0);
	assert_false(g.queue[0].gone);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, it_is_an_error);
	SUITE_ADD_ROWS(&s, message_rows, it_names_no_port);
	return suite_run(&s, "kernel_events_faults");
}
