/* Tests of reading a port's capabilities, including unknown ones. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <string.h>

#include "dcb/capabilities.h"
#include "dcb/registry.h"
#include "dcb/dcbnl.h"
#include "tests/support/unit.h"

/* A kernel with one link, whose driver reports PFC. */
struct kernel {
	struct host host;
	uint32_t max_mtu; /* 0: an old kernel, which does not report it */
	bool has_dcb;
	struct dcbnl_buffer buffer; /* total size 0: 262016 */
	bool lldpad_running, lldpad_is_enabled;
	const char *release; /* Linux's */
	bool has_nvidia_driver;
	const char *program, *device; /* a process, and a word of its command line */
};

static bool refuse(struct err *err)
{
	return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "no");
}

static bool look(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	const struct kernel *k = (const struct kernel *)h;

	(void)err;
	*ret = (struct link){
		.ifindex = ifindex, .name = "eth0", .min_mtu = 68, .max_mtu = k->max_mtu
	};
	return ifindex == 7;
}

static bool answer_dcb(const struct kernel *k, struct nlmsghdr *n, struct err *err)
{
	struct ieee_pfc pfc = { .pfc_cap = 2, .pfc_en = 8 };
	struct ieee_ets ets = { .ets_cap = 4 };
	struct dcbnl_buffer buffer = k->buffer;
	struct nlattr *nest;

	if (!k->has_dcb)
		return refuse(err);
	if (!buffer.total_size)
		buffer.total_size = 262016;
	mnl_nlmsg_put_extra_header(n, sizeof(struct dcbmsg));
	nest = mnl_attr_nest_start(n, DCB_ATTR_IEEE);
	mnl_attr_put(n, DCB_ATTR_IEEE_PFC, sizeof(pfc), &pfc);
	mnl_attr_put(n, DCB_ATTR_IEEE_ETS, sizeof(ets), &ets);
	mnl_attr_put(n, DCB_ATTR_DCB_BUFFER, sizeof(buffer), &buffer);
	mnl_attr_nest_end(n, nest);
	return true;
}

static bool answer(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
		   void *arg, struct err *err)
{
	struct kernel *k = (struct kernel *)h;
	char room[512] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(room);
	bool known = answer_dcb(k, n, err);

	(void)request;
	assert_int_equal(bus, BUS_ROUTE);
	return known && each(n, arg) >= 0;
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	struct kernel *k = (struct kernel *)h;

	if (strcmp(path, "/proc/sys/kernel/osrelease") == 0 && k->release)
		return snprintf(buf, size, "%s", k->release) > 0;
	if (strcmp(path, "/sys/module/mlx5_core/version") == 0 && k->has_nvidia_driver)
		return snprintf(buf, size, "25.07") > 0;
	if (strcmp(path, "/usr/lib/systemd/system/lldpad.service") == 0 && k->lldpad_is_enabled)
		return snprintf(buf, size, "%s", "[Unit]") > 0;
	if (k->program && strcmp(path, "/proc/42/cmdline") == 0)
		return snprintf(buf, size, "%s%c--device%c%s", k->program, 0, 0, k->device) > 0;
	snprintf(buf, size, "%s", k->program ? k->program : "lldpad");
	if (k->program && strcmp(path, "/proc/42/comm") == 0)
		return true;
	return (k->lldpad_running && strncmp(path, "/proc/42/c", 10) == 0) || refuse(err);
}

static bool list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		     void *arg, struct err *err)
{
	struct kernel *k = (struct kernel *)h;

	(void)err;
	if (strcmp(path, "/proc") == 0)
		each("42", arg);
	else if (strcmp(path, "/etc/systemd/system") == 0)
		each("multi-user.target.wants", arg);
	else if (k->lldpad_is_enabled)
		each("lldpad.service", arg);
	return true;
}

static struct capabilities capabilities_by(struct kernel *k, const char *driver)
{
	struct port port = { .id = { .name = "eth0", .rdma = "mlx5_0", .pci = "0000:c1:00.0" },
			     .ifindex = 7,
			     .speed_mbps = 100000 };
	struct capabilities f = { 1,
				  1,
				  1,
				  .traffic_classes = 1,
				  .buffer_bytes = 1,
				  .cell_bytes = 1,
				  .lldpad_running = true,
				  .lldpad_starts_at_boot = true,
				  .slow_kernel = "9.9.9",
				  .congestion_program = "stale" };

	snprintf(port.id.driver, sizeof(port.id.driver), "%s", driver);
	k->host.link = look;
	k->host.talk = answer;
	k->host.read_file = read_file;
	k->host.list_dir = list_dir;
	capabilities_read(&k->host, &port, &f);
	return f;
}

static struct capabilities capabilities_of(struct kernel *k)
{
	return capabilities_by(k, "mlx5_core");
}

static void a_port_reports_its_largest_mtu_and_its_lossless_priorities(void **s)
{
	struct kernel k = { .max_mtu = 9978, .has_dcb = true };
	struct capabilities f = capabilities_of(&k);

	(void)s;
	assert_int_equal(f.speed_mbps, 100000);
	assert_int_equal(f.max_mtu, 9978);
	assert_int_equal(f.min_mtu, 68);
	assert_int_equal(f.pfc_cap, 2);
	assert_int_equal(f.traffic_classes, 4);
	assert_int_equal(f.buffer_bytes, 262016);
}

static const struct cell_row {
	const char *sentence;
	uint32_t total, size[8];
	uint32_t cell;
} cell_rows[] = {
	{ "cells of 128 bytes", 1048576, { 262016, 130944 }, 128 },
	{ "sizes of 1024 bytes have cells of 128", 1048576, { 131072, 65536 }, 128 },
	{ "cells of 144 bytes", 144 * 3001, { 144 * 100, 0, 144 * 7 }, 144 },
	{ "an even number of cells of 144 bytes", 288 * 3001, { 288 * 100 }, 144 },
	{ "cells of 192 bytes", 192 * 1021, { 192 * 5, 192 * 7 }, 192 },
	{ "sizes that are no cells", 1048576, { 127 }, 0 },
};

static void buffers_have_such_cells(void **s)
{
	const struct cell_row *row = *s;
	struct kernel k = { .has_dcb = true, .buffer.total_size = row->total };

	memcpy(k.buffer.buffer_size, row->size, sizeof(row->size));
	assert_int_equal(capabilities_of(&k).cell_bytes, row->cell);
}

static void nothing_is_refused_for_a_limit_that_is_unknown(void **s)
{
	struct config from = { .mtu = 1500 }, to = { .mtu = 65535 };
	const struct capabilities unknown = { .max_mtu = 0 };
	struct port port = { .id.driver = "mlx5_core" };
	struct err err = { 0 };

	(void)s;
	memset(to.ets.prio_tc, 7, sizeof(to.ets.prio_tc));
	memset(to.ets.tsa, TSA_CBS, sizeof(to.ets.tsa));
	to.maxrate.tc_mbps[7] = 1000;
	to.buffer.size_bytes[7] = UINT32_MAX;
	assert_true(feature_mtu.accepts(&port, &unknown, &from, &to, &err));
	assert_true(feature_ets.accepts(&port, &unknown, &from, &to, &err));
	assert_true(feature_maxrate.accepts(&port, &unknown, &from, &to, &err));
	assert_true(feature_buffer.accepts(&port, &unknown, &from, &to, &err));
}

enum aspect { PRIORITY_6, CLASS_6_IS_ETS, CLASS_6_SHARES, CLASS_1_SHAPED };

/* The port has four traffic classes. */
static const struct class_limit_row {
	const char *sentence;
	enum aspect asks_for;
	const char *why; /* NULL: it is accepted */
} class_limit_rows[] = {
	{ "no class that the port lacks", PRIORITY_6,
	  "priority 6 is in traffic class 6, and the port has 4 traffic classes (dcbnl ets_cap)" },
	{ "a class that the port lacks may have any algorithm", CLASS_6_IS_ETS, NULL },
	{ "a class that the port lacks has no share", CLASS_6_SHARES,
	  "traffic class 6 has a share of 10 %, and the port has 4 traffic classes (dcbnl "
	  "ets_cap)" },
	{ "no shaper that the port lacks", CLASS_1_SHAPED,
	  "traffic class 1 is \"cbs\", and the port has no credit-based shaper (dcbnl cbs)" },
};

static void classes_are_limited_so(void **s)
{
	const struct class_limit_row *row = *s;
	const struct capabilities four = { .traffic_classes = 4 };
	struct port port = { .id = { .name = "eth0", .driver = "mlx5_core" } };
	struct config from = { .trust = TRUST_PCP }, to;
	struct err err = { 0 };

	memset(from.ets.tsa, TSA_STRICT, sizeof(from.ets.tsa));
	to = from;
	to.ets.prio_tc[6] = row->asks_for == PRIORITY_6 ? 6 : 0;
	to.ets.tsa[6] = row->asks_for == CLASS_6_IS_ETS ? TSA_ETS : TSA_STRICT;
	to.ets.bandwidth[6] = row->asks_for == CLASS_6_SHARES ? 10 : 0;
	to.ets.tsa[1] = row->asks_for == CLASS_1_SHAPED ? TSA_CBS : TSA_STRICT;
	assert_int_equal(feature_ets.accepts(&port, &four, &from, &to, &err), !row->why);
	assert_string_equal(err.text, row->why ? row->why : "");
}

static void an_mtu_below_the_smallest_is_refused(void **s)
{
	struct config from = { .mtu = 1500 }, to = { .mtu = 68 };
	const struct capabilities capabilities = { .min_mtu = 256 };
	struct port port = { .id.name = "eth0" };
	struct err err = { 0 };

	(void)s;
	assert_false(feature_mtu.accepts(&port, &capabilities, &from, &to, &err));
	assert_non_null(strstr(err.text, "below the port's smallest, 256"));
	assert_string_equal(err.fix, "set mtu to 256 or more");
}

static void limits_that_a_port_does_not_report_are_0(void **s)
{
	struct kernel k = { .max_mtu = 0 };
	struct capabilities f = capabilities_of(&k);

	(void)s;
	assert_int_equal(f.max_mtu, 0);
	assert_int_equal(f.pfc_cap, 0);
	assert_int_equal(f.traffic_classes, 0);
	assert_int_equal(f.buffer_bytes, 0);
	assert_int_equal(f.cell_bytes, 0);
	assert_false(f.lldpad_running);
	assert_false(f.lldpad_starts_at_boot);
}

static void an_lldpad_runs_or_looms(void **s)
{
	struct kernel enabled = { .lldpad_is_enabled = true };
	struct kernel both = { .lldpad_is_enabled = true, .lldpad_running = true };

	(void)s;
	assert_true(capabilities_of(&enabled).lldpad_starts_at_boot);
	assert_true(capabilities_of(&both).lldpad_running);
	assert_false(capabilities_of(&both).lldpad_starts_at_boot);
}

/* Only the kernel's own mlx5 driver is slow, not NVIDIA's driver or those of other adapters. */
static void a_slow_kernel_is_that_of_its_own_mlx5_driver(void **s)
{
	struct kernel slow = { .release = "6.12.48" }, fixed = { .release = "6.12.53" };
	struct kernel nvidia = { .release = "6.12.48", .has_nvidia_driver = true };

	(void)s;
	assert_string_equal(capabilities_by(&slow, "mlx5_core").slow_kernel, "6.12.48");
	assert_string_equal(capabilities_by(&slow, "bnxt_en").slow_kernel, "");
	assert_string_equal(capabilities_by(&fixed, "mlx5_core").slow_kernel, "");
	assert_string_equal(capabilities_by(&nvidia, "mlx5_core").slow_kernel, "");
}

static void a_program_controls_congestion_of_the_device_that_it_names(void **s)
{
	struct kernel spectrum_x = { .program = "doca_spcx_cc", .device = "mlx5_0" };
	struct kernel pcc = { .program = "doca_pcc", .device = "0000:c1:00.0" };
	struct kernel of_another = { .program = "doca_spcx_cc", .device = "mlx5_1" };
	struct kernel unlike = { .program = "doca_spcx_cc2", .device = "mlx5_0" }, none = { 0 };

	(void)s;
	assert_string_equal(capabilities_of(&spectrum_x).congestion_program, "doca_spcx_cc");
	assert_string_equal(capabilities_of(&pcc).congestion_program, "doca_pcc");
	assert_string_equal(capabilities_of(&of_another).congestion_program, "");
	assert_string_equal(capabilities_of(&unlike).congestion_program, "");
	assert_string_equal(capabilities_of(&none).congestion_program, "");
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, cell_rows, buffers_have_such_cells);
	SUITE_ADD(&s, a_port_reports_its_largest_mtu_and_its_lossless_priorities);
	SUITE_ADD(&s, nothing_is_refused_for_a_limit_that_is_unknown);
	SUITE_ADD_ROWS(&s, class_limit_rows, classes_are_limited_so);
	SUITE_ADD(&s, an_mtu_below_the_smallest_is_refused);
	SUITE_ADD(&s, limits_that_a_port_does_not_report_are_0);
	SUITE_ADD(&s, an_lldpad_runs_or_looms);
	SUITE_ADD(&s, a_program_controls_congestion_of_the_device_that_it_names);
	SUITE_ADD(&s, a_slow_kernel_is_that_of_its_own_mlx5_driver);
	return suite_run(&s, "facts");
}
