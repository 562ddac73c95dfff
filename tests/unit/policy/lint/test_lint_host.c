/* Tests of the lints about the host. */
#include "policy/lint/finding.h"
#include "policy/model/setting.h"
#include "tests/support/lint_rows.h"
#include "tests/support/unit.h"
#include "tests/unit/policy/lint/rows_host.h"

static const struct lint_text_row texts[] = {
	{ "the kernel is named",
	  "{'mtu': 9000}",
	  "mlx5-xoff-regression",
	  "Linux 6.12.48 has two changes of Xon and Xoff in mlx5 that slow most traffic to a "
	  "trickle",
	  { .slow_kernel = "6.12.48" } },
	{ "another kernel is not", "{'mtu': 9000}", "mlx5-xoff-regression", NULL, { 0 } },
};

/* One desired setting is enough, no matter which; without any, the port has no findings. */
static void a_lint_about_the_host_is_found_on_each_port_that_the_policy_sets(void **s)
{
	const struct capabilities slow = { .slow_kernel = "6.12.48" };
	struct config actual = { .has = EVERY_SETTING };
	struct lint_input in = { .actual = &actual, .capabilities = &slow };

	(void)s;
	assert_false(findings_of(&in, 0) != 0);
	for (unsigned k = 0; k < SETTING_COUNT; k++) {
		bool found = false;

		in.desired = SETTING(k);
		for (size_t i = 0; lint_at(i); i++)
			found |= lint_at(i)->of_host && (findings_of(&in, 0) & LINT(i));
		assert_true(found);
	}
}

int main(void)
{
	static struct suite s;

	for (size_t i = 0; i < COUNT(host_ports); i++)
		suite_add(&s, host_ports[i].row.sentence, lint_port_breaks_exactly, &host_ports[i]);
	SUITE_ADD_ROWS(&s, texts, lint_says);
	SUITE_ADD(&s, a_lint_about_the_host_is_found_on_each_port_that_the_policy_sets);
	return suite_run(&s, "lint_host");
}
