/* Tests of the cable length: which drivers support it, and when 0 is a length. */
#include <errno.h>

#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "tests/support/dcb_kernel.h"
#include "tests/support/unit.h"

static const struct read_row {
	const char *sentence;
	const char *driver;
	uint16_t delay;
	bool has_buffers;
	unsigned fail_at;
	enum err_kind kind; /* ERR_NONE: the length is read */
} reads[] = {
	{ "a length is read", "mlx5_core", 7, true, 0, ERR_NONE },
	{ "0 is a length that nobody has set", "mlx5_core", 0, true, 0, ERR_NONE },
	{ "0 without buffers is no length", "mlx5_core", 0, false, 0, ERR_UNSUPPORTED },
	{ "whether there are buffers may be unknown", "mlx5_core", 0, true, 2, ERR_SYSTEM },
	{ "PFC may be unknown", "mlx5_core", 7, true, 1, ERR_SYSTEM },
	{ "other drivers count no metres", "bnxt_en", 7, true, 0, ERR_UNSUPPORTED },
};

static struct port port_of(const char *driver)
{
	struct port port = { .id.name = "ens1f0np0", .ifindex = 7 };

	snprintf(port.id.driver, sizeof(port.id.driver), "%s", driver);
	return port;
}

static void is_read(void **s)
{
	const struct read_row *row = *s;
	struct dcb_kernel k = dcb_kernel();
	struct port port = port_of(row->driver);
	struct config c = { 0 };
	struct err err = { 0 };

	k.delay = row->delay;
	k.has_buffers = row->has_buffers;
	k.fail_at = row->fail_at;
	assert_int_equal(feature_cable.read(&k.host, &port, &c, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(c.has, row->kind == ERR_NONE ? SETTING(SETTING_PFC_CABLE_M) : 0);
	assert_int_equal(c.pfc.cable_m, row->kind == ERR_NONE ? row->delay : 0);
}

static const struct write_row {
	const char *sentence;
	uint16_t cable_m;
	unsigned fail_at;
	enum err_kind kind;
	const char *log;
} writes[] = {
	{ "a length goes with the mask that is there", 30, 0, ERR_NONE, "pfc:8 cable:30 " },
	{ "nothing is written beside a mask that cannot be read", 30, 1, ERR_SYSTEM, "" },
	{ "a write may fail", 30, 2, ERR_SYSTEM, "" },
};

static void is_written(void **s)
{
	const struct write_row *row = *s;
	struct dcb_kernel k = dcb_kernel();
	struct port port = port_of("mlx5_core");
	struct config from = { 0 }, to = { .pfc.cable_m = row->cable_m };
	struct err err = { 0 };

	k.pfc = 8;
	k.fail_at = row->fail_at;
	assert_int_equal(feature_cable.write(&k.host, &port, &from, &to, &err),
			 row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_string_equal(k.log, row->log);
}

static void nvidias_own_driver_takes_0(void **s)
{
	struct capabilities kernels = { .maker = MAKER_KERNEL }, own = { .maker = MAKER_NVIDIA };
	struct port port = port_of("mlx5_core");
	struct config from = { .pfc.cable_m = 30 }, to = { .pfc.cable_m = 0 };
	struct err err = { 0 };

	(void)s;
	assert_true(feature_cable.accepts(&port, &kernels, &to, &from, &err));
	assert_true(feature_cable.accepts(&port, &own, &from, &to, &err));
	assert_false(feature_cable.accepts(&port, &kernels, &from, &to, &err));
	assert_int_equal(err.kind, ERR_REFUSED);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, reads, is_read);
	SUITE_ADD_ROWS(&s, writes, is_written);
	SUITE_ADD(&s, nvidias_own_driver_takes_0);
	return suite_run(&s, "pfc delay");
}
