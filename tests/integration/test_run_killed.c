/* Tests of runs that are killed at any write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/integration/runs.h"
#include "tests/integration/port_state.h"

static void killed_at_any_write_another_apply_leaves_no_between(void **s)
{
	struct config first = parsed(lossless), desired = parsed(second_policy);
	unsigned n = 1;

	(void)s;
	for (int after = 0; after < 2; after++)
		for (n = 1;; n++) {
			struct fake f = fresh_run();
			struct hardware before = f.hw, expected = f.hw;

			if (!killed(&f, &first, n, after))
				break;
			assert_true(run_apply(&f, &desired));
			expected.mtu = 4200;
			expected.pfc = 1 << 4;
			expected.pause_rx = expected.pause_tx = false; /* PFC clears pause */
			expected.written = f.hw.written;
			fake_lay_buffers(&expected);
			if (!hardware_is(&f.hw, &expected))
				fail_msg("killed at write %u: between", n);
			assert_true(run_apply(&f, NULL));
			if (!hardware_is(&f.hw, &before))
				fail_msg("killed at write %u: not as before after taking back", n);
		}
	assert_true(n > 9);
}

static void a_killed_apply_does_not_leave_its_side_effects(void **s)
{
	struct config first = parsed(lossless), none = parsed("{\"pfc\": {\"priorities\": []}}");

	(void)s;
	for (unsigned n = 1;; n++) {
		struct fake f = fresh_run();
		struct hardware before = f.hw;

		if (!killed(&f, &first, n, true))
			break;
		assert_true(run_apply(&f, &none));
		if (!hardware_is(&f.hw,
				 &before)) /* pause is on again, which this policy does not set */
			fail_msg("killed at write %u: not as before", n);
	}
}

static void killed_at_any_write_a_rollback_restores_the_port(void **s)
{
	struct config first = parsed(lossless);

	(void)s;
	for (int after = 0; after < 2; after++)
		for (unsigned n = 1;; n++) {
			struct fake f = fresh_run();
			struct hardware before = f.hw;

			if (!killed(&f, &first, n, after))
				break;
			if (!run_apply(&f, NULL) || !hardware_is(&f.hw, &before))
				fail_msg("killed at write %u: not as before", n);
		}
}

static void killed_in_a_rollback_the_next_run_completes_it(void **s)
{
	struct config first = parsed(lossless);

	(void)s;
	for (int after = 0; after < 2; after++)
		for (unsigned n = 1;; n++) {
			struct fake f = fresh_run();
			struct hardware before = f.hw;

			assert_true(run_apply(&f, &first));
			if (!killed(&f, NULL, n, after))
				break;
			assert_true(run_apply(&f, NULL));
			if (!hardware_is(&f.hw, &before))
				fail_msg("killed at write %u: not as before", n);
		}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(killed_at_any_write_another_apply_leaves_no_between),
		cmocka_unit_test(a_killed_apply_does_not_leave_its_side_effects),
		cmocka_unit_test(killed_at_any_write_a_rollback_restores_the_port),
		cmocka_unit_test(killed_in_a_rollback_the_next_run_completes_it),
	};

	return cmocka_run_group_tests(tests, make_run_root, remove_run_root);
}
