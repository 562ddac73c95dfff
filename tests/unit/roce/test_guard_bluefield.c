/* Tests of the BlueField guard: in DPU mode the Arm side configures the port, not the host. */
#include <string.h>

#include "agent/engine/feature.h"
#include "policy/model/setting.h"
#include "roce/registry.h"
#include "tests/support/unit.h"

static const struct guard_row {
	const char *sentence;
	struct port port;
	const char *why; /* a part of the reason; NULL: no objection */
} guard_rows[] = {
	{ "another adapter is not asked", { .eswitch_mode = ESWITCH_NONE }, NULL },
	{ "the manager of the eswitch may write",
	  { .is_bluefield = true, .eswitch_mode = ESWITCH_LEGACY },
	  NULL },
	{ "so may the manager of a switch",
	  { .is_bluefield = true, .eswitch_mode = ESWITCH_SWITCHDEV },
	  NULL },
	{ "who does not manage it may not",
	  { .is_bluefield = true, .eswitch_mode = ESWITCH_NONE },
	  "is in DPU mode" },
	{ "an unknown mode does not prove it", { .is_bluefield = true }, "may be" },
	{ "a virtual function has none",
	  { .is_bluefield = true, .is_vf = true, .eswitch_mode = ESWITCH_NONE },
	  NULL },
};

static void the_host_of_a_dpu_does_not_write(void **s)
{
	const struct guard_row *row = *s;
	char why[GUARD_WHY_MAX] = "";

	assert_int_equal(guard_bluefield.objects(NULL, &row->port, why), row->why != NULL);
	if (row->why)
		assert_non_null(strstr(why, row->why));
	else
		assert_string_equal(why, "");
	assert_int_equal(guard_bluefield.over, EVERY_SETTING);
	assert_int_equal(guard_bluefield.overridden_by, 0);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, guard_rows, the_host_of_a_dpu_does_not_write);
	return suite_run(&s, "guard_bluefield");
}
