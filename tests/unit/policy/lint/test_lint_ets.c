/* Tests of the lints of classes, their shares and their limits. */
#include "tests/support/lint_rows.h"
#include "tests/support/unit.h"
#include "tests/unit/policy/lint/rows_ets.h"

static const struct lint_text_row texts[] = {
	{ "the rate object is named",
	  "{'ets': {'bandwidth': [100,0,0,0,0,0,0,0]}}",
	  "ets-beside-devlink-tc-bw",
	  "devlink rate object pci/0000:c1:00.0/group1 divides bandwidth by traffic class, beside "
	  "ETS",
	  { .rate_object = "pci/0000:c1:00.0/group1" } },
};

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, ets_rows, lint_breaks_exactly);
	for (size_t i = 0; i < COUNT(ets_ports); i++)
		suite_add(&s, ets_ports[i].row.sentence, lint_port_breaks_exactly, &ets_ports[i]);
	SUITE_ADD_ROWS(&s, texts, lint_says);
	return suite_run(&s, "lint_ets");
}
