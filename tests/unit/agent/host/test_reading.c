/* One reading of a port: rtnetlink is asked the same only once, and what is written ends that. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "agent/host/host.h"
#include "tests/support/unit.h"

/* A kernel that replies with the number of the request. */
struct counting_host {
	struct host host;
	unsigned asked;
	size_t reply_size; /* payload */
	int code;	   /* 0: it answers */
};

static bool answer(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
		   void *arg, struct err *err)
{
	struct counting_host *c = (struct counting_host *)h;
	static char buf[2 * READING_BYTES] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = mnl_nlmsg_put_header(memset(buf, 0, sizeof(buf)));

	(void)bus;
	c->asked++;
	request->nlmsg_seq = 1000 + c->asked; /* as the real one does */
	*(unsigned *)mnl_nlmsg_put_extra_header(n, c->reply_size) = c->asked;
	if (each(n, arg) < 0)
		return err_set(err, ERR_SYSTEM, EPROTO, "cannot be parsed");
	return c->code == 0 || err_set(err, ERR_SYSTEM, c->code, "%s", strerror(c->code));
}

static struct counting_host counting_host(void)
{
	return (struct counting_host){ .host = { .talk = answer, .may_write = true },
				       .reply_size = 64 };
}

static int take_number(const struct nlmsghdr *reply, void *arg)
{
	*(unsigned *)arg = *(const unsigned *)mnl_nlmsg_get_payload(reply);
	return MNL_CB_OK;
}

/* The number of the request whose reply comes; 0: none comes. */
static unsigned ask(struct counting_host *c, enum bus bus, uint16_t type, const char *port)
{
	char buf[128] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct dcbmsg *d = mnl_nlmsg_put_extra_header(n, sizeof(*d));
	struct err err = { 0 };
	unsigned number = 0;

	n->nlmsg_type = type;
	d->cmd = DCB_CMD_IEEE_GET;
	mnl_attr_put_strz(n, DCB_ATTR_IFNAME, port);
	return host_talk(&c->host, bus, n, take_number, &number, &err) ? number : 0;
}

static unsigned ask_dcb(struct counting_host *c, const char *port)
{
	return ask(c, BUS_ROUTE, RTM_GETDCB, port);
}

static void the_same_is_asked_once(void **s)
{
	struct counting_host c = counting_host();

	(void)s;
	host_begin_reading(&c.host);
	assert_int_equal(ask_dcb(&c, "ens1"), 1);
	assert_int_equal(ask_dcb(&c, "ens2"), 2);
	assert_int_equal(ask_dcb(&c, "ens1"), 1);
	assert_int_equal(ask_dcb(&c, "ens2"), 2);
	assert_int_equal(c.asked, 2);
	host_end_reading(&c.host);
	assert_int_equal(ask_dcb(&c, "ens1"), 3);
	assert_int_equal(ask_dcb(&c, "ens1"), 4);
}

static void the_next_reading_asks_anew(void **s)
{
	struct counting_host c = counting_host();

	(void)s;
	host_begin_reading(&c.host);
	assert_int_equal(ask_dcb(&c, "ens1"), 1);
	host_begin_reading(&c.host);
	assert_int_equal(ask_dcb(&c, "ens1"), 2);
}

/* Global pause that reads "off" is read twice, over ethtool. */
static void other_kernel_interfaces_are_asked_each_time(void **s)
{
	struct counting_host c = counting_host();

	(void)s;
	host_begin_reading(&c.host);
	assert_int_equal(ask(&c, BUS_ETHTOOL, RTM_GETDCB, "ens1"), 1);
	assert_int_equal(ask(&c, BUS_ETHTOOL, RTM_GETDCB, "ens1"), 2);
}

static void a_change_ends_what_was_read(void **s)
{
	struct counting_host c = counting_host();

	(void)s;
	host_begin_reading(&c.host);
	assert_int_equal(ask_dcb(&c, "ens1"), 1);
	assert_int_equal(ask(&c, BUS_ROUTE, RTM_SETDCB, "ens1"), 2);
	assert_int_equal(ask_dcb(&c, "ens1"), 3);
}

static void a_failed_request_is_asked_again(void **s)
{
	struct counting_host c = counting_host();

	(void)s;
	host_begin_reading(&c.host);
	c.code = EIO;
	assert_int_equal(ask_dcb(&c, "ens1"), 0);
	c.code = 0;
	assert_int_equal(ask_dcb(&c, "ens1"), 2);
}

static void a_reply_without_room_is_asked_again(void **s)
{
	struct counting_host c = counting_host();

	(void)s;
	host_begin_reading(&c.host);
	c.reply_size = READING_BYTES;
	assert_int_equal(ask_dcb(&c, "ens1"), 1);
	assert_int_equal(ask_dcb(&c, "ens1"), 2);
	c.reply_size = 64;
	assert_int_equal(ask_dcb(&c, "ens1"), 3);
	assert_int_equal(ask_dcb(&c, "ens1"), 3);
	for (unsigned i = 0; i < 200; i++) {
		char port[16];

		snprintf(port, sizeof(port), "ens%u", 100 + i);
		assert_int_equal(ask_dcb(&c, port), 4 + i);
	}
	assert_int_equal(ask_dcb(&c, "ens1"), 3);
	assert_int_equal(ask_dcb(&c, "ens299"), 204);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, the_same_is_asked_once);
	SUITE_ADD(&s, the_next_reading_asks_anew);
	SUITE_ADD(&s, other_kernel_interfaces_are_asked_each_time);
	SUITE_ADD(&s, a_change_ends_what_was_read);
	SUITE_ADD(&s, a_failed_request_is_asked_again);
	SUITE_ADD(&s, a_reply_without_room_is_asked_again);
	return suite_run(&s, "reading");
}
