/* Tests of drivers other than mlx5_core, which nobody has tried. */
#include <string.h>

#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

static void another_driver_is_written_to_on_request_only(void **s)
{
	struct port mlx5 = { .id.driver = "mlx5_core" }, other = { .id.driver = "ice" };
	char why[GUARD_WHY_MAX] = "";

	(void)s;
	assert_false(guard_driver.objects(NULL, &mlx5, why));
	assert_string_equal(why, "");
	assert_true(guard_driver.objects(NULL, &other, why));
	assert_non_null(strstr(why, "its driver is ice"));
	assert_int_equal(guard_driver.over, EVERY_SETTING);
	assert_int_equal(guard_driver.overridden_by, ANY_DRIVER);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, another_driver_is_written_to_on_request_only);
	return suite_run(&s, "guard_driver");
}
