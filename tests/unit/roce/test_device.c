/* RDMA devices: the port that each belongs to. */
#include <errno.h>
#include <rdma/rdma_netlink.h>
#include <string.h>

#include "roce/device.h"
#include "tests/support/rdma_kernel.h"
#include "tests/support/unit.h"

static void each_port_has_the_device_on_its_netdev(void **s)
{
	struct rdma_kernel k = rdma_kernel();
	struct port ports[] = { port_on(8), port_on(7), port_on(9) };
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
		struct rdma_kernel k = rdma_kernel();
		struct port p = port_on(7);
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
	struct rdma_kernel k = rdma_kernel();
	struct port ports[] = { port_on(7), port_on(8) };
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
	struct rdma_kernel k = rdma_kernel();
	struct port p = port_on(7);
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
		struct rdma_kernel k = rdma_kernel();
		struct port p = port_on(7);
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
		{ RDMA_NLDEV_CMD_PORT_GET, "reading mlx5_0" },
	};

	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct rdma_kernel k = rdma_kernel();
		struct port p = port_on(7);
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
	struct rdma_kernel k = rdma_kernel();
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
	return suite_run(&s, "device");
}
