/* Tests of the lints of bonds. */
#include "tests/support/lint_rows.h"
#include "tests/support/unit.h"
#include "tests/unit/policy/lint/rows_bond.h"

int main(void)
{
	static struct suite s;

	for (size_t i = 0; i < COUNT(bond_ports); i++)
		suite_add(&s, bond_ports[i].row.sentence, lint_port_breaks_exactly, &bond_ports[i]);
	return suite_run(&s, "lint_bond");
}
