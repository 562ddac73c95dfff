/* Tests of the lints of RoCE's DSCP, traffic class and APP entries. */
#include "tests/support/lint_rows.h"
#include "tests/support/unit.h"
#include "tests/unit/policy/lint/rows_marking.h"

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, marking_rows, lint_breaks_exactly);
	return suite_run(&s, "lint_marking");
}
