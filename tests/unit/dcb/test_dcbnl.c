/* Tests of DCB netlink: errors within replies, missing attributes, and the read-only filter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <rdma/rdma_netlink.h>
#include <string.h>

#include "dcb/dcbnl.h"

/* A kernel that answers every request with the same bytes. */
struct parrot {
	struct host host;
	char reply[4096];
	struct nlmsghdr *n;
};

static bool answer(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
		   void *arg, struct err *err)
{
	struct parrot *p = (struct parrot *)h;

	(void)bus;
	(void)request;
	return each(p->n, arg) >= 0 || err_set(err, ERR_SYSTEM, EPROTO, "cannot be understood");
}

static void begin(struct parrot *p)
{
	memset(p, 0, sizeof(*p));
	p->host.talk = answer;
	p->host.may_write = true;
	p->n = mnl_nlmsg_put_header(p->reply);
	mnl_nlmsg_put_extra_header(p->n, sizeof(struct dcbmsg));
}

static void a_refusal_hides_in_a_byte_of_a_successful_reply(void **s)
{
	static const struct {
		uint8_t byte;
		enum err_kind kind;
		int code;
	} rows[] = {
		{ 0, ERR_NONE, 0 },
		{ (uint8_t)-EINVAL, ERR_SYSTEM, EINVAL },
		{ (uint8_t)-EOPNOTSUPP, ERR_UNSUPPORTED, EOPNOTSUPP },
		{ (uint8_t)-EPERM, ERR_DENIED, EPERM },
		{ (uint8_t)-ENODEV, ERR_GONE, ENODEV },
		{ (uint8_t)-524, ERR_SYSTEM, ENOMEM }, /* ENOTSUPP, cut to eight bits */
	};
	struct ieee_pfc k = { .pfc_en = 8 };

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		struct parrot p;

		begin(&p);
		mnl_attr_put_u8(p.n, DCB_ATTR_IEEE, rows[i].byte);
		assert_int_equal(dcb_set(&p.host, "eth0", DCB_ATTR_IEEE_PFC, &k, sizeof(k), &err),
				 rows[i].kind == ERR_NONE);
		assert_int_equal(err.kind, rows[i].kind);
		assert_int_equal(err.code, rows[i].code);
	}
}

static void a_dcbx_status_is_not_an_errno(void **s)
{
	struct err err = { 0 };
	struct parrot p;

	(void)s;
	begin(&p);
	mnl_attr_put_u8(p.n, DCB_ATTR_DCBX, 1);
	assert_false(dcb_set_dcbx(&p.host, "eth0", 9, &err));
	assert_int_equal(err.code, EINVAL); /* not EPERM, which is 1 */
}

static void what_the_driver_leaves_out_is_unsupported(void **s)
{
	struct err err = { 0 };
	struct ieee_ets k;
	struct parrot p;

	(void)s;
	begin(&p);
	mnl_attr_nest_end(p.n, mnl_attr_nest_start(p.n, DCB_ATTR_IEEE));
	assert_false(dcb_get(&p.host, "eth0", DCB_ATTR_IEEE_ETS, &k, sizeof(k), &err));
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
}

/* Begin a reply without IEEE ETS and PFC, but with their CEE counterparts. */
static void leave_out(struct parrot *p, uint8_t dcbx, uint8_t group)
{
	struct nlattr *cee, *pg, *tc, *pfc;

	begin(p);
	mnl_attr_nest_end(p->n, mnl_attr_nest_start(p->n, DCB_ATTR_IEEE));
	mnl_attr_put_u8(p->n, DCB_ATTR_DCBX, dcbx);
	cee = mnl_attr_nest_start(p->n, DCB_ATTR_CEE);
	pg = mnl_attr_nest_start(p->n, DCB_ATTR_CEE_TX_PG);
	tc = mnl_attr_nest_start(p->n, DCB_PG_ATTR_TC_0);
	mnl_attr_put_u8(p->n, DCB_TC_ATTR_PARAM_PGID, group);
	mnl_attr_nest_end(p->n, tc);
	mnl_attr_nest_end(p->n, pg);
	pfc = mnl_attr_nest_start(p->n, DCB_ATTR_CEE_PFC);
	mnl_attr_put_u8(p->n, DCB_PFC_UP_ATTR_0, 0);
	mnl_attr_nest_end(p->n, pfc);
	mnl_attr_nest_end(p->n, cee);
}

static void an_object_that_only_the_cee_side_has_failed_to_be_read(void **s)
{
	static const struct {
		uint8_t dcbx, group;
		uint16_t attr;
		enum err_kind kind;
	} rows[] = {
		{ 0x0d, 0, DCB_ATTR_IEEE_ETS, ERR_UNKNOWN },
		{ 0x0d, 0, DCB_ATTR_IEEE_PFC, ERR_UNKNOWN },
		{ 0x0d, 0, DCB_ATTR_DCB_BUFFER, ERR_UNSUPPORTED },
		/* mlx5 without the capability leaves the group undefined. */
		{ 0x0d, 0xff, DCB_ATTR_IEEE_ETS, ERR_UNSUPPORTED },
		/* The driver supports only CEE. */
		{ 0x05, 0, DCB_ATTR_IEEE_ETS, ERR_UNSUPPORTED },
	};
	struct ieee_ets k;

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		struct parrot p;

		leave_out(&p, rows[i].dcbx, rows[i].group);
		assert_false(dcb_get(&p.host, "eth0", rows[i].attr, &k, sizeof(k), &err));
		assert_int_equal(err.kind, rows[i].kind);
	}
}

static void an_object_that_is_too_short_is_not_taken(void **s)
{
	struct ieee_ets k = { .willing = 0 };
	struct err err = { 0 };
	struct nlattr *nest;
	struct parrot p;

	(void)s;
	begin(&p);
	nest = mnl_attr_nest_start(p.n, DCB_ATTR_IEEE);
	mnl_attr_put(p.n, DCB_ATTR_IEEE_ETS, sizeof(k) - 1, &k);
	mnl_attr_nest_end(p.n, nest);
	assert_false(dcb_get(&p.host, "eth0", DCB_ATTR_IEEE_ETS, &k, sizeof(k), &err));
}

static void an_object_that_has_grown_is_taken(void **s)
{
	char longer[sizeof(struct ieee_pfc) + 16] = { 8, 0x18 };
	struct err err = { 0 };
	struct ieee_pfc k;
	struct nlattr *nest;
	struct parrot p;

	(void)s;
	begin(&p);
	nest = mnl_attr_nest_start(p.n, DCB_ATTR_IEEE);
	mnl_attr_put(p.n, DCB_ATTR_IEEE_PFC, sizeof(longer), longer);
	mnl_attr_nest_end(p.n, nest);
	assert_true(dcb_get(&p.host, "eth0", DCB_ATTR_IEEE_PFC, &k, sizeof(k), &err));
	assert_int_equal(k.pfc_en, 0x18);
}

/* True if a read-only host lets a message of this type and command pass. */
static bool passes(enum bus bus, uint16_t type, uint8_t command)
{
	char buf[128] = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);

	n->nlmsg_type = type;
	if (bus == BUS_ETHTOOL)
		((struct genlmsghdr *)mnl_nlmsg_put_extra_header(n, sizeof(struct genlmsghdr)))
			->cmd = command;
	else
		((struct dcbmsg *)mnl_nlmsg_put_extra_header(n, sizeof(struct dcbmsg)))->cmd =
			command;
	return host_reads_only(bus, n);
}

static void only_what_is_known_to_read_counts_as_reading(void **s)
{
	unsigned dcb = 0, route = 0, ethtool = 0, rdma = 0, sockets = 0;

	(void)s;
	for (unsigned cmd = 0; cmd < 256; cmd++) {
		dcb += passes(BUS_ROUTE, RTM_GETDCB, (uint8_t)cmd);
		ethtool += passes(BUS_ETHTOOL, 30, (uint8_t)cmd);
		rdma += passes(BUS_RDMA, (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, cmd), 0);
		assert_false(passes(BUS_ROUTE, RTM_SETDCB, (uint8_t)cmd));
	}
	for (unsigned type = 0; type < 256; type++) {
		route += passes(BUS_ROUTE, (uint16_t)type, DCB_CMD_IEEE_SET);
		sockets += passes(BUS_SOCKETS, (uint16_t)type, 0);
	}
	assert_int_equal(dcb, 3);     /* IEEE_GET, CEE_GET, GDCBX */
	assert_int_equal(route, 6);   /* links, addresses, routes, rules, next hops, qdiscs */
	assert_int_equal(ethtool, 3); /* pause, link modes, FEC */
	assert_int_equal(rdma, 5);    /* devices, ports, queue pairs, counters, namespaces */
	assert_int_equal(sockets, 1); /* SOCK_DIAG_BY_FAMILY, and not SOCK_DESTROY */
	/* The kernel would carry out this write in spite of the message type. */
	assert_false(passes(BUS_ROUTE, RTM_GETDCB, DCB_CMD_IEEE_SET));
	assert_false(passes(BUS_ETHTOOL, 30, ETHTOOL_MSG_PAUSE_SET));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_refusal_hides_in_a_byte_of_a_successful_reply),
		cmocka_unit_test(a_dcbx_status_is_not_an_errno),
		cmocka_unit_test(what_the_driver_leaves_out_is_unsupported),
		cmocka_unit_test(an_object_that_only_the_cee_side_has_failed_to_be_read),
		cmocka_unit_test(an_object_that_is_too_short_is_not_taken),
		cmocka_unit_test(an_object_that_has_grown_is_taken),
		cmocka_unit_test(only_what_is_known_to_read_counts_as_reading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
