/*
 * Tests of the priority and the mode of CNPs. mlx5 writes both at once, with 0 for the one that a
 * file is not about: of some pairs, such as the one that adapters start with, there is no write.
 */
#include <errno.h>

#include "policy/model/setting.h"
#include "roce/registry.h"
#include "tests/integration/plans.h"
#include "tests/integration/port_state.h"
#include "tests/support/unit.h"

/* A pair of priority and mode of CNPs; -1: the policy does not name it. */
struct cnp {
	int priority, mode;
};

static struct config cnp_config(struct cnp v)
{
	return (struct config){
		.has = (v.priority >= 0 ? SETTING(SETTING_CNP_PRIORITY) : 0) |
		       (v.mode >= 0 ? SETTING(SETTING_CNP_PRIORITY_MODE) : 0),
		.cnp = { .priority = (uint8_t)v.priority, .priority_mode = (uint8_t)v.mode },
	};
}

static void assert_cnp(const struct fake *f, struct cnp expected)
{
	assert_int_equal(f->hw.cc[CC_NP_CNP_PRIO], expected.priority);
	assert_int_equal(f->hw.cc[CC_NP_CNP_PRIO_MODE], expected.mode);
}

static const struct cnp_row {
	const char *sentence;
	struct cnp before, desired, after, restored;
	bool irreversible;
} cnp_rows[] = {
	{ "adapters start with a pair that is lost", { 6, 1 }, { 6, 0 }, { 6, 0 }, { 0, 1 }, true },
	{ "a priority clears the mode", { 6, 1 }, { 5, -1 }, { 5, 0 }, { 0, 1 }, true },
	{ "the mode is kept if it can be", { 6, 1 }, { 0, -1 }, { 0, 1 }, { 0, 1 }, true },
	{ "mode 0 keeps the priority", { 6, 1 }, { -1, 0 }, { 6, 0 }, { 0, 1 }, true },
	{ "a pair that is there is left alone", { 6, 1 }, { 6, 1 }, { 6, 1 }, { 6, 1 }, false },
	{ "mode 1 resets the priority", { 6, 0 }, { -1, 1 }, { 0, 1 }, { 6, 0 }, false },
	{ "a priority in mode 0 comes back", { 3, 0 }, { 5, 0 }, { 5, 0 }, { 3, 0 }, false },
	{ "mode 1 comes back", { 0, 1 }, { 5, -1 }, { 5, 0 }, { 0, 1 }, false },
};

/* First the policy succeeds; then the write after that of CNPs, of the ToS, fails. */
static void pair_of_cnps_is_written_and_restored(void **s)
{
	const struct cnp_row *row = *s;
	struct fake f = fresh_port();
	struct config desired = cnp_config(row->desired);
	struct result r;

	f.hw.cc[CC_NP_CNP_PRIO] = (uint32_t)row->before.priority;
	f.hw.cc[CC_NP_CNP_PRIO_MODE] = (uint32_t)row->before.mode;
	assert_true(go(&f, &desired, &r));
	assert_cnp(&f, row->after);

	f.hw.cc[CC_NP_CNP_PRIO] = (uint32_t)row->before.priority;
	f.hw.cc[CC_NP_CNP_PRIO_MODE] = (uint32_t)row->before.mode;
	desired.has |= SETTING(SETTING_ROCE_TOS);
	desired.roce.tos = 106;
	f.only_writes = true;
	f.fail_at = f.writes + 1 + (r.outcome == OUTCOME_APPLIED);
	f.code = EIO;
	assert_false(go(&f, &desired, &r));
	assert_int_equal(r.outcome, OUTCOME_FAILED);
	assert_cnp(&f, row->restored);
	assert_int_equal(r.not_rolled_back,
			 row->irreversible && row->restored.priority != row->before.priority
				 ? SETTING(SETTING_CNP_PRIORITY)
				 : 0);
}

/* The sentence of the plan, and the settings that a rollback covers. */
static void plan_covers_both_settings_of_cnps(void **s)
{
	static const struct feature *const list[] = { &feature_cnp_debugfs };
	const struct cnp_row *row = *s;
	struct config actual = cnp_config(row->before), desired = cnp_config(row->desired);
	struct plan p;

	plan_make(&p, (struct features){ list, 1 }, &any_port, &desired, &actual);
	if (!p.count)
		return;
	assert_int_equal(p.back.has, actual.has);
	assert_int_equal(p.steps[0].irreversible != NULL, row->irreversible);
}

/* Firmware may ignore the priority 0 that the driver sends with mode 1. */
static void a_setting_that_a_write_leaves_unknown_is_not_proven(void **s)
{
	static const struct feature *const list[] = { &feature_cnp_debugfs };
	struct config actual = cnp_config((struct cnp){ 6, 0 });
	struct config desired = cnp_config((struct cnp){ -1, 1 });
	struct plan p;

	(void)s;
	plan_make(&p, (struct features){ list, 1 }, &any_port, &desired, &actual);
	assert_int_equal(p.steps[0].side, SETTING(SETTING_CNP_PRIORITY));
	assert_int_equal(p.proof.has, SETTING(SETTING_CNP_PRIORITY_MODE));
}

/* The next write must not take what one leaves unknown for what is desired. */
static void a_pair_without_a_write_is_never_reached(void **s)
{
	static const struct feature *const list[] = { &feature_cnp_debugfs };
	static const struct cnp before[] = { { 6, 0 }, { 3, 0 }, { 3, 1 }, { 0, 1 } };
	struct config desired = cnp_config((struct cnp){ 6, 1 });

	(void)s;
	for (size_t i = 0; i < COUNT(before); i++) {
		struct config actual = cnp_config(before[i]);
		struct plan p;

		plan_make(&p, (struct features){ list, 1 }, &any_port, &desired, &actual);
		assert_true(config_diff(&p.desired, plan_end(&p)) != 0);
	}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_pair_without_a_write_is_never_reached);
	SUITE_ADD_ROWS(&s, cnp_rows, pair_of_cnps_is_written_and_restored);
	SUITE_ADD_ROWS(&s, cnp_rows, plan_covers_both_settings_of_cnps);
	SUITE_ADD(&s, a_setting_that_a_write_leaves_unknown_is_not_proven);
	return suite_run(&s, "cnp");
}
