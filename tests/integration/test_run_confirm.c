/* Tests of runs that wait for a confirmation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/engine/journal/lock.h"
#include "agent/engine/journal/unfinished.h"
#include "agent/engine/write/run.h"
#include "policy/model/setting.h"
#include "tests/integration/runs.h"
#include "tests/integration/port_state.h"
#include "policy/util/exit_code.h"

static void an_unconfirmed_apply_stays_under_way(void **s)
{
	struct config first = parsed(second_policy), desired = parsed(lossless);
	struct fake f = fresh_run();
	struct hardware before = f.hw, between;
	int watch = -1;

	(void)s;
	assert_true(run_apply(&f, &first));
	between = apply_unconfirmed(&f, &desired, &watch);
	assert_non_null(fake_file(&f, PENDING, false));
	assert_true(run_apply(&f, NULL)); /* rolls back the unconfirmed apply... */
	assert_true(hardware_is(&f.hw, &between));
	assert_null(fake_file(&f, PENDING, false));
	assert_true(run_apply(&f, NULL)); /* ...and then the earlier one */
	/* The rollbacks wrote buffers, so the adapter no longer sizes them when PFC goes. */
	memcpy(before.buffer_size, between.buffer_size, sizeof(before.buffer_size));
	memcpy(before.prio_buffer, between.prio_buffer, sizeof(before.prio_buffer));
	assert_true(hardware_is(&f.hw, &before));
	close(watch);
}

/* Others may change a DSCP that the policy leaves alone; the journal must not ask for it. */
static void the_journal_has_what_a_confirmation_reads_back(void **s)
{
	static const char *const policies[] = {
		lossless,
		second_policy,
		"{\"dscp\": {\"prio\": {\"26\": 3}, \"rest\": \"keep\"}}",
		"{\"dscp\": {\"prio\": {\"26\": 3}, \"rest\": \"none\"}}",
		"{\"mtu\": 4200, \"vlan\": {\"egress\": {\"v100\": {\"3\": 3}}}}",
		"{\"maxrate\": {\"tc_mbps\": [0,30500,0,0,0,0,0,0]}}",
	};

	(void)s;
	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		struct config desired = parsed(policies[i]);
		_journal_ struct journal pending = { .entries = NULL };
		struct fake f = fresh_run();
		struct observation seen;
		struct err err = { 0 };
		int watch = -1;

		apply_unconfirmed(&f, &desired, &watch);
		assert_true(journal_load(&f.host, PENDING, &pending, &err));
		assert_int_equal(pending.count, 1);
		assert_true(observe(&f.host, fake_features, &f.port, &seen, &err));
		assert_int_equal(config_diff(&desired, &pending.entries[0].applied), 0);
		assert_int_equal(config_diff(&pending.entries[0].applied, &seen.actual), 0);
		seen.actual.dscp.prio[0] = 7;
		assert_int_equal(config_diff(&pending.entries[0].applied, &seen.actual),
				 config_diff(&desired, &seen.actual));
		close(watch);
	}
}

static void while_an_apply_waits_nothing_else_writes(void **s)
{
	struct config desired = parsed(lossless);
	struct fake f = fresh_run();
	struct run r = { .h = &f.host, .all = fake_features, .repairing = true, .lock = -1 };
	struct err err = { 0 };
	int watch = -1;

	(void)s;
	apply_unconfirmed(&f, &desired, &watch);
	assert_false(run_open(&r, 0, &err));
	assert_int_equal(exit_code_of_err(&err), 75);
	run_close(&r);
	close(watch);
}

static void confirmed_it_is_the_last_apply(void **s)
{
	struct config desired = parsed(lossless);
	struct fake f = fresh_run();
	struct hardware before;
	struct err err = { 0 };
	int watch = -1;

	(void)s;
	before = apply_unconfirmed(&f, &desired, &watch);
	assert_true(applies_keep(&f.host, &err) && pending_confirm_end(&f.host, &err));
	close(watch);
	assert_non_null(fake_file(&f, FIRST, false));
	assert_true(run_apply(&f, &desired)); /* changes nothing, so the undo is kept */
	assert_true(run_apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
}

/* An apply waits beside the entry of a port that an earlier run left. */
static void wait_beside_an_earlier_run(struct fake *f, struct journal *pending, int *watch)
{
	struct config desired = parsed(lossless);
	struct err err = { 0 };

	leave_two(f);
	apply_unconfirmed(f, &desired, watch);
	assert_true(journal_load(&f->host, PENDING, pending, &err));
	assert_int_equal(pending->count, 2);
}

/* The confirmation does not cover ports that an earlier run left. */
static void confirmed_beside_an_earlier_run_it_is_that_run_alone(void **s)
{
	_journal_ struct journal pending = { .entries = NULL }, applied = { .entries = NULL };
	struct fake f = fresh_run();
	struct err err = { 0 };
	int watch = -1;

	(void)s;
	wait_beside_an_earlier_run(&f, &pending, &watch);
	assert_string_equal(pending.run.policy, "test");
	assert_true(applies_keep_own(&f.host, &pending, &err) &&
		    pending_confirm_end(&f.host, &err));
	close(watch);
	is_left_by_earlier_run(&f);
	assert_true(journal_load(&f.host, FIRST, &applied, &err));
	assert_int_equal(applied.count, 1);
	assert_string_equal(applied.run.policy, "test");
	assert_string_equal(applied.entries[0].name, f.port.id.name);
}

static bool no_room(struct host *h, const char *path, const char *text, struct err *err)
{
	(void)h;
	(void)text;
	return err_set(err, ERR_SYSTEM, ENOSPC, "write %s: no space", path);
}

static bool (*save_with_room)(struct host *h, const char *path, const char *text, struct err *err);

static bool no_room_for_pending(struct host *h, const char *path, const char *text, struct err *err)
{
	return strcmp(path, PENDING) == 0 ? no_room(h, path, text, err)
					  : save_with_room(h, path, text, err);
}

/* The watchdog prefers the copy in /run: it must have what waits. */
static void what_cannot_be_confirmed_goes_on_waiting(void **s)
{
	_journal_ struct journal pending = { .entries = NULL }, copy = { .entries = NULL };
	struct fake f = fresh_run();
	struct err err = { 0 };
	int watch = -1;

	(void)s;
	wait_beside_an_earlier_run(&f, &pending, &watch);
	save_with_room = f.host.save_file;
	f.host.save_file = no_room_for_pending;
	assert_false(applies_keep_own(&f.host, &pending, &err));
	assert_int_equal(err.code, ENOSPC);
	assert_true(journal_load_copy(&f.host, &copy));
	assert_int_equal(copy.count, 2);
	assert_int_equal(journal_own_count(&copy), 1);
	assert_null(fake_file(&f, FIRST, false));
	close(watch);
}

static void a_rollback_of_an_unconfirmed_apply_needs_no_room(void **s)
{
	struct config desired = parsed(lossless);
	struct fake f = fresh_run();
	struct hardware before;
	int watch = -1;

	(void)s;
	before = apply_unconfirmed(&f, &desired, &watch);
	f.host.save_file = f.host.publish_file = no_room;
	assert_true(run_apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
	assert_null(fake_file(&f, PENDING, false));
	close(watch);
}

/* Its wait has been withdrawn: what the apply wrote must not stay unwatched. */
static void an_interrupted_rollback_of_it_is_completed(void **s)
{
	struct config desired = parsed(lossless);

	(void)s;
	for (unsigned n = 1; n <= 7; n++) {
		struct fake f = fresh_run();
		struct hardware before;
		int watch = -1;

		before = apply_unconfirmed(&f, &desired, &watch);
		f.signal_at = f.writes + n;
		assert_true(run_apply(&f, NULL));
		assert_true(hardware_is(&f.hw, &before));
		assert_null(fake_file(&f, PENDING, false));
		close(watch);
	}
}

/* Nothing is on disk, and nothing waits. */
static void one_that_cannot_be_recorded_leaves_no_entry(void **s)
{
	struct config desired = parsed(lossless);
	struct fake f = fresh_run();
	struct task t = { .port = f.port }, *tasks[] = { &t };
	struct run r = { .h = &f.host, .all = fake_features, .unconfirmed = true, .lock = -1 };
	struct hardware before = f.hw;
	struct observation seen;
	struct err err = { 0 };

	(void)s;
	assert_true(run_open(&r, 0, &err));
	assert_true(observe(&f.host, fake_features, &f.port, &seen, &err));
	t.desired = desired;
	run_plan(&r, &t, &seen);
	f.host.save_file = f.host.publish_file = no_room;
	assert_false(run_tasks(&r, tasks, 1, "test", "2026-01-01T00:00:00Z", &err));
	assert_int_equal(t.result.outcome, OUTCOME_NOT_ATTEMPTED);
	assert_int_equal(journal_own_count(&r.pending), 0);
	assert_true(hardware_is(&f.hw, &before));
	run_close(&r);
}

static void with_nobody_watching_it_is_a_run_that_did_not_end(void **s)
{
	struct config desired = parsed(lossless), next = parsed(second_policy);
	struct fake f = fresh_run();
	struct hardware before;
	struct pending_confirm w;
	struct err err = { 0 };
	int watch = -1;

	(void)s;
	before = apply_unconfirmed(&f, &desired, &watch);
	close(watch);
	assert_true(pending_confirm_load(&f.host, &w, &err) && w.there && !w.watched);
	assert_true(run_apply(&f, &next));
	assert_true(pending_confirm_load(&f.host, &w, &err) && !w.there);
	assert_true(run_apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
}

static void killed_in_a_rollback_of_an_unconfirmed_apply_nobody_can_confirm(void **s)
{
	struct config desired = parsed(lossless);

	(void)s;
	for (unsigned n = 1;; n++) {
		struct fake f = fresh_run();
		struct hardware before;
		struct pending_confirm w;
		struct err err = { 0 };
		int watch = -1;

		before = apply_unconfirmed(&f, &desired, &watch);
		close(watch);
		if (!killed(&f, NULL, n, true))
			break;
		assert_true(pending_confirm_load(&f.host, &w, &err));
		if (w.there)
			fail_msg("killed at write %u: it still waits", n);
		assert_true(run_apply(&f, NULL));
		if (!hardware_is(&f.hw, &before))
			fail_msg("killed at write %u: not as before", n);
	}
}

static void what_waits_is_known_for_this_boot_only(void **s)
{
	struct config desired = parsed(lossless);
	struct fake f = fresh_run();
	struct pending_confirm w;
	struct err err = { 0 };
	int watch = -1;

	(void)s;
	apply_unconfirmed(&f, &desired, &watch);
	assert_true(pending_confirm_load(&f.host, &w, &err) && w.there && w.watched);
	assert_int_equal(w.pid, 7);
	assert_string_equal(w.expires_at, "later");
	f.now = UNTIL_MS - 1;
	assert_false(pending_confirm_is_over(&f.host, &w));
	f.now = UNTIL_MS;
	assert_true(pending_confirm_is_over(&f.host, &w));
	snprintf(fake_file(&f, "/proc/sys/kernel/random/boot_id", false)->text, FAKE_TEXT,
		 "other-boot");
	assert_true(pending_confirm_load(&f.host, &w, &err) && !w.there);
	close(watch);
}

/* Asserts the state of the pending journal's own run. */
static void is_in_state(struct fake *f, enum run_state expected)
{
	_unfinished_ struct unfinished u;

	unfinished_find(&f->host, &u);
	assert_true(u.readable);
	assert_string_equal(run_state_name(unfinished_state(&f->host, &u, &u.pending.run)),
			    run_state_name(expected));
}

/* The watchdog's turn comes at the deadline; a run that is killed leaves its word in the lock. */
static void a_run_is_incomplete_only_if_nobody_works_on_it(void **s)
{
	struct config desired = parsed(lossless);
	struct fake f = fresh_run();
	struct err err = { 0 };
	int watch = -1, lock = -1;

	(void)s;
	apply_unconfirmed(&f, &desired, &watch);
	is_in_state(&f, RUN_AWAITS_CONFIRMATION);
	f.now = UNTIL_MS;
	is_in_state(&f, RUN_ROLLING_BACK);
	close(watch);
	is_in_state(&f, RUN_INCOMPLETE);
	assert_true(lock_acquire(&f.host, 0, &lock, &err));
	is_in_state(&f, RUN_INCOMPLETE);
	lock_set_work(&f.host, WORK_APPLYING);
	is_in_state(&f, RUN_APPLYING);
	lock_set_work(&f.host, WORK_ROLLING_BACK);
	is_in_state(&f, RUN_ROLLING_BACK);
	close(lock);
	is_in_state(&f, RUN_INCOMPLETE);
	assert_true(lock_acquire(&f.host, 0, &lock, &err));
	is_in_state(&f, RUN_INCOMPLETE);
	close(lock);
}

/* The run that failed rolls itself back, and `rollback` all that is left. */
static void a_run_that_another_left_has_a_state_of_its_own(void **s)
{
	struct fake f = fresh_run();
	struct err err = { 0 };
	_unfinished_ struct unfinished u;
	const struct journal_run *other;
	size_t at = 0;
	int lock = -1;

	(void)s;
	leave_two(&f);
	assert_true(lock_acquire(&f.host, 0, &lock, &err));
	lock_set_work(&f.host, WORK_ROLLING_BACK);
	unfinished_find(&f.host, &u);
	u.pending.entries[1].left_by = (struct journal_run){ .time = "earlier" };
	assert_non_null(journal_next_run(&u.pending, &at));
	other = journal_next_run(&u.pending, &at);
	assert_non_null(other);
	assert_int_equal(unfinished_state(&f.host, &u, &u.pending.run), RUN_ROLLING_BACK);
	assert_int_equal(unfinished_state(&f.host, &u, other), RUN_INCOMPLETE);
	u.work = WORK_ROLLING_BACK_ALL;
	assert_int_equal(unfinished_state(&f.host, &u, other), RUN_ROLLING_BACK);
	close(lock);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unconfirmed_apply_stays_under_way),
		cmocka_unit_test(the_journal_has_what_a_confirmation_reads_back),
		cmocka_unit_test(while_an_apply_waits_nothing_else_writes),
		cmocka_unit_test(confirmed_it_is_the_last_apply),
		cmocka_unit_test(confirmed_beside_an_earlier_run_it_is_that_run_alone),
		cmocka_unit_test(what_cannot_be_confirmed_goes_on_waiting),
		cmocka_unit_test(a_rollback_of_an_unconfirmed_apply_needs_no_room),
		cmocka_unit_test(an_interrupted_rollback_of_it_is_completed),
		cmocka_unit_test(one_that_cannot_be_recorded_leaves_no_entry),
		cmocka_unit_test(with_nobody_watching_it_is_a_run_that_did_not_end),
		cmocka_unit_test(killed_in_a_rollback_of_an_unconfirmed_apply_nobody_can_confirm),
		cmocka_unit_test(what_waits_is_known_for_this_boot_only),
		cmocka_unit_test(a_run_is_incomplete_only_if_nobody_works_on_it),
		cmocka_unit_test(a_run_that_another_left_has_a_state_of_its_own),
	};

	return cmocka_run_group_tests(tests, make_run_root, remove_run_root);
}
