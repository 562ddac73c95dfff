/* Tests of reading if network namespaces share RDMA devices. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <rdma/rdma_netlink.h>
#include <string.h>

#include "roce/device.h"
#include "tests/support/unit.h"

/* A kernel that answers with or without a mode, or fails. */
struct netns_kernel {
	struct host host;
	int code, mode; /* -1: no mode */
};

static bool answer(struct host *h, enum bus bus, struct nlmsghdr *n, reply_fn *each, void *arg,
		   struct err *err)
{
	const struct netns_kernel *k = (const struct netns_kernel *)h;
	char buf[64] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *reply = mnl_nlmsg_put_header(buf);

	assert_int_equal(bus, BUS_RDMA);
	assert_int_equal(n->nlmsg_type, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_SYS_GET));
	if (k->code)
		return err_set(err, host_err_kind(k->code), k->code, "%s", strerror(k->code));
	mnl_attr_put_u8(reply, RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK, 1);
	if (k->mode >= 0)
		mnl_attr_put_u8(reply, RDMA_NLDEV_SYS_ATTR_NETNS_MODE, (uint8_t)k->mode);
	assert_true(each(reply, arg) >= 0);
	return true;
}

static const struct netns_row {
	const char *sentence;
	int code, mode;
	const char *is; /* NULL: not known */
	bool fails;
} netns_rows[] = {
	{ "every namespace sees every device", 0, 1, "shared", false },
	{ "a device is in one namespace", 0, 0, "exclusive", false },
	{ "a kernel that does not say the mode is no failure", 0, -1, NULL, false },
	{ "a kernel without RDMA is no failure", ENOENT, 1, NULL, false },
	{ "one that is too old to know the question is none", EINVAL, 1, NULL, false },
	{ "one that does not answer is a failure", ETIMEDOUT, 1, NULL, true },
};

static void mode_is_what_the_kernel_says(void **s)
{
	const struct netns_row *row = *s;
	struct netns_kernel k = { .host.talk = answer, .code = row->code, .mode = row->mode };
	const char *mode = "not set";
	struct err err = { 0 };

	assert_int_equal(rdma_netns_mode(&k.host, &mode, &err), !row->fails);
	assert_int_equal(err.kind, row->fails ? ERR_SYSTEM : ERR_NONE);
	if (row->is)
		assert_string_equal(mode, row->is);
	else
		assert_null(mode);
	if (row->fails)
		assert_non_null(strstr(err.where, "whether network namespaces share RDMA devices"));
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, netns_rows, mode_is_what_the_kernel_says);
	return suite_run(&s, "rdma_netns");
}
