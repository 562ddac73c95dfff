/* Events from the kernel's netlink multicast groups. They are hints to check a port, not facts. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <poll.h>
#include <rdma/rdma_netlink.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "host_linux.h"

/*
 * RDMA_NL_GROUP_NOTIFY (include/uapi/rdma/rdma_netlink.h, Linux 6.12). Older kernels never send to
 * it.
 */
#define RDMA_GROUP_NOTIFY 4

/* Every ethtool message has its header as attribute 1. */
#define ETHTOOL_HEADER 1

/* The most datagrams to read between two checks of the clock. */
#define DRAIN_MAX 1024

static const int protocols[EVENT_SOCKET_COUNT] = {
	[EVENT_SOCKET_ROUTE] = NETLINK_ROUTE,
	[EVENT_SOCKET_ETHTOOL] = NETLINK_GENERIC,
	[EVENT_SOCKET_RDMA] = NETLINK_RDMA,
};

static bool join(struct mnl_socket *sock, uint32_t group)
{
	return mnl_socket_setsockopt(sock, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)) == 0;
}

static bool open_event_socket(struct event_listener *g, enum event_socket which, uint32_t group,
			      struct err *err)
{
	struct mnl_socket *sock = mnl_socket_open2(protocols[which], SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (sock && mnl_socket_bind(sock, 0, MNL_SOCKET_AUTOPID) == 0 && join(sock, group)) {
		g->event_sockets[which] = sock;
		return true;
	}
	err_record(err, ERR_SYSTEM, errno, "listen to netlink: %s", strerror(errno));
	if (sock)
		mnl_socket_close(sock);
	return false;
}

/* The ethtool and RDMA sockets are optional: without them the agent relies on its timer. */
static bool open_event_sockets(struct host_linux *l, struct err *err)
{
	struct event_listener *g = &l->listener;
	struct err quiet = { 0 };
	uint32_t monitor;

	if (g->event_sockets[EVENT_SOCKET_ROUTE])
		return true;
	if (!open_event_socket(g, EVENT_SOCKET_ROUTE, RTNLGRP_LINK, err))
		return false;
	if (!join(g->event_sockets[EVENT_SOCKET_ROUTE], RTNLGRP_DCB)) {
		err_record(err, ERR_SYSTEM, errno, "listen to DCB: %s", strerror(errno));
		host_linux_close_event_sockets(l);
		return false;
	}
	if (host_linux_ethtool_monitor(l, &monitor, &quiet))
		open_event_socket(g, EVENT_SOCKET_ETHTOOL, monitor, &quiet);
	open_event_socket(g, EVENT_SOCKET_RDMA, RDMA_GROUP_NOTIFY, &quiet);
	return true;
}

void host_linux_close_event_sockets(struct host_linux *l)
{
	for (size_t i = 0; i < EVENT_SOCKET_COUNT; i++)
		if (l->listener.event_sockets[i])
			mnl_socket_close(l->listener.event_sockets[i]);
	l->listener = (struct event_listener){ .queued = 0 };
}

/* Replaces the full queue by EVENT_LOST: after it every port has to be checked. */
static void queue_lost(struct event_listener *g)
{
	g->queue[0] = (struct event){ .kind = EVENT_LOST };
	g->queued = 1;
}

static void enqueue(struct event_listener *g, struct event e)
{
	for (size_t i = 0; i < g->queued; i++) {
		if (g->queue[i].kind == EVENT_LOST)
			return;
		if (g->queue[i].kind == e.kind && g->queue[i].ifindex == e.ifindex) {
			g->queue[i].gone |= e.gone;
			g->queue[i].admin_down |= e.admin_down;
			return;
		}
	}
	if (g->queued == EVENTS_MAX)
		queue_lost(g);
	else
		g->queue[g->queued++] = e;
}

/* RTM_DELLINK of AF_BRIDGE only means that a bridge lost the port. */
static bool event_from_link(const struct nlmsghdr *n, struct event *ret)
{
	const struct ifinfomsg *info = mnl_nlmsg_get_payload(n);

	if (mnl_nlmsg_get_payload_len(n) < sizeof(*info))
		return false;
	*ret = (struct event){ EVENT_LINK, (unsigned)info->ifi_index,
			       n->nlmsg_type == RTM_DELLINK && info->ifi_family == AF_UNSPEC,
			       !(info->ifi_flags & IFF_UP) };
	return true;
}

static int note_name(const struct nlattr *a, void *arg)
{
	if (mnl_attr_get_type(a) == DCB_ATTR_IFNAME &&
	    mnl_attr_validate(a, MNL_TYPE_NUL_STRING) == 0)
		*(unsigned *)arg = if_nametoindex(mnl_attr_get_str(a));
	return MNL_CB_OK;
}

/* DCB messages name the port: a port renamed meanwhile yields ifindex 0. */
static bool event_from_dcb(const struct nlmsghdr *n, struct event *ret)
{
	*ret = (struct event){ .kind = EVENT_DCB };
	return mnl_nlmsg_get_payload_len(n) >= sizeof(struct dcbmsg) &&
	       mnl_attr_parse(n, sizeof(struct dcbmsg), note_name, &ret->ifindex) >= 0;
}

static bool event_from_route(const struct nlmsghdr *n, struct event *ret)
{
	switch (n->nlmsg_type) {
	case RTM_NEWLINK:
	case RTM_DELLINK:
		return event_from_link(n, ret);
	case RTM_GETDCB:
	case RTM_SETDCB:
		return event_from_dcb(n, ret);
	default:
		return false;
	}
}

static int note_device(const struct nlattr *a, void *arg)
{
	if (mnl_attr_get_type(a) == ETHTOOL_A_HEADER_DEV_INDEX &&
	    mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		*(unsigned *)arg = mnl_attr_get_u32(a);
	return MNL_CB_OK;
}

static int note_header(const struct nlattr *a, void *arg)
{
	if (mnl_attr_get_type(a) != ETHTOOL_HEADER)
		return MNL_CB_OK;
	return mnl_attr_parse_nested(a, note_device, arg);
}

static bool event_from_ethtool(const struct nlmsghdr *n, struct event *ret)
{
	*ret = (struct event){ .kind = EVENT_ETHTOOL };
	return mnl_nlmsg_get_payload_len(n) >= sizeof(struct genlmsghdr) &&
	       mnl_attr_parse(n, sizeof(struct genlmsghdr), note_header, &ret->ifindex) >= 0;
}

static int note_netdev(const struct nlattr *a, void *arg)
{
	if (mnl_attr_get_type(a) == RDMA_NLDEV_ATTR_NDEV_INDEX &&
	    mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		*(unsigned *)arg = mnl_attr_get_u32(a);
	return MNL_CB_OK;
}

static bool event_from_rdma(const struct nlmsghdr *n, struct event *ret)
{
	*ret = (struct event){ .kind = EVENT_RDMA };
	return mnl_attr_parse(n, 0, note_netdev, &ret->ifindex) >= 0;
}

static bool (*const parse_event[EVENT_SOCKET_COUNT])(const struct nlmsghdr *n,
						     struct event *ret) = {
	[EVENT_SOCKET_ROUTE] = event_from_route,
	[EVENT_SOCKET_ETHTOOL] = event_from_ethtool,
	[EVENT_SOCKET_RDMA] = event_from_rdma,
};

static void queue_messages(struct event_listener *g, enum event_socket which, const void *buf,
			   int size)
{
	struct event e;

	for (const struct nlmsghdr *n = buf; host_linux_is_whole(n, size);
	     n = mnl_nlmsg_next(n, &size))
		if (n->nlmsg_type >= NLMSG_MIN_TYPE && parse_event[which](n, &e))
			enqueue(g, e);
}

/* Reads at most one datagram; false if there is none. */
static bool read_event_datagram(struct event_listener *g, enum event_socket which)
{
	char buf[32768] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct sockaddr_nl from = { 0 };
	socklen_t from_len = sizeof(from);
	ssize_t got = recvfrom(mnl_socket_get_fd(g->event_sockets[which]), buf, sizeof(buf),
			       MSG_TRUNC, (struct sockaddr *)&from, &from_len);

	if (got < 0 && errno == ENOBUFS)
		queue_lost(g);
	if (got < 0)
		return errno == ENOBUFS || errno == EINTR;
	if (from.nl_pid != 0)
		return true; /* not sent by the kernel */
	if ((size_t)got > sizeof(buf))
		queue_lost(g);
	else
		queue_messages(g, which, buf, (int)got);
	return true;
}

static void drain(struct event_listener *g)
{
	for (enum event_socket i = 0; i < EVENT_SOCKET_COUNT; i++)
		for (int n = 0; n < DRAIN_MAX && g->event_sockets[i] && read_event_datagram(g, i);
		     n++)
			;
}

/* Check for signals first: ppoll() with a readable socket returns without delivering them. */
static bool caught_signal(void)
{
	static const struct timespec at_once = { 0, 0 };
	sigset_t none;

	sigemptyset(&none);
	return ppoll(NULL, 0, &at_once, &none) < 0 && errno == EINTR;
}

/* Sets EVENT_SIGNAL if a signal arrives while waiting; false on failure. */
static bool wait_for_event(const struct event_listener *g, uint64_t wait_ms, struct event *ret,
			   struct err *err)
{
	struct timespec wait = { (time_t)(wait_ms / 1000), (long)(wait_ms % 1000) * 1000000 };
	struct pollfd fds[EVENT_SOCKET_COUNT];
	sigset_t none;

	for (size_t i = 0; i < EVENT_SOCKET_COUNT; i++)
		fds[i] = (struct pollfd){
			g->event_sockets[i] ? mnl_socket_get_fd(g->event_sockets[i]) : -1, POLLIN, 0
		};
	sigemptyset(&none);
	if (ppoll(fds, EVENT_SOCKET_COUNT, &wait, &none) >= 0)
		return true;
	ret->kind = EVENT_SIGNAL;
	return errno == EINTR || err_set(err, ERR_SYSTEM, errno, "poll: %s", strerror(errno));
}

static void dequeue(struct event_listener *g, struct event *ret)
{
	*ret = g->queue[0];
	memmove(g->queue, g->queue + 1, --g->queued * sizeof(*ret));
}

bool host_linux_next_event(struct host *h, unsigned wait_ms, struct event *ret, struct err *err)
{
	struct host_linux *l = (struct host_linux *)h;
	struct event_listener *g = &l->listener;
	uint64_t now = h->now_ms(h), until = now + wait_ms;

	*ret = (struct event){ .kind = caught_signal() ? EVENT_SIGNAL : EVENT_NONE };
	if (!open_event_sockets(l, err))
		return false;
	while (ret->kind == EVENT_NONE) {
		drain(g);
		if (g->queued)
			dequeue(g, ret);
		else if (now >= until)
			break;
		else if (!wait_for_event(g, until - now, ret, err))
			return false;
		now = h->now_ms(h);
	}
	return true;
}
