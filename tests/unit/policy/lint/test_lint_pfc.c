/* Tests of the lints of PFC, pause and DCBX. */
#include "tests/support/lint_rows.h"
#include "tests/support/unit.h"
#include "tests/unit/policy/lint/rows_pfc.h"

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, pfc_rows, lint_breaks_exactly);
	for (size_t i = 0; i < COUNT(pfc_ports); i++)
		suite_add(&s, pfc_ports[i].row.sentence, lint_port_breaks_exactly, &pfc_ports[i]);
	return suite_run(&s, "lint_pfc");
}
