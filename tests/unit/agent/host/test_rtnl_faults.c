/*
 * Tests of links when libnl or the kernel fails. rtnl.c is built in here, with calls that a row
 * makes fail; test_rtnl.c tests the successes.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/link/vlan.h>
#include <stdlib.h>
#include <string.h>

#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

/* Calls of libnl and the C library, and the kernel's answers. */
enum call {
	NOTHING,
	ANSWER,
	ALLOCATE_MESSAGE,
	PARSE,
	BUILD,
	ALLOCATE_LINK,
	ALLOCATE_VLAN,
	ALLOCATE_LIST,
	MAP,
	KEEP_CHANGING, /* every dump is interrupted */
	CHANGE_ONCE,   /* the first dump is interrupted */
	OTHER_ANSWER,  /* a message that is no link */
};

static struct {
	enum call fails;
	int code;	     /* the kernel's answer */
	unsigned short type; /* ARPHRD_ of the link */
	unsigned dumps;	     /* so far */
} outside;

static bool fails(enum call c)
{
	return outside.fails == c;
}

/* Functions keep the branches of the source as they are in the program. */
static struct nl_msg *try_convert(struct nlmsghdr *n)
{
	return fails(ALLOCATE_MESSAGE) ? NULL : nlmsg_convert(n);
}

static int try_parse(struct nl_msg *m, void (*each)(struct nl_object *, void *), void *arg)
{
	return fails(PARSE) ? -NLE_NOMEM : nl_msg_parse(m, each, arg);
}

static int try_build(struct rtnl_link *was, struct rtnl_link *change, int flags,
		     struct nl_msg **ret)
{
	return fails(BUILD) ? -NLE_NOMEM : rtnl_link_build_change_request(was, change, flags, ret);
}

static struct rtnl_link *try_link(void)
{
	return fails(ALLOCATE_LINK) ? NULL : rtnl_link_alloc();
}

static struct rtnl_link *try_vlan(void)
{
	return fails(ALLOCATE_VLAN) ? NULL : rtnl_link_vlan_alloc();
}

static int try_map(struct rtnl_link *l, uint32_t from, int to)
{
	return fails(MAP) ? -NLE_NOMEM : rtnl_link_vlan_set_egress_map(l, from, to);
}

static void *try_realloc(void *old, size_t size)
{
	return fails(ALLOCATE_LIST) ? NULL : realloc(old, size);
}

#define nlmsg_convert		       try_convert
#define nl_msg_parse		       try_parse
#define rtnl_link_build_change_request try_build
#define rtnl_link_alloc		       try_link
#define rtnl_link_vlan_alloc	       try_vlan
#define rtnl_link_vlan_set_egress_map  try_map
#define realloc			       try_realloc
#include "agent/host/rtnl.c"
#undef realloc

/* Reply with lo, as the kernel describes it. */
static int reply_link(reply_fn *each, void *arg, uint16_t flags)
{
	char room[256] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(room);
	struct ifinfomsg *link = mnl_nlmsg_put_extra_header(n, sizeof(*link));

	n->nlmsg_type = fails(OTHER_ANSWER) ? RTM_NEWROUTE : RTM_NEWLINK;
	n->nlmsg_flags = flags;
	link->ifi_index = 1;
	link->ifi_type = outside.type;
	mnl_attr_put_strz(n, IFLA_IFNAME, "lo");
	mnl_attr_put_u32(n, IFLA_MAX_MTU, 9978);
	return each ? each(n, arg) : MNL_CB_OK;
}

static bool talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		 struct err *err)
{
	bool is_dump = request->nlmsg_type == RTM_GETLINK && (request->nlmsg_flags & NLM_F_DUMP);
	bool interrupted;

	(void)h;
	assert_int_equal(bus, BUS_ROUTE);
	outside.dumps += is_dump;
	interrupted = fails(KEEP_CHANGING) || (fails(CHANGE_ONCE) && outside.dumps == 1);
	if (fails(ANSWER))
		return err_set(err, host_err_kind(outside.code), outside.code, "%s",
			       strerror(outside.code));
	return reply_link(each, arg, is_dump && interrupted ? NLM_F_DUMP_INTR : 0) >= 0 ||
	       err_set(err, ERR_SYSTEM, EPROTO, "the kernel's answer cannot be parsed");
}

enum work { DO_LIST, DO_LOOK, DO_MTU, DO_EGRESS };

static bool carry_out(struct host *h, enum work w, struct err *err)
{
	_link_list_ struct link_list list = { .links = NULL };
	struct link link = { .ifindex = 0 };

	switch (w) {
	case DO_LIST:
		return host_linux_links(h, &list, err) && list.count == 1 &&
		       list.links[0].max_mtu == 9978;
	case DO_LOOK:
		return host_linux_link(h, 1, &link, err) && link.ifindex == 1 &&
		       link.max_mtu == 9978;
	case DO_MTU:
		return host_linux_set_mtu(h, 1, 4200, err);
	case DO_EGRESS:
		return host_linux_set_egress(h, 1, 3, 5, err);
	}
	return false;
}

static const struct row {
	const char *sentence;
	enum call fails;
	int answer;
	enum work work;
	enum err_kind kind;
	int code;
	const char *text;
} rows[] = {
	{ "nothing fails: a list", NOTHING, 0, DO_LIST, ERR_NONE, 0, "" },
	{ "nothing fails: a look", NOTHING, 0, DO_LOOK, ERR_NONE, 0, "" },
	{ "nothing fails: an MTU", NOTHING, 0, DO_MTU, ERR_NONE, 0, "" },
	{ "nothing fails: a map", NOTHING, 0, DO_EGRESS, ERR_NONE, 0, "" },
	{ "a list that changed meanwhile", CHANGE_ONCE, 0, DO_LIST, ERR_NONE, 0, "" },
	{ "a list that keeps changing", KEEP_CHANGING, 0, DO_LIST, ERR_UNKNOWN, EAGAIN, "keep" },
	{ "no list", ANSWER, ENOBUFS, DO_LIST, ERR_SYSTEM, ENOBUFS, "list the links" },
	{ "no list without permission", ANSWER, EPERM, DO_LIST, ERR_DENIED, EPERM, "list the" },
	{ "no memory for a list", ALLOCATE_LIST, 0, DO_LIST, ERR_SYSTEM, ENOMEM, "memory" },
	{ "no memory for a message", ALLOCATE_MESSAGE, 0, DO_LIST, ERR_SYSTEM, ENOMEM, "memory" },
	{ "no memory for a look", ALLOCATE_MESSAGE, 0, DO_LOOK, ERR_SYSTEM, ENOMEM, "memory" },
	{ "an answer that libnl cannot read", PARSE, 0, DO_LIST, ERR_SYSTEM, EPROTO, "parsed" },
	{ "an answer that is no link", OTHER_ANSWER, 0, DO_LOOK, ERR_SYSTEM, EPROTO, "parsed" },
	{ "a link that is not there", ANSWER, ENODEV, DO_LOOK, ERR_GONE, ENODEV, "read the" },
	{ "no memory for an MTU", ALLOCATE_LINK, 0, DO_MTU, ERR_SYSTEM, ENOMEM, "memory" },
	{ "no message for an MTU", BUILD, 0, DO_MTU, ERR_SYSTEM, ENOMEM, "memory" },
	{ "an MTU that the driver refuses", ANSWER, EINVAL, DO_MTU, ERR_SYSTEM, EINVAL, "refused" },
	{ "an MTU without permission", ANSWER, EPERM, DO_MTU, ERR_DENIED, EPERM, "refused" },
	{ "an MTU of a link that is gone", ANSWER, ENODEV, DO_MTU, ERR_GONE, ENODEV, "refused" },
	{ "no link for a map", ALLOCATE_LINK, 0, DO_EGRESS, ERR_SYSTEM, ENOMEM, "memory" },
	{ "no VLAN for a map", ALLOCATE_VLAN, 0, DO_EGRESS, ERR_SYSTEM, ENOMEM, "memory" },
	{ "no memory for a map", MAP, 0, DO_EGRESS, ERR_SYSTEM, ENOMEM, "VLAN device" },
	{ "a map that is refused", ANSWER, EOPNOTSUPP, DO_EGRESS, ERR_UNSUPPORTED, EOPNOTSUPP,
	  "VLAN device" },
};

static void ends_as_the_row_says(void **s)
{
	const struct row *r = *s;
	struct host_linux l = { .host = { .may_write = true, .talk = talk } };
	struct err err = { 0 };

	outside.fails = r->fails;
	outside.code = r->answer;
	outside.dumps = 0;
	host_cache_begin(&l.host);
	assert_int_equal(carry_out(&l.host, r->work, &err), r->kind == ERR_NONE);
	assert_int_equal(err.kind, r->kind);
	assert_int_equal(err.code, r->code);
	assert_non_null(strstr(err.text, r->text));
}

static void an_interface_of_infiniband_is_known(void **s)
{
	struct host_linux l = { .host = { .talk = talk } };
	struct link link;
	struct err err = { 0 };

	(void)s;
	outside.fails = NOTHING;
	for (outside.type = ARPHRD_ETHER; outside.type <= ARPHRD_INFINIBAND; outside.type++) {
		assert_true(host_linux_link(&l.host, 1, &link, &err));
		assert_int_equal(link.is_infiniband, outside.type == ARPHRD_INFINIBAND);
	}
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, ends_as_the_row_says);
	SUITE_ADD(&s, an_interface_of_infiniband_is_known);
	return suite_run(&s, "links");
}
