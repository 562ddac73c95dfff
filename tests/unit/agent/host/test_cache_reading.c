/* Tests of one reading of a port: equal rtnetlink requests are sent once, until a write. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

#include "agent/host/host.h"
#include "tests/support/unit.h"

/* A kernel that replies with the number of the request. */
struct counting_host {
	struct host host;
	unsigned asked;
	size_t reply_size; /* payload */
	int code;	   /* errno; 0: success */
};

static bool answer(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
		   void *arg, struct err *err)
{
	struct counting_host *c = (struct counting_host *)h;
	static char buf[2 * READING_BYTES] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = mnl_nlmsg_put_header(memset(buf, 0, sizeof(buf)));

	(void)bus;
	c->asked++;
	request->nlmsg_seq = 1000 + c->asked; /* as the real function does */
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

/* Return the number of the request that is answered; 0: none. */
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
	host_cache_begin(&c.host);
	assert_int_equal(ask_dcb(&c, "ens1"), 1);
	assert_int_equal(ask_dcb(&c, "ens2"), 2);
	assert_int_equal(ask_dcb(&c, "ens1"), 1);
	assert_int_equal(ask_dcb(&c, "ens2"), 2);
	assert_int_equal(c.asked, 2);
	host_cache_end(&c.host);
	assert_int_equal(ask_dcb(&c, "ens1"), 3);
	assert_int_equal(ask_dcb(&c, "ens1"), 4);
}

static void the_next_reading_asks_anew(void **s)
{
	struct counting_host c = counting_host();

	(void)s;
	host_cache_begin(&c.host);
	assert_int_equal(ask_dcb(&c, "ens1"), 1);
	host_cache_begin(&c.host);
	assert_int_equal(ask_dcb(&c, "ens1"), 2);
}

/* The agent reads global pause twice over ethtool if it reads "off". */
static void other_kernel_interfaces_are_asked_each_time(void **s)
{
	struct counting_host c = counting_host();

	(void)s;
	host_cache_begin(&c.host);
	assert_int_equal(ask(&c, BUS_ETHTOOL, RTM_GETDCB, "ens1"), 1);
	assert_int_equal(ask(&c, BUS_ETHTOOL, RTM_GETDCB, "ens1"), 2);
}

static void a_change_ends_what_was_read(void **s)
{
	struct counting_host c = counting_host();

	(void)s;
	host_cache_begin(&c.host);
	assert_int_equal(ask_dcb(&c, "ens1"), 1);
	assert_int_equal(ask(&c, BUS_ROUTE, RTM_SETDCB, "ens1"), 2);
	assert_int_equal(ask_dcb(&c, "ens1"), 3);
}

static void a_failed_request_is_asked_again(void **s)
{
	struct counting_host c = counting_host();

	(void)s;
	host_cache_begin(&c.host);
	c.code = EIO;
	assert_int_equal(ask_dcb(&c, "ens1"), 0);
	c.code = 0;
	assert_int_equal(ask_dcb(&c, "ens1"), 2);
}

static void a_reply_without_room_is_asked_again(void **s)
{
	struct counting_host c = counting_host();

	(void)s;
	host_cache_begin(&c.host);
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

static bool read_link(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	struct counting_host *c = (struct counting_host *)h;

	*ret = (struct link){ .ifindex = ifindex, .name = "ens1", .mtu = 1000 + ++c->asked };
	return c->code == 0 || err_set(err, ERR_SYSTEM, c->code, "%s", strerror(c->code));
}

/* Return the number of the reading of this link; 0: it failed. */
static uint32_t mtu_of(struct counting_host *c, unsigned ifindex)
{
	const struct port port = { .id.name = "ens1", .ifindex = ifindex };
	struct err err = { 0 };
	struct link link;

	c->host.link = read_link;
	return host_link(&c->host, &port, &link, &err) ? link.mtu - 1000 : 0;
}

static void a_link_is_read_once(void **s)
{
	struct counting_host c = counting_host();

	(void)s;
	host_cache_begin(&c.host);
	assert_int_equal(mtu_of(&c, 7), 1);
	assert_int_equal(mtu_of(&c, 8), 2);
	assert_int_equal(mtu_of(&c, 7), 1);
	assert_int_equal(ask(&c, BUS_ROUTE, RTM_SETDCB, "ens1"), 3);
	assert_int_equal(mtu_of(&c, 7), 4);
	host_cache_end(&c.host);
	assert_int_equal(mtu_of(&c, 7), 5);
	c.code = EIO;
	host_cache_begin(&c.host);
	assert_int_equal(mtu_of(&c, 7), 0);
	c.code = 0;
	assert_int_equal(mtu_of(&c, 7), 7);
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	struct counting_host *c = (struct counting_host *)h;

	(void)path;
	(void)err;
	snprintf(buf, size, "a value of some length %u", ++c->asked);
	return true;
}

/* Return the last digit of a file's text. */
static unsigned number_in(struct counting_host *c, const char *path, size_t size)
{
	char text[64];
	struct err err = { 0 };

	c->host.read_file = read_file;
	assert_true(host_read_file_once(&c->host, text, size, &err, "%s", path));
	return (unsigned)(text[strlen(text) - 1] - '0');
}

static void a_file_that_several_features_read_is_read_once(void **s)
{
	struct counting_host c = counting_host();

	(void)s;
	assert_int_equal(number_in(&c, "/sys/one", 64), 1);
	assert_int_equal(number_in(&c, "/sys/one", 64), 2);
	host_cache_begin(&c.host);
	assert_int_equal(number_in(&c, "/sys/one", 64), 3);
	assert_int_equal(number_in(&c, "/sys/two", 64), 4);
	assert_int_equal(number_in(&c, "/sys/one", 64), 3);
	assert_int_equal(ask(&c, BUS_ROUTE, RTM_SETDCB, "ens1"), 5);
	assert_int_equal(number_in(&c, "/sys/one", 64), 6);
	host_cache_end(&c.host);
	assert_int_equal(number_in(&c, "/sys/one", 64), 7);
}

/* Read the file again: the real file refuses a text that is longer than the buffer. */
static void a_text_that_does_not_fit_is_not_repeated(void **s)
{
	struct counting_host c = counting_host();
	char text[16];
	struct err err = { 0 };

	(void)s;
	host_cache_begin(&c.host);
	assert_int_equal(number_in(&c, "/sys/one", 64), 1);
	assert_true(host_read_file_once(&c.host, text, sizeof(text), &err, "/sys/one"));
	assert_int_equal(c.asked, 2);
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
	SUITE_ADD(&s, a_link_is_read_once);
	SUITE_ADD(&s, a_file_that_several_features_read_is_read_once);
	SUITE_ADD(&s, a_text_that_does_not_fit_is_not_repeated);
	return suite_run(&s, "reading");
}
