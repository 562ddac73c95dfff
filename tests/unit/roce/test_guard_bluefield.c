/* Tests of the BlueField guard: in DPU mode the Arm side configures the port, not the host. */
#include <errno.h>
#include <linux/devlink.h>
#include <string.h>

#include "policy/model/setting.h"
#include "roce/registry.h"
#include "tests/support/rdma_kernel.h"
#include "tests/support/unit.h"

static const struct guard_row {
	const char *sentence;
	struct port port;
	int mode, code;	 /* devlink's eswitch mode (-1: none), or its errno */
	const char *why; /* a part of the reason; NULL: no objection */
} guard_rows[] = {
	{ "another adapter is not asked", { .is_vf = false }, -1, EOPNOTSUPP, NULL },
	{ "the manager of the eswitch may write",
	  { .is_bluefield = true },
	  DEVLINK_ESWITCH_MODE_LEGACY,
	  0,
	  NULL },
	{ "so may the manager of a switch",
	  { .is_bluefield = true },
	  DEVLINK_ESWITCH_MODE_SWITCHDEV,
	  0,
	  NULL },
	{ "who does not manage it may not",
	  { .is_bluefield = true },
	  -1,
	  EOPNOTSUPP,
	  "is in DPU mode" },
	{ "a kernel without devlink does not prove it",
	  { .is_bluefield = true },
	  -1,
	  ENOENT,
	  "may be" },
	{ "nor does an answer without a mode", { .is_bluefield = true }, -1, 0, "may be" },
	{ "a virtual function has none",
	  { .is_bluefield = true, .is_vf = true },
	  -1,
	  EOPNOTSUPP,
	  NULL },
};

static void the_host_of_a_dpu_does_not_write(void **s)
{
	const struct guard_row *row = *s;
	struct rdma_kernel k = rdma_kernel();
	char why[GUARD_WHY_MAX] = "";

	k.eswitch_mode = row->mode;
	k.devlink_code = row->code;
	assert_int_equal(guard_bluefield.objects(&k.host, &row->port, why), row->why != NULL);
	if (row->why)
		assert_non_null(strstr(why, row->why));
	else
		assert_string_equal(why, "");
	assert_int_equal(guard_bluefield.over, EVERY_SETTING);
	assert_false(guard_bluefield.may_override);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, guard_rows, the_host_of_a_dpu_does_not_write);
	return suite_run(&s, "guard_bluefield");
}
