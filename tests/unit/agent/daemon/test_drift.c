/* Tests of the drift of a port's settings, from detection to repair. */
#include "agent/daemon/drift.h"
#include "tests/support/drifting.h"
#include "tests/support/unit.h"

static void a_port_in_sync_is_not_reported(void **s)
{
	struct drift d = { 0 };

	(void)s;
	drift_look_at(&d, 0, START, nothing);
	drift_look_at(&d, 0, START + HOUR, nothing);
	assert_int_equal(drift_state(&d, SETTING_MTU), DRIFT_IN_SYNC);
	assert_true(drift_due(&d, START) == 0);
}

static void a_drift_is_reported_once_and_repaired_at_once(void **s)
{
	struct drift d = { 0 };

	(void)s;
	drift_look_at(&d, PFC, START, pfc_drifted);
	drift_look_at(&d, PFC, START + SECOND, nothing);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_DRIFTED);
	assert_int_equal(drift_state(&d, SETTING_MTU), DRIFT_IN_SYNC);
	assert_true(d.since_ms[SETTING_PFC_PRIORITIES] == START);
	assert_true(drift_due(&d, START) == PFC);
}

static void a_second_setting_drifts_by_itself(void **s)
{
	struct drift d = { 0 };

	(void)s;
	drift_look_at(&d, PFC, START, pfc_drifted);
	drift_look_at(&d, ALL, START + SECOND, (struct drift_changes){ .drifted = MTU });
	assert_true(d.since_ms[SETTING_PFC_PRIORITIES] == START);
	assert_true(d.since_ms[SETTING_MTU] == START + SECOND);
	drift_repaired(&d, MTU, START + SECOND);
	assert_true(drift_due(&d, START + SECOND) == PFC);
}

static void a_drift_whose_value_changes_is_reported_again_up_to_a_limit(void **s)
{
	struct drift d = { 0 };
	struct drift_changes changes;

	(void)s;
	drift_look_at(&d, PFC, START, pfc_drifted);
	for (unsigned i = 1; i < DRIFT_RESTLESS_MAX; i++) {
		changes = drift_update(&d, PFC, ALL, ALL, START + i * HOUR);
		assert_true(changes.drifted == PFC);
		assert_true(d.since_ms[SETTING_PFC_PRIORITIES] == START);
		drift_look_at(&d, PFC, START + i * HOUR, nothing);
	}
	changes = drift_update(&d, PFC, ALL, PFC, START + DRIFT_RESTLESS_MAX * HOUR);
	assert_true(changes.drifted == 0 && changes.contested == PFC);
	changes = drift_update(&d, PFC, ALL, PFC, START + DRIFT_RESTLESS_MAX * HOUR);
	assert_true(changes.drifted == 0 && changes.contested == 0);
}

static void a_drift_that_ends_by_itself_is_reported(void **s)
{
	struct drift d = { 0 };

	(void)s;
	drift_look_at(&d, PFC, START, pfc_drifted);
	drift_look_at(&d, 0, START + MINUTE, pfc_ended);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_IN_SYNC);
	assert_true(drift_due(&d, START + MINUTE) == 0);
	drift_look_at(&d, 0, START + MINUTE, nothing);
}

static void what_we_repaired_did_not_end_by_itself(void **s)
{
	struct drift d = { 0 };

	(void)s;
	drift_look_at(&d, PFC, START, pfc_drifted);
	drift_repaired(&d, PFC, START);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_REPAIRED);
	drift_look_at(&d, 0, START + SECOND, nothing);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_REPAIRED);
}

static void a_repair_that_held_is_in_sync(void **s)
{
	struct drift d = { 0 };

	(void)s;
	drift_look_at(&d, PFC, START, pfc_drifted);
	drift_repaired(&d, PFC, START);
	drift_look_at(&d, 0, START + DRIFT_WINDOW_MS - 1, nothing);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_REPAIRED);
	drift_look_at(&d, 0, START + DRIFT_WINDOW_MS, nothing);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_IN_SYNC);
}

static void what_had_not_drifted_is_not_repaired(void **s)
{
	struct drift d = { 0 };

	(void)s;
	drift_look_at(&d, PFC, START, pfc_drifted);
	drift_repaired(&d, MTU, START);
	assert_int_equal(drift_state(&d, SETTING_MTU), DRIFT_IN_SYNC);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_DRIFTED);
}

static void one_repair_undone_is_a_drift_again(void **s)
{
	struct drift d = { 0 };

	(void)s;
	drift_look_at(&d, PFC, START, pfc_drifted);
	drift_repaired(&d, PFC, START);
	drift_look_at(&d, PFC, START + 2 * MINUTE, pfc_drifted);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_DRIFTED);
	assert_true(d.since_ms[SETTING_PFC_PRIORITIES] == START + 2 * MINUTE);
	assert_true(drift_due(&d, START + 2 * MINUTE) == PFC);
}

static void peace_begins_anew_with_each_drift(void **s)
{
	uint64_t now = START;
	struct drift d = contested_at(&now);

	(void)s;
	drift_look_at(&d, 0, now + MINUTE, nothing);
	drift_look_at(&d, PFC, now + 50 * MINUTE, nothing);
	drift_look_at(&d, 0, now + 51 * MINUTE, nothing);
	drift_look_at(&d, 0, now + 50 * MINUTE + HOUR - 1, nothing);
	drift_look_at(&d, 0, now + 50 * MINUTE + HOUR, pfc_ended);
}

static void what_cannot_be_read_keeps_its_state(void **s)
{
	struct drift d = { 0 };
	struct drift_changes changes;

	(void)s;
	drift_look_at(&d, PFC, START, pfc_drifted);
	changes = drift_update(&d, 0, MTU, 0, START + SECOND);
	assert_true(changes.ended == 0);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_DRIFTED);
	drift_look_at(&d, PFC, START + MINUTE, nothing);
	assert_true(d.since_ms[SETTING_PFC_PRIORITIES] == START);
	drift_repaired(&d, PFC, START + MINUTE);
	drift_update(&d, 0, MTU, 0, START + HOUR);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_REPAIRED);
}

static void what_is_not_judged_does_not_drift(void **s)
{
	struct drift d = { 0 };
	struct drift_changes changes = drift_update(&d, ALL, MTU, 0, START);

	(void)s;
	assert_true(changes.drifted == MTU);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_IN_SYNC);
}

static void what_cannot_be_read_is_not_at_peace(void **s)
{
	uint64_t now = START;
	struct drift d = contested_at(&now);

	(void)s;
	drift_look_at(&d, 0, now, nothing);
	drift_update(&d, 0, MTU, 0, now + 59 * MINUTE);
	drift_look_at(&d, 0, now + HOUR, nothing);
	drift_look_at(&d, 0, now + HOUR + 59 * MINUTE, pfc_ended);
}

static void what_cannot_be_repaired_is_tried_less_and_less(void **s)
{
	struct drift d = { 0 };

	(void)s;
	drift_look_at(&d, PFC, START, pfc_drifted);
	drift_failed(&d, PFC, START);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_DRIFTED);
	assert_true(drift_due(&d, START + MINUTE - 1) == 0);
	assert_int_equal(drift_next_min(&d, PFC, START), 1);
	assert_true(drift_due(&d, START + MINUTE) == PFC);
	assert_int_equal(drift_next_min(&d, PFC, START + MINUTE), 0);
	drift_failed(&d, PFC, START + MINUTE);
	assert_int_equal(drift_next_min(&d, PFC, START + MINUTE + 1), 2);
	assert_int_equal(drift_next_min(&d, MTU, START + MINUTE), 0);
	assert_true(drift_due(&d, START + 3 * MINUTE - 1) == 0);
	assert_true(drift_due(&d, START + 3 * MINUTE) == PFC);
	drift_failed(&d, PFC, START + 3 * MINUTE);
	drift_look_at(&d, 0, START + 3 * MINUTE, pfc_ended);
	drift_look_at(&d, PFC, START + 3 * MINUTE, pfc_drifted);
	assert_true(drift_due(&d, START + 3 * MINUTE) == PFC);
	drift_failed(&d, PFC, START + 3 * MINUTE);
	assert_true(drift_due(&d, START + 4 * MINUTE) == PFC);
}

static void a_failure_before_its_time_delays_nothing(void **s)
{
	struct drift d = { 0 };

	(void)s;
	drift_look_at(&d, PFC, START, pfc_drifted);
	drift_failed(&d, PFC, START);
	drift_failed(&d, PFC, START + 1);
	assert_true(drift_due(&d, START + MINUTE) == PFC);
}

static void a_retry_ends_the_delay(void **s)
{
	struct drift d = { 0 };

	(void)s;
	drift_look_at(&d, PFC, START, pfc_drifted);
	for (unsigned n = 0; n < 10; n++)
		drift_failed(&d, PFC, d.not_before_ms[SETTING_PFC_PRIORITIES] + START);
	assert_true(drift_due(&d, START) == 0);
	drift_retry(&d, MTU);
	assert_true(drift_due(&d, START) == 0);
	drift_retry(&d, PFC);
	assert_true(drift_due(&d, START) == PFC);
	drift_failed(&d, PFC, START);
	assert_int_equal(drift_next_min(&d, PFC, START), 1);
	d.contested = PFC;
	drift_retry(&d, PFC);
	assert_true(drift_due(&d, START) == 0);
}

static void a_clock_that_stands_still_does_no_harm(void **s)
{
	uint64_t now = 0;
	struct drift d = { 0 };

	(void)s;
	for (int i = 0; i < DRIFT_UNDONE_MAX; i++) {
		drift_look_at(&d, PFC, now, pfc_drifted);
		drift_repaired(&d, PFC, now);
	}
	drift_look_at(&d, PFC, now, pfc_contested);
	for (int i = 0; i < 1000; i++)
		drift_look_at(&d, i & 1 ? PFC : 0, now, nothing);
	assert_true(drift_due(&d, now) == 0);
	assert_true(drift_due(&d, now + MINUTE) == PFC);
}

static void a_clock_that_goes_back_lets_no_time_pass(void **s)
{
	uint64_t now = START;
	struct drift d = contested_at(&now);

	(void)s;
	drift_look_at(&d, 0, 0, nothing);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_CONTESTED);
}

static void what_is_forgotten_begins_anew(void **s)
{
	uint64_t now = START;
	struct drift d = contested_at(&now), fresh = { 0 };

	(void)s;
	drift_forget(&d);
	assert_memory_equal(&d, &fresh, sizeof(d));
	drift_look_at(&d, PFC, now, pfc_drifted);
	assert_true(drift_due(&d, now) == PFC);
}

static void every_setting_has_its_own_state(void **s)
{
	struct drift d = { 0 };

	(void)s;
	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		struct drift_changes changes =
			drift_update(&d, SETTING(i), EVERY_SETTING, 0, START + i);

		assert_true(changes.drifted == SETTING(i));
		assert_true(changes.ended == (i ? SETTING(i - 1) : 0));
		assert_true(d.since_ms[i] == START + i);
	}
}

static void every_state_has_a_name(void **s)
{
	(void)s;
	for (enum drift_state i = 0; i <= DRIFT_CONTESTED; i++)
		assert_true(drift_state_name(i)[0]);
	assert_string_equal(drift_state_name(DRIFT_CONTESTED), "contested");
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, a_port_in_sync_is_not_reported);
	SUITE_ADD(&s, a_drift_is_reported_once_and_repaired_at_once);
	SUITE_ADD(&s, a_second_setting_drifts_by_itself);
	SUITE_ADD(&s, a_drift_whose_value_changes_is_reported_again_up_to_a_limit);
	SUITE_ADD(&s, a_drift_that_ends_by_itself_is_reported);
	SUITE_ADD(&s, what_we_repaired_did_not_end_by_itself);
	SUITE_ADD(&s, a_repair_that_held_is_in_sync);
	SUITE_ADD(&s, what_had_not_drifted_is_not_repaired);
	SUITE_ADD(&s, one_repair_undone_is_a_drift_again);
	SUITE_ADD(&s, peace_begins_anew_with_each_drift);
	SUITE_ADD(&s, what_cannot_be_read_keeps_its_state);
	SUITE_ADD(&s, what_is_not_judged_does_not_drift);
	SUITE_ADD(&s, what_cannot_be_read_is_not_at_peace);
	SUITE_ADD(&s, what_cannot_be_repaired_is_tried_less_and_less);
	SUITE_ADD(&s, a_failure_before_its_time_delays_nothing);
	SUITE_ADD(&s, a_retry_ends_the_delay);
	SUITE_ADD(&s, a_clock_that_stands_still_does_no_harm);
	SUITE_ADD(&s, a_clock_that_goes_back_lets_no_time_pass);
	SUITE_ADD(&s, what_is_forgotten_begins_anew);
	SUITE_ADD(&s, every_setting_has_its_own_state);
	SUITE_ADD(&s, every_state_has_a_name);
	return suite_run(&s, "drift");
}
