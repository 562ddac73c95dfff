/* RDMA devices, their queue pairs and counters, and devlink, as the kernel tells of them. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/devlink.h>
#include <linux/genetlink.h>
#include <rdma/rdma_netlink.h>
#include <string.h>

#include "agent/monitor/sampler.h"
#include "policy/model/setting.h"
#include "roce/rdma_stats.h"
#include "roce/device.h"
#include "roce/registry.h"
#include "tests/support/unit.h"

enum { GSI = 1, RC = 2, UD = 4 };			     /* enum ib_qp_type */
enum { RESET = 0, READY_TO_RECEIVE = 2, READY_TO_SEND = 3 }; /* enum ib_qp_state */

struct qp {
	uint8_t type, state;
};

/* Device 0 is on netdev 7 and device 1 on `other`; the queue pairs are device 0's. */
struct kernel {
	struct host host;
	unsigned other;
	struct qp qps[4];
	size_t qps_count;
	int failing, code;	  /* the RDMA command that fails; -1: none */
	bool goes, never_settles; /* device 0, once it has been told of */
	int lists;
	const char *uevent, *counter_file;
	bool has_param, param_is_on;
	int devlink_code;
};

static struct nlmsghdr *reply(char buf[512])
{
	memset(buf, 0, 512);
	return mnl_nlmsg_put_header(buf);
}

static void tell_device(uint32_t index, uint32_t netdev, reply_fn *each, void *arg)
{
	char buf[512] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = reply(buf);

	mnl_attr_put_u32(n, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	mnl_attr_put_strz(n, RDMA_NLDEV_ATTR_DEV_NAME, index ? "mlx5_1" : "mlx5_0");
	mnl_attr_put_strz(n, RDMA_NLDEV_ATTR_DEV_PROTOCOL, index ? "ib" : "roce");
	if (netdev) {
		mnl_attr_put_u32(n, RDMA_NLDEV_ATTR_PORT_INDEX, 1);
		mnl_attr_put_u32(n, RDMA_NLDEV_ATTR_NDEV_INDEX, netdev);
	}
	assert_true(each(n, arg) >= 0);
}

static void tell_qps(const struct kernel *k, reply_fn *each, void *arg)
{
	char buf[512] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = reply(buf);
	struct nlattr *list = mnl_attr_nest_start(n, RDMA_NLDEV_ATTR_RES_QP);

	for (size_t i = 0; i < k->qps_count; i++) {
		struct nlattr *one = mnl_attr_nest_start(n, RDMA_NLDEV_ATTR_RES_QP_ENTRY);

		mnl_attr_put_u8(n, RDMA_NLDEV_ATTR_RES_TYPE, k->qps[i].type);
		mnl_attr_put_u8(n, RDMA_NLDEV_ATTR_RES_STATE, k->qps[i].state);
		mnl_attr_nest_end(n, one);
	}
	mnl_attr_nest_end(n, list);
	assert_true(each(n, arg) >= 0);
}

static void tell_counter(reply_fn *each, void *arg)
{
	char buf[512] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = reply(buf);
	struct nlattr *list = mnl_attr_nest_start(n, RDMA_NLDEV_ATTR_STAT_HWCOUNTERS);
	static const char *const names[] = { "np_cnp_sent", "of_no_interest_to_us" };

	for (size_t i = 0; i < 2; i++) {
		struct nlattr *one = mnl_attr_nest_start(n, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY);

		mnl_attr_put_strz(n, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, names[i]);
		mnl_attr_put_u64(n, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE, 5);
		mnl_attr_nest_end(n, one);
	}
	mnl_attr_nest_end(n, list);
	assert_true(each(n, arg) >= 0);
}

static void tell_param(const struct kernel *k, reply_fn *each, void *arg)
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

static uint32_t device_asked_for(const struct nlmsghdr *n)
{
	const struct nlattr *a = mnl_nlmsg_get_payload(n);

	return mnl_nlmsg_get_payload_len(n) ? mnl_attr_get_u32(a) : 0;
}

static bool answer(struct host *h, enum bus bus, struct nlmsghdr *n, reply_fn *each, void *arg,
		   struct err *err)
{
	struct kernel *k = (struct kernel *)h;
	int command = n->nlmsg_type & 0x3ff, code = command == k->failing ? k->code : 0;
	uint32_t device = bus == BUS_RDMA ? device_asked_for(n) : 0;

	if (bus == BUS_DEVLINK)
		code = k->devlink_code;
	if (k->goes && bus == BUS_RDMA && command == RDMA_NLDEV_CMD_PORT_GET && device == 0)
		code = EINVAL;
	if (code)
		return err_set(err, host_err_kind(code), code, "%s", strerror(code));
	if (bus == BUS_DEVLINK && k->has_param)
		tell_param(k, each, arg);
	if (bus != BUS_RDMA)
		return true;
	k->lists += command == RDMA_NLDEV_CMD_GET;
	for (uint32_t i = 0; command == RDMA_NLDEV_CMD_GET && i < 2; i++)
		if (!k->goes || (i == 0) == (k->never_settles || k->lists == 1))
			tell_device(i, 0, each, arg);
	if (command == RDMA_NLDEV_CMD_PORT_GET)
		tell_device(device, device ? k->other : 7, each, arg);
	if (command == RDMA_NLDEV_CMD_RES_QP_GET && !device)
		tell_qps(k, each, arg);
	if (command == RDMA_NLDEV_CMD_STAT_GET)
		tell_counter(each, arg);
	return true;
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const struct kernel *k = (const struct kernel *)h;
	const char *text = NULL;

	if (strstr(path, "/mlx5_1/device/uevent"))
		text = k->uevent;
	if (strstr(path, "/mlx5_0/hw_counters/np_cnp_sent"))
		text = k->counter_file;
	if (!text)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
	snprintf(buf, size, "%s", text);
	return true;
}

static struct kernel begin(void)
{
	return (struct kernel){ .host = { .talk = answer, .read_file = read_file },
				.other = 8,
				.failing = -1 };
}

static struct port some_port(unsigned ifindex)
{
	return (struct port){ .id = { .name = "ens1f0np0", .pci = "0000:3b:00.0" },
			      .ifindex = ifindex };
}

static struct port port_with_rdma(void)
{
	struct port p = some_port(7);

	snprintf(p.id.rdma, sizeof(p.id.rdma), "mlx5_0");
	p.rdma_port = 1;
	return p;
}

/* ---- devices ---- */

static void each_port_has_the_device_on_its_netdev(void **s)
{
	struct kernel k = begin();
	struct port ports[] = { some_port(8), some_port(7), some_port(9) };
	struct err err = { 0 };

	(void)s;
	assert_true(rdma_find(&k.host, ports, 3, &err));
	assert_string_equal(ports[0].id.rdma, "mlx5_1");
	assert_int_equal(ports[0].rdma_index, 1);
	assert_int_equal(ports[0].rdma_port, 1);
	assert_string_equal(ports[1].id.rdma, "mlx5_0");
	assert_int_equal(ports[2].rdma_port, 0);
}

static void of_two_devices_that_of_the_ports_function_counts(void **s)
{
	static const struct {
		const char *uevent, *name;
	} rows[] = {
		{ "DRIVER=mlx5_core\nPCI_SLOT_NAME=0000:3b:00.0\n", "mlx5_1" },
		{ "DRIVER=mlx5_core\nPCI_SLOT_NAME=0000:3b:00.1\n", "mlx5_0" },
		{ NULL, "mlx5_0" },
	};

	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct kernel k = begin();
		struct port p = some_port(7);
		struct err err = { 0 };

		k.other = 7;
		k.uevent = rows[i].uevent;
		assert_true(rdma_find(&k.host, &p, 1, &err));
		assert_string_equal(p.id.rdma, rows[i].name);
	}
}

/* One goes after it was told of, and the kernel skips the next one. */
static void a_device_that_goes_takes_no_other_along(void **s)
{
	struct kernel k = begin();
	struct port ports[] = { some_port(7), some_port(8) };
	struct err err = { 0 };

	(void)s;
	k.goes = true;
	assert_true(rdma_find(&k.host, ports, 2, &err));
	assert_int_equal(ports[0].rdma_port, 0);
	assert_string_equal(ports[1].id.rdma, "mlx5_1");
	assert_int_equal(k.lists, 2);
}

static void devices_that_come_and_go_are_not_asked_for_ever(void **s)
{
	struct kernel k = begin();
	struct port p = some_port(7);
	struct err err = { 0 };

	(void)s;
	k.goes = k.never_settles = true;
	assert_false(rdma_find(&k.host, &p, 1, &err));
	assert_int_equal(err.code, EINVAL);
	assert_non_null(strstr(err.where, "mlx5_0"));
}

static void a_kernel_without_rdma_has_no_devices(void **s)
{
	static const int codes[] = { EOPNOTSUPP, ECONNREFUSED, EPROTONOSUPPORT, EINVAL };

	(void)s;
	for (size_t i = 0; i < COUNT(codes); i++) {
		struct kernel k = begin();
		struct port p = some_port(7);
		struct rdma_names names = { .count = 1 };
		struct err err = { 0 };

		k.failing = RDMA_NLDEV_CMD_GET;
		k.code = codes[i];
		assert_true(rdma_find(&k.host, &p, 1, &err));
		assert_int_equal(p.rdma_port, 0);
		assert_true(rdma_list_infiniband(&k.host, &names, &err));
		assert_int_equal(names.count, 0);
	}
}

static void what_cannot_be_listed_is_told(void **s)
{
	static const struct {
		int command;
		const char *where;
	} rows[] = {
		{ RDMA_NLDEV_CMD_GET, "listing RDMA devices" },
		{ RDMA_NLDEV_CMD_PORT_GET, "looking at mlx5_0" },
	};

	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct kernel k = begin();
		struct port p = some_port(7);
		struct err err = { 0 };
		unsigned active;

		k.failing = rows[i].command;
		k.code = EIO;
		assert_false(rdma_find(&k.host, &p, 1, &err));
		assert_int_equal(err.code, EIO);
		assert_string_equal(err.where, rows[i].where);
		assert_false(rdma_count_active(&k.host, &p, &active, &err));
	}
}

static void only_devices_in_infiniband_mode_are_listed(void **s)
{
	struct kernel k = begin();
	struct rdma_names names;
	struct err err = { 0 };

	(void)s;
	assert_true(rdma_list_infiniband(&k.host, &names, &err));
	assert_int_equal(names.count, 1);
	assert_string_equal(names.names[0], "mlx5_1");
	k.failing = RDMA_NLDEV_CMD_GET;
	k.code = EIO;
	assert_false(rdma_list_infiniband(&k.host, &names, &err));
}

/* ---- queue pairs ---- */

static const struct qp_row {
	const char *sentence;
	struct qp qps[4];
	size_t count;
	const char *why; /* of the guard; NULL: it has nothing against it */
} qp_rows[] = {
	{ "no queue pair holds nobody up", { { 0, 0 } }, 0, NULL },
	{ "those of management are always there",
	  { { 0, READY_TO_SEND }, { GSI, READY_TO_SEND } },
	  2,
	  NULL },
	{ "one that is not connected does not count", { { RC, RESET }, { RC, 1 } }, 2, NULL },
	{ "a connected one counts",
	  { { RC, READY_TO_SEND } },
	  1,
	  "1 RDMA queue pair is connected through this port" },
	{ "one that receives counts, and a datagram's",
	  { { RC, READY_TO_RECEIVE }, { UD, READY_TO_SEND }, { RC, 4 } },
	  3,
	  "2 RDMA queue pairs are connected through this port" },
};

static void what_is_connected_holds_up(void **s)
{
	const struct qp_row *row = *s;
	struct kernel k = begin();
	struct port here = port_with_rdma(), there = some_port(8);
	char why[GUARD_WHY_MAX] = "";

	memcpy(k.qps, row->qps, sizeof(k.qps));
	k.qps_count = row->count;
	assert_int_equal(guard_queue_pairs.objects(&k.host, &here, why), row->why != NULL);
	assert_string_equal(why, row->why ? row->why : "");
	assert_false(guard_queue_pairs.objects(&k.host, &there, why));
}

static void queue_pairs_that_cannot_be_counted_hold_nobody_up(void **s)
{
	struct kernel k = begin();
	struct port p = port_with_rdma();
	char why[GUARD_WHY_MAX];
	struct err err = { 0 };
	unsigned active;

	(void)s;
	k.failing = RDMA_NLDEV_CMD_RES_QP_GET;
	k.code = EPERM;
	assert_false(rdma_count_active(&k.host, &p, &active, &err));
	assert_int_equal(err.kind, ERR_DENIED);
	assert_false(guard_queue_pairs.objects(&k.host, &p, why));
}

/* ---- counters ---- */

static const struct counter_row {
	const char *sentence;
	struct port port;
	int code; /* of the netlink request */
	const char *file;
	enum err_kind kind;
	uint64_t sent;
} counter_rows[] = {
	{ "a port's counters come by netlink", { .rdma_port = 1 }, 0, NULL, ERR_NONE, 5 },
	{ "where they are the device's they come from files",
	  { .rdma_port = 1 },
	  EINVAL,
	  "12",
	  ERR_NONE,
	  12 },
	{ "a file with more than a number has none",
	  { .rdma_port = 1 },
	  EINVAL,
	  "12 or so",
	  ERR_UNSUPPORTED,
	  0 },
	{ "a device may count nothing", { .rdma_port = 1 }, EINVAL, NULL, ERR_UNSUPPORTED, 0 },
	{ "what cannot be read is told", { .rdma_port = 1 }, EIO, "12", ERR_SYSTEM, 0 },
	{ "a port without a device has none", { .rdma_port = 0 }, 0, NULL, ERR_UNSUPPORTED, 0 },
	{ "a bond's device counts for all its members",
	  { .rdma_port = 1, .shares_rdma = true },
	  0,
	  NULL,
	  ERR_UNSUPPORTED,
	  0 },
};

static void counters_come_so(void **s)
{
	const struct counter_row *row = *s;
	struct kernel k = begin();
	struct port p = row->port;
	struct sample sample = { .at_ms = 0 };
	size_t slot = counter_slot(COUNT_CNP_SENT, 0);
	struct err err = { 0 };

	snprintf(p.id.rdma, sizeof(p.id.rdma), "mlx5_0");
	k.failing = RDMA_NLDEV_CMD_STAT_GET;
	k.code = row->code;
	k.counter_file = row->file;
	assert_int_equal(counter_reader_rdma.read(&k.host, &p, NULL, &sample, &err),
			 row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(sample.has[slot], row->kind == ERR_NONE);
	assert_int_equal(sample.value[slot], row->sent);
}

/* ---- devlink ---- */

static const struct param_row {
	const char *sentence;
	bool has, on;
	int code;
	enum err_kind kind;
} param_rows[] = {
	{ "RoCE that is on reads so", true, true, 0, ERR_NONE },
	{ "RoCE that is off reads so", true, false, 0, ERR_NONE },
	{ "a driver may lack the parameter", false, false, 0, ERR_UNSUPPORTED },
	{ "to know no such parameter is to lack it", false, false, EINVAL, ERR_UNSUPPORTED },
	{ "to be denied is not to lack it", false, false, EPERM, ERR_DENIED },
};

static void roce_is_enabled_so(void **s)
{
	const struct param_row *row = *s;
	struct kernel k = begin();
	struct port p = some_port(7);
	struct config c = { 0 };
	struct err err = { 0 };

	k.has_param = row->has;
	k.param_is_on = row->on;
	k.devlink_code = row->code;
	assert_int_equal(feature_roce_enabled.read(&k.host, &p, &c, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(c.has, row->kind == ERR_NONE ? SETTING(SETTING_ROCE_ENABLED) : 0);
	assert_int_equal(c.roce.enabled, row->on);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, each_port_has_the_device_on_its_netdev);
	SUITE_ADD(&s, of_two_devices_that_of_the_ports_function_counts);
	SUITE_ADD(&s, a_device_that_goes_takes_no_other_along);
	SUITE_ADD(&s, devices_that_come_and_go_are_not_asked_for_ever);
	SUITE_ADD(&s, a_kernel_without_rdma_has_no_devices);
	SUITE_ADD(&s, what_cannot_be_listed_is_told);
	SUITE_ADD(&s, only_devices_in_infiniband_mode_are_listed);
	SUITE_ADD_ROWS(&s, qp_rows, what_is_connected_holds_up);
	SUITE_ADD(&s, queue_pairs_that_cannot_be_counted_hold_nobody_up);
	SUITE_ADD_ROWS(&s, counter_rows, counters_come_so);
	SUITE_ADD_ROWS(&s, param_rows, roce_is_enabled_so);
	return suite_run(&s, "rdma");
}
