/* Lints of classes, their shares and their limits. */
#include "tests/support/lint_rows.h"
#include "tests/support/unit.h"
#include "tests/unit/policy/lint/rows_ets.h"

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, ets_rows, lint_breaks_exactly);
	return suite_run(&s, "lint_ets");
}
