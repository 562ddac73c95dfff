/* Tests of the ports that an interrupted run left, and that this one does not change. */
#include "agent/engine/write/recovery_ports.h"
#include "tests/support/unit.h"

/* Devices of pods have no interface here, and no PCI address if they are subfunctions. */
static struct captured_port devices[] = {
	{ .port = { .id = { .name = "mlx5_4" }, .no_interface = true } },
	{ .port = { .id = { .name = "mlx5_5" }, .no_interface = true } },
	{ .port = { .id = { .name = "ens1f0np0", .pci = "0000:3b:00.0" }, .ifindex = 7 } },
};
static const struct captured host = { .ports = devices, .count = COUNT(devices) };
static const struct engine engine = { .captured = &host };

static void each_port_is_restored_that_the_run_does_not_name(void **s)
{
	struct journal_entry left[] = { { .name = "mlx5_4" },
					{ .name = "mlx5_5" },
					{ .name = "ens1f0np0", .pci = "0000:3b:00.0" } };

	(void)s;
	for (size_t named = 0; named < COUNT(devices); named++) {
		const struct run r = { .recovering = true,
				       .pending = { .entries = left, .count = COUNT(left) } };
		struct targets all = { .list = calloc(1, sizeof(*all.list)), .count = 1 };
		struct err err = { 0 };

		assert_non_null(all.list);
		all.list[0].task.port = devices[named].port;
		assert_true(recovery_add(&engine, &r, &all, &err));
		assert_int_equal(all.count, COUNT(devices));
		for (size_t i = 0; i < all.count; i++)
			for (size_t j = 0; j < i; j++)
				assert_string_not_equal(all.list[i].task.port.id.name,
							all.list[j].task.port.id.name);
		free(all.list);
	}
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, each_port_is_restored_that_the_run_does_not_name);
	return suite_run(&s, "recovery_ports");
}
