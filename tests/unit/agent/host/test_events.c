/*
 * What the kernel tells unasked, in a network namespace of the test's own: its
 * loopback is the port. Where none can be made, all of it is skipped.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

static struct host_linux outside;
static struct host *const h = &outside.host;
static int control = -1;
static unsigned lo;

static struct event next(unsigned wait_ms)
{
	struct err err = { 0 };
	struct event e = { .ifindex = 99 };

	if (!host_next_event(h, wait_ms, &e, &err))
		fail_msg("%s", err.text);
	return e;
}

static void drain(void)
{
	while (next(0).kind != EVENT_NONE)
		;
}

/* Nothing is heard for a moment. */
static void silence(void)
{
	assert_int_equal(next(0).kind, EVENT_NONE);
}

static void set_mtu(int mtu)
{
	struct ifreq r = { .ifr_name = "lo", .ifr_mtu = mtu };

	assert_int_equal(ioctl(control, SIOCSIFMTU, &r), 0);
}

static void begin(void **s)
{
	(void)s;
	if (control < 0)
		skip();
	drain();
}

static void when_nothing_happens_the_time_is_over(void **s)
{
	uint64_t before;

	begin(s);
	before = h->now_ms(h);
	assert_int_equal(next(50).kind, EVENT_NONE);
	assert_true(h->now_ms(h) - before >= 50);
	assert_true(h->now_ms(h) - before < 1000);
}

static void a_change_is_told_with_its_port(void **s)
{
	struct event e;

	begin(s);
	set_mtu(1501);
	e = next(1000);
	assert_int_equal(e.kind, EVENT_LINK);
	assert_int_equal(e.ifindex, lo);
	assert_false(e.gone);
	silence();
}

static void a_change_ends_the_wait(void **s)
{
	uint64_t before;
	pid_t pid;

	begin(s);
	before = h->now_ms(h);
	pid = fork();
	if (pid == 0) {
		usleep(50000);
		set_mtu(1502);
		_exit(0);
	}
	assert_int_equal(next(10000).kind, EVENT_LINK);
	assert_true(h->now_ms(h) - before < 5000);
}

static void many_changes_of_one_port_are_one_event(void **s)
{
	begin(s);
	for (int i = 0; i < 20; i++)
		set_mtu(1600 + i);
	assert_int_equal(next(1000).kind, EVENT_LINK);
	silence();
}

static void what_ran_over_is_told_as_lost(void **s)
{
	begin(s);
	for (int i = 0; i < 3000; i++)
		set_mtu(1600 + (i & 1));
	assert_int_equal(next(1000).kind, EVENT_LOST);
	silence();
	set_mtu(1502); /* and it hears again */
	assert_int_equal(next(1000).kind, EVENT_LINK);
}

/* A message as the kernel would send it, straight to the ear. */
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
	to.nl_pid = mnl_socket_get_portid(outside.listener.event_sockets[EVENT_SOCKET_ROUTE]);
	assert_true(sendto(fd, buf, n->nlmsg_len, 0, (struct sockaddr *)&to, sizeof(to)) > 0);
	close(fd);
}

static void who_is_not_the_kernel_is_not_heard(void **s)
{
	begin(s);
	send_link(RTM_NEWLINK, AF_UNSPEC, 42);
	silence();
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

/* Of a kind that this kernel has; the test is skipped where it has none. */
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

	begin(s);
	make("d0");
	ifindex = if_nametoindex("d0");
	e = next(1000);
	assert_int_equal(e.kind, EVENT_LINK);
	assert_int_equal(e.ifindex, ifindex);
	assert_false(e.gone);
	silence();
	assert_true(drop("d0"));
	e = next(1000);
	assert_int_equal(e.ifindex, ifindex);
	assert_true(e.gone);
	silence();
}

static void one_that_came_and_went_is_told_once_as_gone(void **s)
{
	struct event e;

	begin(s);
	make("d0");
	drop("d0");
	set_mtu(1503);
	e = next(1000);
	assert_int_equal(e.kind, EVENT_LINK);
	assert_true(e.gone);
	e = next(1000);
	assert_int_equal(e.ifindex, lo);
	assert_false(e.gone);
	silence();
}

static void more_ports_than_there_is_room_for_are_told_as_lost(void **s)
{
	char name[16];

	begin(s);
	for (int i = 0; i <= EVENTS_MAX; i++) {
		snprintf(name, sizeof(name), "d%d", i);
		make(name);
	}
	assert_int_equal(next(1000).kind, EVENT_LOST);
	silence();
	for (int i = 0; i <= EVENTS_MAX; i++) {
		snprintf(name, sizeof(name), "d%d", i);
		drop(name);
	}
}

static void a_port_that_leaves_a_bridge_is_not_gone(void **s)
{
	struct ifreq r = { .ifr_name = "b0" };
	struct event e;

	begin(s);
	make("d0");
	if (!make_kind("b0", "bridge"))
		skip();
	r.ifr_ifindex = (int)if_nametoindex("d0");
	assert_int_equal(ioctl(control, SIOCBRADDIF, &r), 0);
	drain();
	assert_int_equal(ioctl(control, SIOCBRDELIF, &r), 0);
	while ((e = next(100)).kind != EVENT_NONE)
		assert_false(e.gone);
	assert_true(drop("d0") && drop("b0"));
}

static void what_ethtool_changes_is_told(void **s)
{
	struct ethtool_value gro = { .cmd = ETHTOOL_GGRO };
	struct ifreq r = { .ifr_name = "lo", .ifr_data = (char *)&gro };
	struct event e;

	begin(s);
	assert_int_equal(ioctl(control, SIOCETHTOOL, &r), 0);
	gro = (struct ethtool_value){ ETHTOOL_SGRO, !gro.data };
	assert_int_equal(ioctl(control, SIOCETHTOOL, &r), 0);
	while ((e = next(1000)).kind == EVENT_LINK)
		;
	assert_int_equal(e.kind, EVENT_ETHTOOL);
	assert_int_equal(e.ifindex, lo);
}

static volatile sig_atomic_t caught;

static void note(int number)
{
	caught = number;
}

static void block(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(how, &set, NULL);
}

static void a_signal_that_was_blocked_ends_the_wait(void **s)
{
	uint64_t before;

	begin(s);
	block(SIG_BLOCK);
	caught = 0;
	raise(SIGTERM);
	assert_int_equal(caught, 0);
	before = h->now_ms(h);
	assert_int_equal(next(10000).kind, EVENT_SIGNAL);
	assert_int_equal(caught, SIGTERM);
	assert_true(h->now_ms(h) - before < 5000);
	silence();
	block(SIG_UNBLOCK);
}

static void a_signal_that_comes_meanwhile_ends_the_wait(void **s)
{
	uint64_t before;
	pid_t parent = getpid(), pid;

	begin(s);
	block(SIG_BLOCK);
	caught = 0;
	before = h->now_ms(h);
	pid = fork();
	if (pid == 0) {
		usleep(50000);
		kill(parent, SIGTERM);
		_exit(0);
	}
	assert_int_equal(next(10000).kind, EVENT_SIGNAL);
	assert_int_equal(caught, SIGTERM);
	assert_true(h->now_ms(h) - before < 5000);
	block(SIG_UNBLOCK);
}

static void events_keep_no_signal_out_nor_the_other_way_round(void **s)
{
	begin(s);
	block(SIG_BLOCK);
	set_mtu(1504);
	raise(SIGTERM);
	assert_int_equal(next(1000).kind, EVENT_SIGNAL);
	assert_int_equal(next(1000).kind, EVENT_LINK);
	silence();
	block(SIG_UNBLOCK);
}

static void a_signal_with_no_time_to_wait_is_told(void **s)
{
	begin(s);
	block(SIG_BLOCK);
	raise(SIGTERM);
	assert_int_equal(next(0).kind, EVENT_SIGNAL);
	block(SIG_UNBLOCK);
}

static void a_host_that_only_reads_hears_as_well(void **s)
{
	begin(s);
	h->may_write = false;
	set_mtu(1505);
	assert_int_equal(next(1000).kind, EVENT_LINK);
	h->may_write = true;
}

int main(void)
{
	static struct suite s;
	struct err err = { 0 };
	struct sigaction action = { .sa_handler = note };
	int failed;

	if (unshare(CLONE_NEWNET) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0)
		control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	lo = if_nametoindex("lo");
	sigaction(SIGTERM, &action, NULL);
	if (!host_linux_open(&outside, "/", true, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	SUITE_ADD(&s, when_nothing_happens_the_time_is_over);
	SUITE_ADD(&s, a_change_is_told_with_its_port);
	SUITE_ADD(&s, a_change_ends_the_wait);
	SUITE_ADD(&s, many_changes_of_one_port_are_one_event);
	SUITE_ADD(&s, what_ran_over_is_told_as_lost);
	SUITE_ADD(&s, who_is_not_the_kernel_is_not_heard);
	SUITE_ADD(&s, a_link_that_goes_is_gone);
	SUITE_ADD(&s, one_that_came_and_went_is_told_once_as_gone);
	SUITE_ADD(&s, more_ports_than_there_is_room_for_are_told_as_lost);
	SUITE_ADD(&s, a_port_that_leaves_a_bridge_is_not_gone);
	SUITE_ADD(&s, what_ethtool_changes_is_told);
	SUITE_ADD(&s, a_signal_that_was_blocked_ends_the_wait);
	SUITE_ADD(&s, a_signal_that_comes_meanwhile_ends_the_wait);
	SUITE_ADD(&s, events_keep_no_signal_out_nor_the_other_way_round);
	SUITE_ADD(&s, a_signal_with_no_time_to_wait_is_told);
	SUITE_ADD(&s, a_host_that_only_reads_hears_as_well);
	failed = suite_run(&s, "events");
	host_linux_close(&outside);
	if (control >= 0)
		close(control);
	return failed;
}
