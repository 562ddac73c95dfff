/*
 * Tests of requests over netlink, with failing sockets and a kernel that answers by a row.
 * netlink.c is built in here, with these sockets instead of real ones.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "tests/support/unit.h"
#include "tests/unit/agent/host/rows_netlink.h"

static struct outside outside;

static int fails_with(int code)
{
	errno = code;
	return code ? -1 : 0;
}

static ssize_t send_question(const struct nlmsghdr *n)
{
	said.seq = n->nlmsg_seq;
	outside.flags = n->nlmsg_flags;
	return fails_with(outside.no_send);
}

static int wait_for_it(void)
{
	int ends = said.waited < COUNT(outside.waits) ? outside.waits[said.waited] : NO_ANSWER;

	said.waited++;
	said.ready = ends > 0;
	return ends < 0 ? fails_with(-ends) : ends;
}

static ssize_t take(void *buf, size_t room, struct sockaddr_nl *from)
{
	size_t nth = said.datagrams;

	if (!said.ready && !outside.is_there_at_once)
		return fails_with(EAGAIN);
	said.ready = false;
	said.datagrams++;
	if (nth < COUNT(outside.no_datagram) && fails_with(outside.no_datagram[nth]))
		return -1;
	said.size = 0;
	memset(said.bytes, 0, sizeof(said.bytes));
	outside.say();
	from->nl_pid = 0;
	memcpy(buf, said.bytes, said.size < room ? said.size : room);
	return (ssize_t)said.size;
}

static int take_option(const void *value)
{
	return value ? 0 : -1;
}

#define socket(domain, type, protocol)	      ((void)(protocol), fails_with(outside.no_socket))
#define bind(fd, at, size)		      ((void)(fd), (void)(at), fails_with(outside.no_bind))
#define mnl_socket_fdopen(fd)		      ((struct mnl_socket *)&said)
#define close(fd)			      (void)(fd)
#define mnl_socket_setsockopt(s, name, at, n) (void)take_option(at)
#define mnl_socket_get_fd(s)		      ((void)(s), 7)
#define mnl_socket_get_portid(s)	      ((void)(s), PORTID)
#define send(fd, n, size, flags)	      ((void)(fd), send_question(n))
#define poll(p, count, wait)		      ((void)(p), (void)(wait), wait_for_it())
#define recvfrom(fd, buf, room, flags, from, n) \
	((void)(fd), (void)(n), take(buf, room, (void *)(from)))
#include "agent/host/netlink.c"
#undef poll
#undef recvfrom
#undef socket
#undef close
#undef send

static uint64_t now;

static uint64_t slow_clock(struct host *h)
{
	(void)h;
	return now += 100;
}

static struct host_linux begin(const struct outside *o)
{
	outside = *o;
	memset(&said, 0, sizeof(said));
	now = 0;
	return (struct host_linux){ .host.now_ms = slow_clock };
}

static bool ask(struct host_linux *l, enum bus bus, reply_fn *each, void *arg, struct err *err)
{
	struct {
		struct nlmsghdr n;
		struct genlmsghdr g;
	} request = { .n.nlmsg_len = sizeof(request) };

	return host_linux_talk(&l->host, bus, &request.n, each, arg, err);
}

static void ends_as_the_row_says(void **s)
{
	const struct row *r = *s;
	struct host_linux l = begin(&r->outside);
	struct err err = { 0 };

	assert_int_equal(ask(&l, BUS_ROUTE, r->each, NULL, &err), r->kind == ERR_NONE);
	assert_int_equal(err.kind, r->kind);
	assert_int_equal(err.code, r->code);
	assert_non_null(strstr(err.text, r->text));
	assert_null(r->kind == ERR_SYSTEM && r->code == EBUSY && !strchr(r->text, ':')
			    ? strchr(err.text, ':')
			    : NULL);
}

static void every_reply_is_handed_out(void **s)
{
	struct outside o = { .waits = { READY }, .say = say_reply_then_ok };
	struct host_linux l = begin(&o);
	struct err err = { 0 };
	unsigned count = 0;

	(void)s;
	assert_true(ask(&l, BUS_ROUTE, take_reply, &count, &err));
	assert_int_equal(count, 1);
}

static const struct end_row {
	const char *sentence;
	uint16_t type, flags;
	bool ends; /* after the first reply */
} end_rows[] = {
	{ "a question has one reply", RTM_GETLINK, 0, true },
	{ "a dump goes on to its end", RTM_GETLINK, NLM_F_DUMP, false },
	{ "a change is acknowledged", RTM_NEWLINK, 0, false },
	{ "what replaces something is no dump", RTM_NEWLINK, NLM_F_REPLACE, false },
};

static void it_ends_as_its_kind_does(void **s)
{
	const struct end_row *r = *s;
	struct outside o = { .waits = { READY, NO_ANSWER }, .say = say_reply };
	struct host_linux l = begin(&o);
	struct nlmsghdr n = { .nlmsg_len = sizeof(n),
			      .nlmsg_type = r->type,
			      .nlmsg_flags = r->flags };
	struct err err = { 0 };
	unsigned count = 0;

	assert_int_equal(host_linux_talk(&l.host, BUS_ROUTE, &n, take_reply, &count, &err),
			 r->ends);
	assert_int_equal(count, 1);
	assert_int_equal(!(outside.flags & NLM_F_ACK), r->ends);
}

/* The wait is long at first, then at most a tenth of that until the kernel answers. */
static void who_was_silent_is_waited_for_less(void **s)
{
	struct outside o = { .waits = { NO_ANSWER, NO_ANSWER, READY }, .say = say_ok };
	struct host_linux l = begin(&o);
	struct err err = { 0 };
	unsigned patience = host_linux_timeout_ms(&l);

	(void)s;
	for (int i = 0; i < 2; i++) {
		assert_false(ask(&l, BUS_ROUTE, NULL, NULL, &err));
		assert_true(host_linux_timeout_ms(&l) * 10 <= patience);
		err = (struct err){ 0 };
	}
	assert_true(ask(&l, BUS_ROUTE, NULL, NULL, &err));
	assert_int_equal(host_linux_timeout_ms(&l), patience);
}

/* Generic netlink: the family is requested once, before the first request. */
static const struct family_row {
	const char *sentence;
	void (*say)(void);
	bool is_there;
	uint32_t monitor;
} family_rows[] = {
	{ "a family and its group", say_family_with_groups, true, MONITOR_ID },
	{ "a family without notifications", say_family_without_groups, true, 0 },
	{ "numbers of another size are none", say_family_of_other_sizes, false, 0 },
	{ "no number at all", say_ok, false, 0 },
	{ "no such family", say_busy, false, 0 },
};

static void the_family_is_what_the_kernel_says(void **s)
{
	const struct family_row *r = *s;
	struct outside o = { .waits = { READY, READY, READY }, .say = r->say };
	struct host_linux l = begin(&o), another = l, third = l;
	struct err err = { 0 }, told = { 0 }, refused = { 0 };
	uint32_t monitor = 0;

	assert_int_equal(host_linux_ethtool_monitor(&l, &monitor, &err), r->monitor != 0);
	assert_int_equal(monitor, r->monitor);
	assert_int_equal(l.family[BUS_ETHTOOL], r->is_there ? FAMILY_ID : 0);
	if (!r->monitor)
		assert_int_equal(err.kind, ERR_UNSUPPORTED);
	assert_int_equal(ask(&another, BUS_DEVLINK, NULL, NULL, &told), r->is_there);
	assert_int_equal(another.monitor, 0); /* only ethtool's family sets it */
	outside.no_socket = EMFILE;
	assert_false(host_linux_ethtool_monitor(&third, &monitor, &refused));
	assert_int_equal(refused.code, EMFILE);
}

static void a_family_is_asked_for_once(void **s)
{
	struct outside o = { .waits = { READY, READY, READY }, .say = say_family_with_groups };
	struct host_linux l = begin(&o);
	struct err err = { 0 };
	uint32_t monitor;

	(void)s;
	assert_true(ask(&l, BUS_ETHTOOL, NULL, NULL, &err));
	assert_int_equal(said.datagrams, 2);
	assert_true(host_linux_ethtool_monitor(&l, &monitor, &err));
	assert_int_equal(said.datagrams, 2);
	assert_true(ask(&l, BUS_ETHTOOL, NULL, NULL, &err));
	assert_int_equal(said.datagrams, 3);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, ends_as_the_row_says);
	SUITE_ADD(&s, every_reply_is_handed_out);
	SUITE_ADD_ROWS(&s, end_rows, it_ends_as_its_kind_does);
	SUITE_ADD(&s, who_was_silent_is_waited_for_less);
	SUITE_ADD_ROWS(&s, family_rows, the_family_is_what_the_kernel_says);
	SUITE_ADD(&s, a_family_is_asked_for_once);
	return suite_run(&s, "talk");
}
