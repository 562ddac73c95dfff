/*
 * The conversation over netlink, with sockets that fail and a kernel that says whatever a row has
 * it say. The door's own source is built in here, with those for the real ones.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

#define PORTID	    4711
#define FAMILY_ID   29
#define MONITOR_ID  5
#define BUFFER_SIZE 4096
#define NO_ANSWER   0
#define READY	    1

/* What the outside does; what is not said here goes well, and the kernel acknowledges. */
static struct outside {
	int no_socket, no_bind, no_send; /* an errno */
	int waits[4];			 /* what poll() gives: READY, NO_ANSWER, or -errno */
	int no_datagram[2];		 /* of recvfrom(), by the time it is called */
	void (*say)(void);		 /* the kernel's datagram, put into `said` */
} outside;

static struct {
	char bytes[BUFFER_SIZE] __attribute__((aligned(NLMSG_ALIGNTO)));
	size_t size;
	unsigned seq; /* of the last question */
	size_t waited, datagrams;
} said;

/* ---- the kernel's words ---- */

static struct nlmsghdr *put_message(uint16_t type, uint16_t flags, size_t payload)
{
	struct nlmsghdr *n = (struct nlmsghdr *)(said.bytes + said.size);

	n->nlmsg_len = NLMSG_LENGTH((unsigned)payload);
	n->nlmsg_type = type;
	n->nlmsg_flags = flags;
	n->nlmsg_seq = said.seq;
	n->nlmsg_pid = PORTID;
	said.size += NLMSG_SPACE(payload);
	return n;
}

/* Messages are made one after the other: a later one begins where this one ends. */
static void end_message(const struct nlmsghdr *n)
{
	said.size = (size_t)((const char *)n - said.bytes) + NLMSG_ALIGN(n->nlmsg_len);
}

static struct nlmsghdr *put_verdict(int code, uint16_t flags)
{
	struct nlmsghdr *n = put_message(NLMSG_ERROR, flags, sizeof(struct nlmsgerr));

	((struct nlmsgerr *)mnl_nlmsg_get_payload(n))->error = code;
	return n;
}

static void say_ok(void)
{
	put_verdict(0, NLM_F_CAPPED);
}

static void say_busy(void)
{
	put_verdict(-EBUSY, NLM_F_CAPPED);
}

static void say_busy_and_why(void)
{
	struct nlmsghdr *n = put_verdict(-EBUSY, NLM_F_CAPPED | NLM_F_ACK_TLVS);

	mnl_attr_put_u32(n, NLMSGERR_ATTR_OFFS, 4);
	mnl_attr_put_strz(n, NLMSGERR_ATTR_MSG, "somebody reads it");
	end_message(n);
}

/* With the request in between, which is where the sentence would be. */
static void say_busy_with_the_request(void)
{
	struct nlmsghdr *n = put_verdict(-EBUSY, NLM_F_ACK_TLVS);

	mnl_attr_put_strz(n, NLMSGERR_ATTR_MSG, "somebody reads it");
	end_message(n);
}

static void say_busy_without_an_end(void)
{
	struct nlmsghdr *n = put_verdict(-EBUSY, NLM_F_CAPPED | NLM_F_ACK_TLVS);

	mnl_attr_put(n, NLMSGERR_ATTR_MSG, 4, "some");
	end_message(n);
}

static void say_a_positive_errno(void)
{
	put_verdict(EBUSY, 0);
}

static void say_no_errno(void)
{
	put_verdict(-5000, 0);
}

static void say_half_a_verdict(void)
{
	put_message(NLMSG_ERROR, 0, 4);
}

static void say_done_with(int code)
{
	*(int *)mnl_nlmsg_get_payload(put_message(NLMSG_DONE, 0, sizeof(code))) = code;
}

static void say_done_busy(void)
{
	put_message(NLMSG_MIN_TYPE, 0, 4);
	say_done_with(-EBUSY);
}

static void say_done_with_no_errno(void)
{
	say_done_with(1);
}

static void say_done_in_short(void)
{
	put_message(NLMSG_DONE, 0, 2);
}

/* Who walks its attributes would read beyond what came. */
static void say_done_without_its_padding(void)
{
	say_done_in_short();
	said.size -= NLMSG_ALIGN(2) - 2;
}

static void say_done_then_another(void)
{
	put_message(NLMSG_DONE, 0, 4);
	put_verdict(-EBUSY, 0);
}

static void say_reply_then_ok(void)
{
	put_message(NLMSG_MIN_TYPE, 0, 4);
	say_ok();
}

/* NLMSG_NOOP, and answers to somebody else and to another question. */
static void say_what_is_passed_over(void)
{
	put_message(NLMSG_NOOP, 0, 4);
	put_verdict(-EBUSY, 0)->nlmsg_pid = PORTID + 1;
	put_verdict(-EBUSY, 0)->nlmsg_seq = said.seq + 1;
	say_ok();
}

static struct nlmsghdr *put_family(void)
{
	return put_message(NLMSG_MIN_TYPE, 0, sizeof(struct genlmsghdr));
}

static void put_group(struct nlmsghdr *n, const char *name, uint32_t id)
{
	struct nlattr *one = mnl_attr_nest_start(n, 1);

	mnl_attr_put_strz(n, CTRL_ATTR_MCAST_GRP_NAME, name);
	mnl_attr_put_u32(n, CTRL_ATTR_MCAST_GRP_ID, id);
	mnl_attr_nest_end(n, one);
}

static void say_family_with_groups(void)
{
	struct nlmsghdr *n = put_family();
	struct nlattr *groups;

	mnl_attr_put_u16(n, CTRL_ATTR_FAMILY_ID, FAMILY_ID);
	groups = mnl_attr_nest_start(n, CTRL_ATTR_MCAST_GROUPS);
	put_group(n, "other", MONITOR_ID + 1);
	put_group(n, "monitor", MONITOR_ID);
	mnl_attr_nest_end(n, groups);
	end_message(n);
	say_ok();
}

static void say_family_without_groups(void)
{
	struct nlmsghdr *n = put_family();

	mnl_attr_put_u16(n, CTRL_ATTR_FAMILY_ID, FAMILY_ID);
	end_message(n);
	say_ok();
}

/* Of other sizes than these have: a group's name, its number, and the family's. */
static void say_family_of_other_sizes(void)
{
	struct nlmsghdr *n = put_family();
	struct nlattr *groups = mnl_attr_nest_start(n, CTRL_ATTR_MCAST_GROUPS), *one;

	one = mnl_attr_nest_start(n, 1);
	mnl_attr_put(n, CTRL_ATTR_MCAST_GRP_NAME, 4, "moni");
	mnl_attr_put_u8(n, CTRL_ATTR_MCAST_GRP_ID, MONITOR_ID);
	mnl_attr_nest_end(n, one);
	mnl_attr_nest_end(n, groups);
	mnl_attr_put_u8(n, CTRL_ATTR_FAMILY_ID, FAMILY_ID);
	end_message(n);
	say_ok();
}

/* ---- the sockets ---- */

static int fails_with(int code)
{
	errno = code;
	return code ? -1 : 0;
}

static struct mnl_socket *open_socket(void)
{
	return fails_with(outside.no_socket) ? NULL : (struct mnl_socket *)&said;
}

static ssize_t send_question(const struct nlmsghdr *n)
{
	said.seq = n->nlmsg_seq;
	return fails_with(outside.no_send);
}

static int wait_for_it(void)
{
	int ends = said.waited < COUNT(outside.waits) ? outside.waits[said.waited] : NO_ANSWER;

	said.waited++;
	return ends < 0 ? fails_with(-ends) : ends;
}

static ssize_t take(void *buf, size_t room, struct sockaddr_nl *from)
{
	size_t nth = said.datagrams++;

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

#define mnl_socket_open2(protocol, flags)     ((void)(protocol), open_socket())
#define mnl_socket_bind(s, groups, portid)    fails_with(outside.no_bind)
#define mnl_socket_setsockopt(s, name, at, n) (void)take_option(at)
#define mnl_socket_get_fd(s)		      ((void)(s), 7)
#define mnl_socket_get_portid(s)	      ((void)(s), PORTID)
#define mnl_socket_sendto(s, n, size)	      ((void)(s), send_question(n))
#define poll(p, count, wait)		      ((void)(p), (void)(wait), wait_for_it())
#define recvfrom(fd, buf, room, flags, from, n) \
	((void)(fd), (void)(n), take(buf, room, (void *)(from)))
#include "agent/host/netlink.c"
#undef poll
#undef recvfrom

/* ---- the tests ---- */

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

static int take_reply(const struct nlmsghdr *n, void *arg)
{
	(void)n;
	++*(unsigned *)arg;
	return MNL_CB_OK;
}

static int refuse_reply(const struct nlmsghdr *n, void *arg)
{
	(void)n;
	(void)arg;
	return MNL_CB_ERROR;
}

static bool ask(struct host_linux *l, enum bus bus, reply_fn *each, void *arg, struct err *err)
{
	struct nlmsghdr n = { .nlmsg_len = sizeof(n) };

	return host_linux_talk(&l->host, bus, &n, each, arg, err);
}

static const struct row {
	const char *sentence;
	struct outside outside;
	reply_fn *each;
	enum err_kind kind; /* ERR_NONE: it succeeds */
	int code;
	const char *text; /* part of what is said */
} rows[] = {
	{ "the kernel acknowledges", { .waits = { READY }, .say = say_ok }, NULL, ERR_NONE, 0, "" },
	{ "no socket", { .no_socket = EMFILE }, NULL, ERR_SYSTEM, EMFILE, "open a netlink socket" },
	{ "a socket without a name",
	  { .no_bind = ENOMEM },
	  NULL,
	  ERR_SYSTEM,
	  ENOMEM,
	  "open a netlink socket" },
	{ "it cannot be sent", { .no_send = ENOBUFS }, NULL, ERR_SYSTEM, ENOBUFS, "netlink" },
	{ "not permitted to send", { .no_send = EPERM }, NULL, ERR_DENIED, EPERM, "netlink" },
	{ "no answer", { .waits = { NO_ANSWER } }, NULL, ERR_SYSTEM, ETIMEDOUT, "does not answer" },
	{ "a signal while waiting is no answer yet",
	  { .waits = { -EINTR, READY }, .say = say_ok },
	  NULL,
	  ERR_NONE,
	  0,
	  "" },
	{ "who is only interrupted ends, too",
	  { .waits = { -EINTR, -EINTR, -EINTR, NO_ANSWER } },
	  NULL,
	  ERR_SYSTEM,
	  ETIMEDOUT,
	  "does not answer" },
	{ "waiting fails", { .waits = { -EBADF } }, NULL, ERR_SYSTEM, EBADF, "poll" },
	{ "a signal while reading is no datagram yet",
	  { .waits = { READY, READY }, .no_datagram = { EINTR }, .say = say_ok },
	  NULL,
	  ERR_NONE,
	  0,
	  "" },
	{ "reading fails",
	  { .waits = { READY }, .no_datagram = { ENOBUFS }, .say = say_ok },
	  NULL,
	  ERR_SYSTEM,
	  ENOBUFS,
	  "netlink" },
	{ "busy", { .waits = { READY }, .say = say_busy }, NULL, ERR_SYSTEM, EBUSY, "busy" },
	{ "busy, and why",
	  { .waits = { READY }, .say = say_busy_and_why },
	  NULL,
	  ERR_SYSTEM,
	  EBUSY,
	  "busy: somebody reads it" },
	{ "the sentence is looked for only where it is known to be",
	  { .waits = { READY }, .say = say_busy_with_the_request },
	  NULL,
	  ERR_SYSTEM,
	  EBUSY,
	  "busy" },
	{ "a sentence without an end is not printed",
	  { .waits = { READY }, .say = say_busy_without_an_end },
	  NULL,
	  ERR_SYSTEM,
	  EBUSY,
	  "busy" },
	{ "a positive number is no errno of the kernel's",
	  { .waits = { READY }, .say = say_a_positive_errno },
	  NULL,
	  ERR_SYSTEM,
	  EPROTO,
	  "no errno" },
	{ "nor is one beyond the last",
	  { .waits = { READY }, .say = say_no_errno },
	  NULL,
	  ERR_SYSTEM,
	  EPROTO,
	  "no errno" },
	{ "half a verdict",
	  { .waits = { READY }, .say = say_half_a_verdict },
	  NULL,
	  ERR_SYSTEM,
	  EPROTO,
	  "cut short" },
	{ "a dump that fails at its end",
	  { .waits = { READY }, .say = say_done_busy },
	  NULL,
	  ERR_SYSTEM,
	  EBUSY,
	  "busy" },
	{ "a dump whose end is no errno",
	  { .waits = { READY }, .say = say_done_with_no_errno },
	  NULL,
	  ERR_SYSTEM,
	  EPROTO,
	  "no errno" },
	{ "an end that has no room for an errno",
	  { .waits = { READY }, .say = say_done_in_short },
	  NULL,
	  ERR_NONE,
	  0,
	  "" },
	{ "a message whose padding did not come is none",
	  { .waits = { READY, NO_ANSWER }, .say = say_done_without_its_padding },
	  NULL,
	  ERR_SYSTEM,
	  ETIMEDOUT,
	  "does not answer" },
	{ "what follows the end is not looked at",
	  { .waits = { READY }, .say = say_done_then_another },
	  NULL,
	  ERR_NONE,
	  0,
	  "" },
	{ "what is said to somebody else, and to another question, is passed over",
	  { .waits = { READY }, .say = say_what_is_passed_over },
	  refuse_reply,
	  ERR_NONE,
	  0,
	  "" },
	{ "a reply that nobody wants",
	  { .waits = { READY }, .say = say_reply_then_ok },
	  NULL,
	  ERR_NONE,
	  0,
	  "" },
	{ "a reply that cannot be understood",
	  { .waits = { READY }, .say = say_reply_then_ok },
	  refuse_reply,
	  ERR_SYSTEM,
	  EPROTO,
	  "cannot be understood" },
};

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

/* Longer at first, then hardly at all, until it answers. */
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

/* Generic netlink: the family is asked for once, before the first question. */
static const struct family_row {
	const char *sentence;
	void (*say)(void);
	bool is_there;
	uint32_t monitor;
} family_rows[] = {
	{ "a family and its group", say_family_with_groups, true, MONITOR_ID },
	{ "a family that tells nothing unasked", say_family_without_groups, true, 0 },
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
	assert_int_equal(another.monitor, 0); /* ethtool's only */
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
	SUITE_ADD(&s, who_was_silent_is_waited_for_less);
	SUITE_ADD_ROWS(&s, family_rows, the_family_is_what_the_kernel_says);
	SUITE_ADD(&s, a_family_is_asked_for_once);
	return suite_run(&s, "talk");
}
