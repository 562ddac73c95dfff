/* Tests of runs that write: the journal, the lock, and the rollback. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/engine/write/run.h"
#include "policy/model/setting.h"
#include "tests/integration/runs.h"
#include "tests/integration/port_state.h"
#include "policy/util/exit_code.h"

static void a_rollback_restores_the_port(void **s)
{
	struct fake f = fresh_run();
	struct hardware before = f.hw;
	struct config desired = parsed(lossless);

	(void)s;
	assert_true(run_apply(&f, &desired));
	assert_true(hardware_has(&f.hw, &desired));
	assert_true(run_apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
	assert_non_null(strstr(fake_file(&f, FIRST, false)->text, "\"rolled_back\": true"));
	assert_null(fake_file(&f, PENDING, false));
}

static void an_apply_that_changed_nothing_keeps_the_undo(void **s)
{
	struct fake f = fresh_run();
	struct hardware before = f.hw;
	struct config desired = parsed(lossless);

	(void)s;
	assert_true(run_apply(&f, &desired));
	assert_true(run_apply(&f, &desired));
	assert_true(run_apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
}

static unsigned calls_of_apply(struct fake *f, const struct config *desired)
{
	unsigned before = f->calls;

	assert_true(run_apply(f, desired));
	return f->calls - before;
}

/* With nothing written, a second reading would prove no more than the first. */
static void an_apply_with_nothing_to_do_reads_the_port_once(void **s)
{
	struct fake f = fresh_run();
	struct config desired = parsed(lossless);
	struct observation seen;
	struct err err = { 0 };
	unsigned before, reading, nothing_desired;

	(void)s;
	assert_true(run_apply(&f, &desired));
	before = f.calls;
	assert_true(observe(&f.host, fake_features, &f.port, &seen, &err));
	reading = f.calls - before;
	assert_true(reading > 10);
	nothing_desired = calls_of_apply(&f, &(struct config){ .has = 0 });
	assert_int_equal(calls_of_apply(&f, &desired), nothing_desired);
	assert_true(nothing_desired < 2 * reading);
}

/* Both tasks are the same port here, so that the write for the first changes the second. */
static void a_write_to_one_port_has_the_others_read_back(void **s)
{
	struct fake f = fresh_run();
	struct task t[2] = { { .port = f.port, .desired = parsed("{\"mtu\": 4200}") },
			     { .port = f.port, .desired = parsed("{\"mtu\": 1500}") } };
	struct task *tasks[] = { &t[0], &t[1] };
	struct run r = { .h = &f.host, .all = fake_features, .lock = -1 };
	struct observation seen;
	struct err err = { 0 };

	(void)s;
	assert_true(run_open(&r, 0, &err));
	assert_true(observe(&f.host, fake_features, &f.port, &seen, &err));
	run_plan(&r, &t[0], &seen);
	run_plan(&r, &t[1], &seen);
	assert_int_equal(t[1].plan.count, 0);
	assert_false(run_tasks(&r, tasks, 2, "test", "2026-01-01T00:00:00Z", &err));
	assert_int_equal(t[0].result.outcome, OUTCOME_APPLIED);
	assert_true(t[1].result.ineffective & SETTING(SETTING_MTU));
	run_close(&r);
}

static void a_rollback_changes_only_what_the_apply_changed(void **s)
{
	struct fake f = fresh_run();
	struct config desired = parsed(second_policy);

	(void)s;
	assert_true(run_apply(&f, &desired));
	f.hw.roce_tos = 77; /* another program's, meanwhile */
	assert_true(run_apply(&f, NULL));
	assert_int_equal(f.hw.roce_tos, 77);
	assert_int_equal(f.hw.mtu, 1500);
}

static void an_apply_of_another_boot_is_kept_and_not_rolled_back(void **s)
{
	struct config desired = parsed(lossless);
	struct fake f = fresh_run();
	struct hardware after;
	struct journal seen;
	struct err err = { 0 };

	(void)s;
	assert_true(run_apply(&f, &desired));
	after = f.hw;
	snprintf(fake_file(&f, "/proc/sys/kernel/random/boot_id", false)->text, FAKE_TEXT,
		 "other-boot");
	assert_true(journal_read(&f.host, FIRST, &seen, &err));
	assert_true(seen.of_other_boot);
	journal_free(&seen);
	assert_true(run_apply(&f, NULL));
	assert_memory_equal(&f.hw, &after, sizeof(after));
	assert_non_null(fake_file(&f, FIRST, false));
}

static void a_second_run_finds_the_lock_taken(void **s)
{
	struct fake f = fresh_run();
	struct run first = { .h = &f.host, .all = fake_features, .lock = -1 }, other = first;
	struct err err = { 0 };
	uint64_t start = f.now;

	(void)s;
	assert_true(run_open(&first, 0, &err));
	assert_false(run_open(&other, 5, &err));
	assert_int_equal(exit_code_of_err(&err), 75);
	assert_true(f.now - start >= 5000);
	run_close(&other);
	run_close(&first);
	err = (struct err){ 0 };
	assert_true(run_open(&other, 0, &err));
	run_close(&other);
}

static void a_failed_port_keeps_no_journal_and_the_earlier_undo(void **s)
{
	struct config desired = parsed(lossless), next = parsed(second_policy);
	struct fake f = fresh_run();
	struct hardware before = f.hw;

	(void)s;
	assert_true(run_apply(&f, &desired));
	f.only_writes = true;
	f.fail_at = f.writes + 4; /* the journal and its copy, the room, the first setting */
	assert_false(run_apply(&f, &next));
	assert_null(fake_file(&f, PENDING, false));
	f.fail_at = 0;
	assert_true(run_apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
}

static unsigned mtus_set;

static bool set_mtu_once(struct host *h, unsigned ifindex, uint32_t mtu, struct err *err)
{
	(void)ifindex;
	if (mtus_set++)
		return err_set(err, ERR_SYSTEM, EBUSY, "busy");
	((struct fake *)h)->hw.mtu = mtu;
	return true;
}

static void a_partially_configured_port_keeps_its_journal(void **s)
{
	struct config desired = parsed("{\"mtu\": 4200, \"roce\": {\"tos\": 106}}");
	struct fake f = fresh_run();
	struct hardware before = f.hw;
	struct host whole = f.host;

	(void)s;
	mtus_set = 0;
	f.host.set_mtu = set_mtu_once; /* the change succeeds, its rollback fails */
	f.only_writes = true;
	f.fail_at = f.writes + 4; /* the journal and its copy, the reserved room, then the ToS */
	f.code = EIO;
	assert_false(run_apply(&f, &desired));
	f.host = whole;
	assert_int_equal(f.hw.mtu, 4200);
	assert_non_null(fake_file(&f, PENDING, false));
	assert_true(run_apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
	assert_null(fake_file(&f, PENDING, false));
}

static void ports_that_are_not_recovered_keep_the_name_of_their_run(void **s)
{
	struct config desired = parsed(second_policy);
	_journal_ struct journal applied = { .entries = NULL };
	struct fake f = fresh_run();
	struct err err = { 0 };

	(void)s;
	leave_two(&f);
	assert_true(run_apply(&f, NULL));
	is_left_by_earlier_run(&f);
	assert_true(run_apply(&f, &desired));
	is_left_by_earlier_run(&f);
	assert_true(journal_load(&f.host, FIRST, &applied, &err));
	assert_int_equal(applied.count, 1);
	assert_string_equal(applied.run.policy, "test");
	assert_string_equal(applied.run.time, "2026-01-01T00:00:00Z");
}

/* It completes its own port's entry, which is an apply; the other entry does not make it one. */
static void a_repair_beside_an_earlier_run_is_no_apply(void **s)
{
	struct config desired = parsed(lossless), other = parsed(second_policy);
	struct fake f = fresh_run();

	(void)s;
	leave_two(&f);
	assert_true(run_repair(&f, &desired));
	is_left_by_earlier_run(&f);
	assert_non_null(fake_file(&f, FIRST, false));
	assert_true(run_repair(&f, &other));
	is_left_by_earlier_run(&f);
	assert_null(fake_file(&f, "/var/lib/losslessctl/journal/apply-2.json", false));
}

static void a_run_stops_at_the_first_failure_unless_it_is_to_go_on(void **s)
{
	struct fake f = fresh_run(), g = fresh_run();

	(void)s;
	assert_int_equal(second_of_two(&f, false), OUTCOME_NOT_ATTEMPTED);
	assert_int_equal(second_of_two(&g, true), OUTCOME_APPLIED);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rollback_restores_the_port),
		cmocka_unit_test(an_apply_that_changed_nothing_keeps_the_undo),
		cmocka_unit_test(an_apply_with_nothing_to_do_reads_the_port_once),
		cmocka_unit_test(a_write_to_one_port_has_the_others_read_back),
		cmocka_unit_test(a_rollback_changes_only_what_the_apply_changed),
		cmocka_unit_test(an_apply_of_another_boot_is_kept_and_not_rolled_back),
		cmocka_unit_test(a_second_run_finds_the_lock_taken),
		cmocka_unit_test(a_failed_port_keeps_no_journal_and_the_earlier_undo),
		cmocka_unit_test(a_partially_configured_port_keeps_its_journal),
		cmocka_unit_test(ports_that_are_not_recovered_keep_the_name_of_their_run),
		cmocka_unit_test(a_repair_beside_an_earlier_run_is_no_apply),
		cmocka_unit_test(a_run_stops_at_the_first_failure_unless_it_is_to_go_on),
	};

	return cmocka_run_group_tests(tests, make_run_root, remove_run_root);
}
