#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/devlink.h>
#include <linux/genetlink.h>
#include <rdma/rdma_netlink.h>
#include <string.h>

#include "tests/support/rdma_kernel.h"
#include "tests/support/unit.h"

static struct nlmsghdr *reply(char buf[512])
{
	memset(buf, 0, 512);
	return mnl_nlmsg_put_header(buf);
}

static void reply_device(uint32_t index, uint32_t port, uint32_t netdev, reply_fn *each, void *arg)
{
	char buf[512] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = reply(buf);

	mnl_attr_put_u32(n, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	mnl_attr_put_strz(n, RDMA_NLDEV_ATTR_DEV_NAME, index ? "mlx5_1" : "mlx5_0");
	mnl_attr_put_strz(n, RDMA_NLDEV_ATTR_DEV_PROTOCOL, index ? "ib" : "roce");
	if (port)
		mnl_attr_put_u32(n, RDMA_NLDEV_ATTR_PORT_INDEX, port);
	if (netdev)
		mnl_attr_put_u32(n, RDMA_NLDEV_ATTR_NDEV_INDEX, netdev);
	assert_true(each(n, arg) >= 0);
}

static void reply_qps(const struct rdma_kernel *k, reply_fn *each, void *arg)
{
	char buf[512] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = reply(buf);
	struct nlattr *list = mnl_attr_nest_start(n, RDMA_NLDEV_ATTR_RES_QP);

	for (size_t i = 0; i < k->qps_count; i++) {
		struct nlattr *one = mnl_attr_nest_start(n, RDMA_NLDEV_ATTR_RES_QP_ENTRY);

		mnl_attr_put_u8(n, RDMA_NLDEV_ATTR_RES_TYPE, k->qps[i].type);
		mnl_attr_put_u8(n, RDMA_NLDEV_ATTR_RES_STATE, k->qps[i].state);
		if (k->qps[i].by_kernel)
			mnl_attr_put_strz(n, RDMA_NLDEV_ATTR_RES_KERN_NAME, "mlx5_ib");
		mnl_attr_nest_end(n, one);
	}
	mnl_attr_nest_end(n, list);
	assert_true(each(n, arg) >= 0);
}

static void reply_counter(const struct rdma_kernel *k, reply_fn *each, void *arg)
{
	char buf[512] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = reply(buf);
	struct nlattr *list = mnl_attr_nest_start(n, RDMA_NLDEV_ATTR_STAT_HWCOUNTERS);
	const char *names[] = { k->counter ? k->counter : "np_cnp_sent", "of_no_interest_to_us" };

	for (size_t i = 0; i < 2; i++) {
		struct nlattr *one = mnl_attr_nest_start(n, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY);

		mnl_attr_put_strz(n, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, names[i]);
		mnl_attr_put_u64(n, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE, 5);
		mnl_attr_nest_end(n, one);
	}
	mnl_attr_nest_end(n, list);
	assert_true(each(n, arg) >= 0);
}

static void reply_param(const struct rdma_kernel *k, reply_fn *each, void *arg)
{
	char buf[512] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = reply(buf);
	struct nlattr *param, *values, *value;

	mnl_nlmsg_put_extra_header(n, sizeof(struct genlmsghdr));
	mnl_attr_put_strz(n, DEVLINK_ATTR_BUS_NAME, "pci");
	param = mnl_attr_nest_start(n, DEVLINK_ATTR_PARAM);
	values = mnl_attr_nest_start(n, DEVLINK_ATTR_PARAM_VALUES_LIST);
	value = mnl_attr_nest_start(n, DEVLINK_ATTR_PARAM_VALUE);
	mnl_attr_put_u8(n, DEVLINK_ATTR_PARAM_VALUE_CMODE, 1);
	if (k->param_is_on)
		mnl_attr_put(n, DEVLINK_ATTR_PARAM_VALUE_DATA, 0, NULL);
	mnl_attr_nest_end(n, value);
	mnl_attr_nest_end(n, values);
	mnl_attr_nest_end(n, param);
	assert_true(each(n, arg) >= 0);
}

static void reply_eswitch(const struct rdma_kernel *k, reply_fn *each, void *arg)
{
	char buf[512] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = reply(buf);

	mnl_nlmsg_put_extra_header(n, sizeof(struct genlmsghdr));
	mnl_attr_put_strz(n, DEVLINK_ATTR_BUS_NAME, "pci");
	if (k->eswitch_mode >= 0)
		mnl_attr_put_u16(n, DEVLINK_ATTR_ESWITCH_MODE, (uint16_t)k->eswitch_mode);
	assert_true(each(n, arg) >= 0);
}

static void reply_handles(const char *const *devices, reply_fn *each, void *arg)
{
	for (; devices && *devices; devices++) {
		char buf[512] __attribute__((aligned(NLMSG_ALIGNTO))), bus[16] = "";
		struct nlmsghdr *n = reply(buf);
		size_t length = strcspn(*devices, "/");

		memcpy(bus, *devices, length);
		mnl_nlmsg_put_extra_header(n, sizeof(struct genlmsghdr));
		mnl_attr_put_strz(n, DEVLINK_ATTR_BUS_NAME, bus);
		mnl_attr_put_strz(n, DEVLINK_ATTR_DEV_NAME, *devices + length + 1);
		assert_true(each(n, arg) >= 0);
	}
}

/* Adds one attribute for each class, as net/devlink/rate.c does. */
static void put_shares(struct nlmsghdr *n, const struct rate_object *r)
{
	for (uint8_t tc = 0; tc < COUNT(r->shares); tc++) {
		struct nlattr *one = mnl_attr_nest_start(n, 180);

		mnl_attr_put_u8(n, 1, tc);
		mnl_attr_put_u32(n, 2, r->shares[tc]);
		mnl_attr_nest_end(n, one);
	}
}

static void reply_rates(const struct rate_object *r, reply_fn *each, void *arg)
{
	for (; r && r->pci; r++) {
		char buf[512] __attribute__((aligned(NLMSG_ALIGNTO)));
		struct nlmsghdr *n = reply(buf);

		mnl_nlmsg_put_extra_header(n, sizeof(struct genlmsghdr));
		mnl_attr_put_strz(n, DEVLINK_ATTR_BUS_NAME, "pci");
		mnl_attr_put_strz(n, DEVLINK_ATTR_DEV_NAME, r->pci);
		if (r->node)
			mnl_attr_put_strz(n, DEVLINK_ATTR_RATE_NODE_NAME, r->node);
		else
			mnl_attr_put_u32(n, DEVLINK_ATTR_PORT_INDEX, 7);
		if (r->lists_shares)
			put_shares(n, r);
		assert_true(each(n, arg) >= 0);
	}
}

static void reply_devlink(const struct rdma_kernel *k, const struct nlmsghdr *n, reply_fn *each,
			  void *arg)
{
	const struct genlmsghdr *g = mnl_nlmsg_get_payload(n);

	if (g->cmd == DEVLINK_CMD_GET)
		reply_handles(k->devices, each, arg);
	else if (g->cmd == DEVLINK_CMD_ESWITCH_GET)
		reply_eswitch(k, each, arg);
	else if (g->cmd == DEVLINK_CMD_RATE_GET)
		reply_rates(k->rates, each, arg);
	else if (k->has_param)
		reply_param(k, each, arg);
}

static bool asks_eswitch(const struct nlmsghdr *n)
{
	return ((const struct genlmsghdr *)mnl_nlmsg_get_payload(n))->cmd ==
	       DEVLINK_CMD_ESWITCH_GET;
}

static uint32_t device_asked_for(const struct nlmsghdr *n)
{
	const struct nlattr *a = mnl_nlmsg_get_payload(n);

	return mnl_nlmsg_get_payload_len(n) ? mnl_attr_get_u32(a) : 0;
}

static bool answer(struct host *h, enum bus bus, struct nlmsghdr *n, reply_fn *each, void *arg,
		   struct err *err)
{
	struct rdma_kernel *k = (struct rdma_kernel *)h;
	int command = n->nlmsg_type & 0x3ff, code = command == k->failing ? k->code : 0;
	uint32_t device = bus == BUS_RDMA ? device_asked_for(n) : 0;

	if (bus == BUS_DEVLINK)
		code = k->devlink_code ? k->devlink_code : asks_eswitch(n) ? k->eswitch_code : 0;
	if (k->goes && bus == BUS_RDMA && command == RDMA_NLDEV_CMD_PORT_GET && device == 0)
		code = EINVAL;
	if (code)
		return err_set(err, host_err_kind(code), code, "%s", strerror(code));
	if (bus == BUS_DEVLINK)
		reply_devlink(k, n, each, arg);
	if (bus != BUS_RDMA)
		return true;
	k->lists += command == RDMA_NLDEV_CMD_GET;
	for (uint32_t i = 0; command == RDMA_NLDEV_CMD_GET && i < 2; i++)
		if (!k->goes || (i == 0) == (k->never_settles || k->lists == 1))
			reply_device(i, 0, 0, each, arg);
	for (uint32_t i = 0; command == RDMA_NLDEV_CMD_PORT_GET && !device && i < k->representors;
	     i++)
		reply_device(device, i + 1, 1000 + i, each, arg);
	if (command == RDMA_NLDEV_CMD_PORT_GET)
		reply_device(device, device ? 1 : k->representors + 1,
			     device	 ? k->other
			     : k->hidden ? 0
					 : 7,
			     each, arg);
	if (command == RDMA_NLDEV_CMD_RES_QP_GET && !device)
		reply_qps(k, each, arg);
	if (command == RDMA_NLDEV_CMD_STAT_GET)
		reply_counter(k, each, arg);
	return true;
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const struct rdma_kernel *k = (const struct rdma_kernel *)h;
	const char *text = NULL;

	if (strstr(path, "/mlx5_1/device/uevent"))
		text = k->uevent;
	if (strstr(path, "/mlx5_0/hw_counters/np_cnp_sent"))
		text = k->counter_file;
	for (size_t i = 0; k->files && k->files[i][0]; i++)
		if (strcmp(path, k->files[i][0]) == 0)
			text = k->files[i][1];
	if (!text)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
	snprintf(buf, size, "%s", text);
	return true;
}

struct rdma_kernel rdma_kernel(void)
{
	return (struct rdma_kernel){ .host = { .talk = answer, .read_file = read_file },
				     .other = 8,
				     .eswitch_mode = -1,
				     .failing = -1 };
}

struct port port_on(unsigned ifindex)
{
	return (struct port){ .id = { .name = "ens1f0np0", .pci = "0000:3b:00.0" },
			      .ifindex = ifindex };
}
