/*
 * Tests of the kernel's events, in a network namespace of the test's own: its loopback is the port.
 * Without such a namespace, all tests are skipped.
 */
#include <libmnl/libmnl.h>
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "tests/support/events_host.h"
#include "tests/support/unit.h"

static void when_nothing_happens_the_time_is_over(void **s)
{
	uint64_t before;

	events_begin(s);
	before = events_h->now_ms(events_h);
	assert_int_equal(next_event(50).kind, EVENT_NONE);
	assert_true(events_h->now_ms(events_h) - before >= 50);
	assert_true(events_h->now_ms(events_h) - before < 1000);
}

static void a_change_is_reported_with_its_port(void **s)
{
	struct event e;

	events_begin(s);
	set_mtu(1501);
	e = next_event(1000);
	assert_int_equal(e.kind, EVENT_LINK);
	assert_int_equal(e.ifindex, loopback);
	assert_false(e.gone);
	assert_silence();
}

static void a_change_ends_the_wait(void **s)
{
	uint64_t before;
	pid_t pid;

	events_begin(s);
	before = events_h->now_ms(events_h);
	pid = fork();
	if (pid == 0) {
		usleep(50000);
		set_mtu(1502);
		_exit(0);
	}
	assert_int_equal(next_event(10000).kind, EVENT_LINK);
	assert_true(events_h->now_ms(events_h) - before < 5000);
}

static void many_changes_of_one_port_are_one_event(void **s)
{
	events_begin(s);
	for (int i = 0; i < 20; i++)
		set_mtu(1600 + i);
	assert_int_equal(next_event(1000).kind, EVENT_LINK);
	assert_silence();
}

static void overflown_events_are_reported_as_lost(void **s)
{
	events_begin(s);
	for (int i = 0; i < 3000; i++)
		set_mtu(1600 + (i & 1));
	assert_int_equal(next_event(1000).kind, EVENT_LOST);
	assert_silence();
	set_mtu(1502); /* the listener receives events again */
	assert_int_equal(next_event(1000).kind, EVENT_LINK);
}

/* Send a message in the kernel's format directly to the listening socket. */
static void send_link(unsigned type, unsigned family, unsigned ifindex)
{
	char buf[64] __attribute__((aligned(8))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *info = mnl_nlmsg_put_extra_header(n, sizeof(*info));
	struct sockaddr_nl to = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);

	n->nlmsg_type = (uint16_t)type;
	info->ifi_family = (unsigned char)family;
	info->ifi_index = (int)ifindex;
	to.nl_pid = mnl_socket_get_portid(events_host.listener.event_sockets[EVENT_SOCKET_ROUTE]);
	assert_true(sendto(fd, buf, n->nlmsg_len, 0, (struct sockaddr *)&to, sizeof(to)) > 0);
	close(fd);
}

static void who_is_not_the_kernel_is_not_heard(void **s)
{
	events_begin(s);
	send_link(RTM_NEWLINK, AF_UNSPEC, 42);
	assert_silence();
}

static bool ask(unsigned type, unsigned flags, const char *name, const char *kind)
{
	char buf[256] __attribute__((aligned(8))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct mnl_socket *s = mnl_socket_open(NETLINK_ROUTE);
	struct nlattr *info;
	ssize_t got;

	mnl_nlmsg_put_extra_header(n, sizeof(struct ifinfomsg));
	n->nlmsg_type = (uint16_t)type;
	n->nlmsg_flags = (uint16_t)(NLM_F_REQUEST | NLM_F_ACK | flags);
	n->nlmsg_seq = 1;
	mnl_attr_put_strz(n, IFLA_IFNAME, name);
	info = mnl_attr_nest_start(n, IFLA_LINKINFO);
	mnl_attr_put_strz(n, IFLA_INFO_KIND, kind);
	mnl_attr_nest_end(n, info);
	mnl_socket_bind(s, 0, MNL_SOCKET_AUTOPID);
	mnl_socket_sendto(s, n, n->nlmsg_len);
	got = mnl_socket_recvfrom(s, buf, sizeof(buf));
	got = mnl_cb_run(buf, (size_t)got, 1, mnl_socket_get_portid(s), NULL, NULL);
	mnl_socket_close(s);
	return got >= 0;
}

static bool make_kind(const char *name, const char *kind)
{
	return ask(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, name, kind);
}

/* Make a link of a kind that this kernel has, or skip the test. */
static void make(const char *name)
{
	if (!make_kind(name, "dummy") && !make_kind(name, "ifb"))
		skip();
}

static bool drop(const char *name)
{
	return ask(RTM_DELLINK, 0, name, "");
}

static void a_link_that_goes_is_gone(void **s)
{
	struct event e;
	unsigned ifindex;

	events_begin(s);
	make("d0");
	ifindex = if_nametoindex("d0");
	e = next_event(1000);
	assert_int_equal(e.kind, EVENT_LINK);
	assert_int_equal(e.ifindex, ifindex);
	assert_false(e.gone);
	assert_silence();
	assert_true(drop("d0"));
	e = next_event(1000);
	assert_int_equal(e.ifindex, ifindex);
	assert_true(e.gone);
	assert_silence();
}

static void one_that_came_and_went_is_reported_once_as_gone(void **s)
{
	struct event e;

	events_begin(s);
	make("d0");
	drop("d0");
	set_mtu(1503);
	e = next_event(1000);
	assert_int_equal(e.kind, EVENT_LINK);
	assert_true(e.gone);
	e = next_event(1000);
	assert_int_equal(e.ifindex, loopback);
	assert_false(e.gone);
	assert_silence();
}

static void more_ports_than_there_is_room_for_are_reported_as_lost(void **s)
{
	char name[16];

	events_begin(s);
	for (int i = 0; i <= EVENTS_MAX; i++) {
		snprintf(name, sizeof(name), "d%d", i);
		make(name);
	}
	assert_int_equal(next_event(1000).kind, EVENT_LOST);
	assert_silence();
	for (int i = 0; i <= EVENTS_MAX; i++) {
		snprintf(name, sizeof(name), "d%d", i);
		drop(name);
	}
}

static void a_port_that_leaves_a_bridge_is_not_gone(void **s)
{
	struct ifreq r = { .ifr_name = "b0" };
	struct event e;

	events_begin(s);
	make("d0");
	if (!make_kind("b0", "bridge"))
		skip();
	r.ifr_ifindex = (int)if_nametoindex("d0");
	assert_int_equal(ioctl(control_socket, SIOCBRADDIF, &r), 0);
	drain();
	assert_int_equal(ioctl(control_socket, SIOCBRDELIF, &r), 0);
	while ((e = next_event(100)).kind != EVENT_NONE)
		assert_false(e.gone);
	assert_true(drop("d0") && drop("b0"));
}

static void changes_by_ethtool_are_reported(void **s)
{
	struct ethtool_value gro = { .cmd = ETHTOOL_GGRO };
	struct ifreq r = { .ifr_name = "lo", .ifr_data = (char *)&gro };
	struct event e;

	events_begin(s);
	assert_int_equal(ioctl(control_socket, SIOCETHTOOL, &r), 0);
	gro = (struct ethtool_value){ ETHTOOL_SGRO, !gro.data };
	assert_int_equal(ioctl(control_socket, SIOCETHTOOL, &r), 0);
	while ((e = next_event(1000)).kind == EVENT_LINK)
		;
	assert_int_equal(e.kind, EVENT_ETHTOOL);
	assert_int_equal(e.ifindex, loopback);
}

static void a_host_that_only_reads_gets_events(void **s)
{
	events_begin(s);
	events_h->may_write = false;
	set_mtu(1505);
	assert_int_equal(next_event(1000).kind, EVENT_LINK);
	events_h->may_write = true;
}

int main(void)
{
	static struct suite s;
	int failed;

	if (!events_open())
		return 1;
	SUITE_ADD(&s, when_nothing_happens_the_time_is_over);
	SUITE_ADD(&s, a_change_is_reported_with_its_port);
	SUITE_ADD(&s, a_change_ends_the_wait);
	SUITE_ADD(&s, many_changes_of_one_port_are_one_event);
	SUITE_ADD(&s, overflown_events_are_reported_as_lost);
	SUITE_ADD(&s, who_is_not_the_kernel_is_not_heard);
	SUITE_ADD(&s, a_link_that_goes_is_gone);
	SUITE_ADD(&s, one_that_came_and_went_is_reported_once_as_gone);
	SUITE_ADD(&s, more_ports_than_there_is_room_for_are_reported_as_lost);
	SUITE_ADD(&s, a_port_that_leaves_a_bridge_is_not_gone);
	SUITE_ADD(&s, changes_by_ethtool_are_reported);
	SUITE_ADD(&s, a_host_that_only_reads_gets_events);
	failed = suite_run(&s, "kernel_events");
	events_close();
	return failed;
}
