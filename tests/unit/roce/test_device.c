/* Tests of finding RDMA devices and their ports. */
#include <errno.h>
#include <rdma/rdma_netlink.h>
#include <stdlib.h>
#include <string.h>

#include "roce/device.h"
#include "tests/support/rdma_kernel.h"
#include "tests/support/unit.h"

static bool find(struct rdma_kernel *k, struct port *ports, size_t count, struct err *err)
{
	struct port_list others = { NULL, 0 };
	struct rdma_names infiniband;
	bool ok = rdma_find(&k->host, ports, count, &others, &infiniband, err);

	assert_int_equal(others.count, 0);
	free(others.list);
	return ok;
}

static void each_port_has_the_device_on_its_netdev(void **s)
{
	struct rdma_kernel k = rdma_kernel();
	struct port ports[] = { port_on(8), port_on(7), port_on(9) };
	struct err err = { 0 };

	(void)s;
	assert_true(find(&k, ports, 3, &err));
	assert_string_equal(ports[0].id.rdma, "mlx5_1");
	assert_int_equal(ports[0].rdma_index, 1);
	assert_int_equal(ports[0].rdma_port, 1);
	assert_string_equal(ports[1].id.rdma, "mlx5_0");
	assert_int_equal(ports[2].rdma_port, 0);
}

/* A switch lists the ports of all its functions first. */
static void six_hundred_functions_do_not_hide_the_uplink(void **s)
{
	struct rdma_kernel k = rdma_kernel();
	struct port p = port_on(7);
	struct port_list others = { NULL, 0 };
	struct rdma_names infiniband;
	struct err err = { 0 };

	(void)s;
	k.representors = 600;
	assert_true(rdma_find(&k.host, &p, 1, &others, &infiniband, &err));
	assert_string_equal(p.id.rdma, "mlx5_0");
	assert_int_equal(p.rdma_port, 601);
	free(others.list);
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
		assert_true(find(&k, &p, 1, &err));
		assert_string_equal(p.id.rdma, rows[i].name);
	}
}

/* In active-backup the kernel names the active member: the device stays with its function's port.
 */
static void a_device_of_a_bond_stays_with_its_function(void **s)
{
	(void)s;
	for (unsigned active = 20; active <= 21; active++) {
		struct rdma_kernel k = rdma_kernel();
		struct port ports[] = { port_on(20), port_on(21) };
		struct err err = { 0 };

		for (size_t i = 0; i < COUNT(ports); i++) {
			strcpy(ports[i].id.bond, "bond0");
			snprintf(ports[i].id.pci, sizeof(ports[i].id.pci), "0000:3b:00.%zu", i);
		}
		k.other = active;
		k.uevent = "DRIVER=mlx5_core\nPCI_SLOT_NAME=0000:3b:00.0\n";
		assert_true(find(&k, ports, 2, &err));
		assert_string_equal(ports[0].id.rdma, "mlx5_1");
		assert_int_equal(ports[1].rdma_port, 0);
	}
}

/* A device disappears after it was listed, and the kernel skips the next one. */
static void a_device_that_goes_takes_no_other_along(void **s)
{
	struct rdma_kernel k = rdma_kernel();
	struct port ports[] = { port_on(7), port_on(8) };
	struct err err = { 0 };

	(void)s;
	k.goes = true;
	assert_true(find(&k, ports, 2, &err));
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
	assert_false(find(&k, &p, 1, &err));
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
		struct port_list others = { NULL, 0 };
		struct rdma_names infiniband = { .count = 1 };
		struct err err = { 0 };

		k.failing = RDMA_NLDEV_CMD_GET;
		k.code = codes[i];
		assert_true(rdma_find(&k.host, &p, 1, &others, &infiniband, &err));
		assert_int_equal(p.rdma_port, 0);
		assert_int_equal(others.count, 0);
		assert_int_equal(infiniband.count, 0);
		free(others.list);
	}
}

static void a_list_that_fails_is_reported(void **s)
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
		assert_false(find(&k, &p, 1, &err));
		assert_int_equal(err.code, EIO);
		assert_string_equal(err.where, rows[i].where);
		assert_false(rdma_count_active(&k.host, &p, &active, &err));
	}
}

#define MLX5_0 "/sys/class/infiniband/mlx5_0/"

/* Devices without an interface: a pod's VF, an SF, and one that sysfs no longer has. */
static const struct hidden_row {
	const char *files[8][2], *pci, *driver, *firmware;
	uint32_t speed_mbps;
	bool carrier;
} hidden_rows[] = {
	{ { { MLX5_0 "device/uevent", "DRIVER=mlx5_core\nPCI_SLOT_NAME=0000:3b:00.2\n" },
	    { MLX5_0 "fw_ver", "28.41.1000" },
	    { MLX5_0 "board_id", "MT_0000000838" },
	    { MLX5_0 "ports/1/rate", "100 Gb/sec (4X EDR)" },
	    { MLX5_0 "ports/1/state", "4: ACTIVE" } },
	  "0000:3b:00.2",
	  "mlx5_core",
	  "28.41.1000 (MT_0000000838)",
	  100000,
	  true },
	{ { { MLX5_0 "device/uevent", "DRIVER=mlx5_core.sf\nMODALIAS=auxiliary:x\n" },
	    { MLX5_0 "fw_ver", "28.41.1000" },
	    { MLX5_0 "ports/1/rate", "2.5 Gb/sec (1X SDR)" },
	    { MLX5_0 "ports/1/state", "1: DOWN" } },
	  "",
	  "mlx5_core",
	  "28.41.1000",
	  2500,
	  false },
	{ .pci = "", .driver = "", .firmware = "" },
};

static void a_device_without_an_interface_is_described(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(hidden_rows); i++) {
		struct rdma_kernel k = rdma_kernel();
		struct port_list others = { NULL, 0 };
		struct rdma_names infiniband;
		struct err err = { 0 };
		const struct port *p;

		k.hidden = true;
		k.files = hidden_rows[i].files;
		assert_true(rdma_find(&k.host, NULL, 0, &others, &infiniband, &err));
		assert_int_equal(others.count, 1); /* device 1 is in InfiniBand mode */
		p = &others.list[0];
		assert_true(p->no_interface);
		assert_string_equal(p->id.name, "mlx5_0");
		assert_int_equal(p->rdma_port, 1);
		assert_string_equal(p->id.pci, hidden_rows[i].pci);
		assert_string_equal(p->id.driver, hidden_rows[i].driver);
		assert_string_equal(p->id.firmware, hidden_rows[i].firmware);
		assert_int_equal(p->id.speed_mbps, hidden_rows[i].speed_mbps);
		assert_int_equal(p->carrier, hidden_rows[i].carrier);
		free(others.list);
	}
}

static void devices_in_infiniband_mode_come_with_the_same_list(void **s)
{
	struct rdma_kernel k = rdma_kernel();
	struct port_list others = { NULL, 0 };
	struct rdma_names names;
	struct err err = { 0 };

	(void)s;
	assert_true(rdma_find(&k.host, NULL, 0, &others, &names, &err));
	free(others.list);
	assert_int_equal(names.count, 1);
	assert_string_equal(names.names[0], "mlx5_1");
	assert_int_equal(k.lists, 1);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, each_port_has_the_device_on_its_netdev);
	SUITE_ADD(&s, six_hundred_functions_do_not_hide_the_uplink);
	SUITE_ADD(&s, of_two_devices_that_of_the_ports_function_counts);
	SUITE_ADD(&s, a_device_of_a_bond_stays_with_its_function);
	SUITE_ADD(&s, a_device_that_goes_takes_no_other_along);
	SUITE_ADD(&s, devices_that_come_and_go_are_not_asked_for_ever);
	SUITE_ADD(&s, a_kernel_without_rdma_has_no_devices);
	SUITE_ADD(&s, a_list_that_fails_is_reported);
	SUITE_ADD(&s, a_device_without_an_interface_is_described);
	SUITE_ADD(&s, devices_in_infiniband_mode_come_with_the_same_list);
	return suite_run(&s, "device");
}
