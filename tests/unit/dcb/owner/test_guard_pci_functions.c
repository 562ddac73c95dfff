/* Tests of ports that share a PCI function; guards.sh has the VFs and SFs of others. */
#include <string.h>

#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

/* The second port of an mlx4_core has the first one's PCI address. */
static void a_port_that_shares_its_function_is_not_written_to(void **s)
{
	struct port alone = { .id = { .driver = "mlx4_core", .pci = "0000:3b:00.0" } }, two = alone;
	char why[GUARD_WHY_MAX] = "";

	(void)s;
	two.shares_function = true;
	assert_false(guard_shared_function.objects(NULL, &alone, why));
	assert_true(guard_shared_function.objects(NULL, &two, why));
	assert_non_null(strstr(why, "another port has its PCI address 0000:3b:00.0"));
	assert_int_equal(guard_shared_function.over, EVERY_SETTING);
	assert_int_equal(guard_shared_function.overridden_by, 0);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_port_that_shares_its_function_is_not_written_to);
	return suite_run(&s, "guard_pci_functions");
}
