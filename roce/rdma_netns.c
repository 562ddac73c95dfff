#include "rdma_netns.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <rdma/rdma_netlink.h>

static int parse_mode(const struct nlattr *a, void *arg)
{
	const char **ret = arg;

	if (mnl_attr_get_type(a) == RDMA_NLDEV_SYS_ATTR_NETNS_MODE &&
	    mnl_attr_validate(a, MNL_TYPE_U8) == 0)
		*ret = mnl_attr_get_u8(a) ? "shared" : "exclusive";
	return MNL_CB_OK;
}

static int each_reply(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, 0, parse_mode, arg);
}

bool rdma_netns_mode(struct host *h, const char **ret, struct err *err)
{
	char buf[64] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);

	*ret = NULL;
	n->nlmsg_type = (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_SYS_GET);
	if (host_talk(h, BUS_RDMA, n, each_reply, ret, err))
		return true;
	if (err->code == ETIMEDOUT)
		return err_in(err, "read whether network namespaces share RDMA devices");
	*err = (struct err){ 0 };
	return true;
}
