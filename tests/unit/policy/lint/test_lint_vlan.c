/* Tests of the lints of the PCP that a VLAN device sends. */
#include "tests/support/lint_rows.h"
#include "tests/support/unit.h"
#include "tests/unit/policy/lint/rows_vlan.h"

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, vlan_rows, lint_breaks_exactly);
	return suite_run(&s, "lint_vlan");
}
