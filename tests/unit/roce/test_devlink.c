/* Tests of asking devlink for rate objects that divide bandwidth, and for modes of E-Switches. */
#include <errno.h>
#include <linux/devlink.h>
#include <stdlib.h>
#include <string.h>

#include "roce/devlink.h"
#include "tests/support/rdma_kernel.h"
#include "tests/support/unit.h"

#define PCI   "0000:c1:00.0"
#define OTHER "0000:c1:00.1"

static const struct row {
	const char *sentence;
	int code;
	struct rate_object rates[4];
	const char *found; /* NULL: none */
} rows[] = {
	{ "a function without rate objects has none", 0, { { 0 } }, NULL },
	{ "an object of a kernel before 6.17 has no shares",
	  0,
	  { { PCI, "group1", false, { 0 } } },
	  NULL },
	{ "shares of 0 are those that nobody set", 0, { { PCI, "group1", true, { 0, 0 } } }, NULL },
	{ "a group with shares", 0, { { PCI, "group1", true, { 0, 20 } } }, "pci/" PCI "/group1" },
	{ "a port with shares", 0, { { PCI, NULL, true, { 100, 0 } } }, "pci/" PCI "/7" },
	{ "the first of several is named",
	  0,
	  { { PCI, "a", true, { 0, 0 } },
	    { PCI, "b", true, { 1, 0 } },
	    { PCI, "c", true, { 1, 0 } } },
	  "pci/" PCI "/b" },
	{ "an object of another function is not its own",
	  0,
	  { { OTHER, "group1", true, { 1, 1 } } },
	  NULL },
	{ "a kernel without devlink has none",
	  ENOENT,
	  { { PCI, "group1", true, { 1, 1 } } },
	  NULL },
};

static void it_is_found_so(void **s)
{
	const struct row *row = *s;
	struct rdma_kernel k = rdma_kernel();
	char name[RATE_OBJECT_MAX];

	k.rates = row->rates;
	k.devlink_code = row->code;
	assert_int_equal(devlink_find_tc_bw(&k.host, PCI, name), row->found != NULL);
	assert_string_equal(name, row->found ? row->found : "");
}

/* Linux 6.12 has a device of devlink for the netdev beside that of the function. */
static const char *const devices[] = { "pci/" PCI, "auxiliary/mlx5_core.eth.0", "pci/" OTHER,
				       NULL };

static const struct mode_row {
	const char *sentence;
	int mode, code; /* the kernel's answer, or its errno */
	size_t listed;
	enum eswitch_mode found;
} mode_rows[] = {
	{ "legacy", DEVLINK_ESWITCH_MODE_LEGACY, 0, 2, ESWITCH_LEGACY },
	{ "switchdev", DEVLINK_ESWITCH_MODE_SWITCHDEV, 0, 2, ESWITCH_SWITCHDEV },
	{ "an answer without a mode", -1, 0, 2, ESWITCH_UNKNOWN },
	{ "a function that manages none", -1, EOPNOTSUPP, 2, ESWITCH_NONE },
	{ "a function that is gone", -1, ENODEV, 2, ESWITCH_UNKNOWN },
	{ "a user who may not ask", -1, EPERM, 0, ESWITCH_UNKNOWN },
};

static void a_function_has_this_mode(void **s)
{
	const struct mode_row *row = *s;
	struct rdma_kernel k = rdma_kernel();
	struct eswitch_list all;

	k.devices = devices;
	k.eswitch_mode = row->mode;
	k.eswitch_code = row->code;
	assert_int_equal(devlink_eswitch(&k.host, PCI), row->found);
	devlink_list_eswitches(&k.host, &all);
	assert_int_equal(all.count, row->listed);
	for (size_t i = 0; i < all.count; i++) {
		assert_string_equal(all.list[i].pci, i ? OTHER : PCI);
		assert_int_equal(all.list[i].mode, row->found);
	}
	free(all.list);
}

static void modes_read_before_answer_afterwards(void **s)
{
	struct rdma_kernel k = rdma_kernel();
	struct eswitch before[] = { { OTHER, ESWITCH_LEGACY }, { PCI, ESWITCH_SWITCHDEV } };

	(void)s;
	k.eswitch_code = EPERM;
	k.host.eswitches = (struct eswitch_list){ before, COUNT(before) };
	assert_int_equal(devlink_eswitch(&k.host, PCI), ESWITCH_SWITCHDEV);
	assert_int_equal(devlink_eswitch(&k.host, "0000:c2:00.0"), ESWITCH_UNKNOWN);
}

static void a_kernel_without_devlink_has_no_modes(void **s)
{
	struct rdma_kernel k = rdma_kernel();
	struct eswitch_list all;

	(void)s;
	k.devlink_code = EOPNOTSUPP;
	devlink_list_eswitches(&k.host, &all);
	assert_int_equal(all.count, 0);
	assert_null(all.list);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, mode_rows, a_function_has_this_mode);
	SUITE_ADD(&s, modes_read_before_answer_afterwards);
	SUITE_ADD(&s, a_kernel_without_devlink_has_no_modes);
	SUITE_ADD_ROWS(&s, rows, it_is_found_so);
	return suite_run(&s, "devlink");
}
