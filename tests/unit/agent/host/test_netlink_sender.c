/*
 * Tests of the senders on our netlink sockets: any process with CAP_NET_ADMIN in the network
 * namespace may send to them. In its own namespace, the test sends before the kernel answers.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

#define FORGED_NAME "forged0"
#define FORGED_MTU  4242

static struct host_linux outside;
static bool alone; /* in a network namespace of the test's own */

static void begin(void)
{
	struct err err = { 0 };

	if (!alone)
		skip();
	assert_true(host_linux_open(&outside, "/", false, &err));
}

/* Send a message before the request, so that it arrives before the answer. */
static void forge(unsigned portid, const void *message, size_t size)
{
	struct sockaddr_nl to = { .nl_family = AF_NETLINK, .nl_pid = portid };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	assert_true(fd >= 0);
	assert_int_equal(sendto(fd, message, size, 0, (struct sockaddr *)&to, sizeof(to)), size);
	close(fd);
}

/* Send a link that the kernel did not report, as an answer to the request `seq`. */
static void forge_link(unsigned portid, unsigned seq, unsigned index)
{
	char buf[512] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *i = mnl_nlmsg_put_extra_header(n, sizeof(*i));

	n->nlmsg_type = RTM_NEWLINK;
	n->nlmsg_flags = NLM_F_MULTI;
	n->nlmsg_seq = seq;
	n->nlmsg_pid = portid;
	i->ifi_index = (int)index;
	mnl_attr_put_strz(n, IFLA_IFNAME, FORGED_NAME);
	mnl_attr_put_u32(n, IFLA_MTU, FORGED_MTU);
	forge(portid, n, n->nlmsg_len);
}

static int count(const struct nlmsghdr *reply, void *arg)
{
	const struct ifinfomsg *i = mnl_nlmsg_get_payload(reply);

	((unsigned *)arg)[i->ifi_index == 1 ? 0 : 1]++;
	return MNL_CB_OK;
}

static bool ask(unsigned seen[2], struct err *err)
{
	char buf[64] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *i = mnl_nlmsg_put_extra_header(n, sizeof(*i));

	n->nlmsg_type = RTM_GETLINK;
	i->ifi_index = 1;
	seen[0] = seen[1] = 0;
	return host_talk(&outside.host, BUS_ROUTE, n, count, seen, err);
}

/* Return the port id that the next request comes from. */
static unsigned our_port(void)
{
	unsigned seen[2];
	struct err err = { 0 };

	assert_true(ask(seen, &err));
	return mnl_socket_get_portid(outside.bus[BUS_ROUTE]);
}

static void what_another_process_says_is_not_the_kernel_s_answer(void **s)
{
	unsigned port, seen[2];
	struct err err = { 0 };

	(void)s;
	begin();
	port = our_port();
	forge_link(port, outside.seq + 1, 77);
	assert_true(ask(seen, &err));
	assert_int_equal(seen[0], 1);
	assert_int_equal(seen[1], 0);
	host_linux_close(&outside);
}

static void nor_is_its_refusal(void **s)
{
	char buf[512] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct nlmsgerr *e = mnl_nlmsg_put_extra_header(n, sizeof(*e));
	unsigned seen[2];
	struct err err = { 0 };

	(void)s;
	begin();
	n->nlmsg_type = NLMSG_ERROR;
	n->nlmsg_pid = our_port();
	n->nlmsg_seq = outside.seq + 1;
	e->error = -EPERM;
	forge(n->nlmsg_pid, n, n->nlmsg_len);
	assert_true(ask(seen, &err));
	assert_int_equal(seen[0], 1);
	host_linux_close(&outside);
}

static void links_are_only_those_that_the_kernel_lists(void **s)
{
	struct link_list links = { .links = NULL };
	struct err err = { 0 };

	(void)s;
	begin();
	assert_true(host_linux_links(&outside.host, &links, &err));
	free(links.links);
	forge_link(mnl_socket_get_portid(outside.bus[BUS_ROUTE]), outside.seq + 1, 77);
	assert_true(host_linux_links(&outside.host, &links, &err));
	assert_true(links.count > 0);
	for (size_t i = 0; i < links.count; i++)
		assert_string_not_equal(links.links[i].name, FORGED_NAME);
	free(links.links);
	host_linux_close(&outside);
}

static void a_link_is_as_the_kernel_reports(void **s)
{
	struct link link;
	struct err err = { 0 };

	(void)s;
	begin();
	assert_true(host_linux_link(&outside.host, 1, &link, &err));
	forge_link(mnl_socket_get_portid(outside.bus[BUS_ROUTE]), outside.seq + 1, 1);
	assert_true(host_linux_link(&outside.host, 1, &link, &err));
	assert_string_equal(link.name, "lo");
	assert_int_not_equal(link.mtu, FORGED_MTU);
	host_linux_close(&outside);
}

static void events_come_from_the_kernel_alone(void **s)
{
	struct err err = { 0 };
	struct event e;

	(void)s;
	begin();
	assert_true(host_linux_next_event(&outside.host, 0, &e, &err));
	forge_link(mnl_socket_get_portid(outside.listener.event_sockets[EVENT_SOCKET_ROUTE]), 0,
		   77);
	assert_true(host_linux_next_event(&outside.host, 0, &e, &err));
	assert_int_equal(e.kind, EVENT_NONE);
	host_linux_close(&outside);
}

int main(void)
{
	static struct suite s;

	alone = unshare(CLONE_NEWNET) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0;
	SUITE_ADD(&s, what_another_process_says_is_not_the_kernel_s_answer);
	SUITE_ADD(&s, nor_is_its_refusal);
	SUITE_ADD(&s, links_are_only_those_that_the_kernel_lists);
	SUITE_ADD(&s, a_link_is_as_the_kernel_reports);
	SUITE_ADD(&s, events_come_from_the_kernel_alone);
	return suite_run(&s, "who speaks on netlink");
}
