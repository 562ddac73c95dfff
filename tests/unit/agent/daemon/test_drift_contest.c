/* Tests of contested settings: another writer reverts repairs. */
#include "agent/daemon/driver_restart.h"
#include "tests/support/drifting.h"
#include "tests/support/unit.h"

static void a_drift_that_ends_by_itself_again_and_again_is_not_contested(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	drift_look_at(&d, PFC, now, pfc_drifted);
	drift_repaired(&d, PFC, now);
	for (int i = 0; i < 10; i++, now += SECOND) {
		drift_look_at(&d, PFC, now, pfc_drifted);
		drift_look_at(&d, 0, now, pfc_ended);
	}
}

static void what_comes_and_goes_is_contested_in_the_end(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	for (int i = 0; i < DRIFT_RESTLESS_MAX; i++, now += SECOND) {
		drift_look_at(&d, PFC, now, pfc_drifted);
		drift_look_at(&d, 0, now, pfc_ended);
	}
	drift_look_at(&d, PFC, now, pfc_contested);
	assert_false(drift_was_reverted(&d, SETTING_PFC_PRIORITIES));
	for (int i = 0; i < 10; i++, now += SECOND) {
		drift_look_at(&d, 0, now, nothing);
		drift_look_at(&d, PFC, now, nothing);
	}
	now += HOUR - SECOND;
	drift_look_at(&d, 0, now - 1, nothing);
	drift_look_at(&d, 0, now, pfc_ended);
	drift_look_at(&d, PFC, now, pfc_drifted);
}

static void what_comes_and_goes_once_an_hour_is_not_contested(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	for (int i = 0; i <= DRIFT_RESTLESS_MAX; i++, now += HOUR) {
		drift_look_at(&d, PFC, now, pfc_drifted);
		drift_look_at(&d, 0, now, pfc_ended);
	}
}

static void who_rewrites_every_five_seconds_contests_after_the_third(void **s)
{
	uint64_t now = START;
	struct drift d = contested_at(&now);

	(void)s;
	assert_true(now == START + 15 * SECOND);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_CONTESTED);
	assert_true(drift_was_reverted(&d, SETTING_PFC_PRIORITIES));
	assert_true(d.since_ms[SETTING_PFC_PRIORITIES] == START + 5 * SECOND);
	assert_true(drift_due(&d, now) == 0);
}

static void who_rewrites_seldom_does_not_contest(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	for (int i = 0; i < 10; i++, now += DRIFT_WINDOW_MS / 2 + 1) {
		drift_look_at(&d, PFC, now, pfc_drifted);
		drift_repaired(&d, PFC, now);
	}
}

static void three_undone_in_just_the_window_are_contested(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	for (int i = 0; i < DRIFT_UNDONE_MAX; i++, now += DRIFT_WINDOW_MS / 2) {
		drift_look_at(&d, PFC, now, pfc_drifted);
		drift_repaired(&d, PFC, now);
	}
	drift_look_at(&d, PFC, now, pfc_contested);
}

static void an_operator_is_no_opponent(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	for (int i = 0; i < 3 * DRIFT_UNDONE_MAX; i++, now += 5 * SECOND) {
		drift_ignore(&d, PFC);
		drift_look_at(&d, PFC, now, pfc_drifted);
		drift_repaired(&d, PFC, now);
	}
}

static void another_setting_is_not_contested_with_it(void **s)
{
	uint64_t now = START;
	struct drift d = contested_at(&now);

	(void)s;
	drift_look_at(&d, ALL, now, (struct drift_changes){ .drifted = MTU });
	assert_true(drift_due(&d, now) == MTU);
}

static void what_is_contested_is_left_alone_longer_each_time(void **s)
{
	static const unsigned minutes[] = { 1, 2, 4, 8, 16, 32, 60, 60, 60 };
	uint64_t now = START, acted;
	struct drift d = contested_at(&now);

	(void)s;
	acted = now;
	for (size_t i = 0; i < COUNT(minutes); i++) {
		now = acted + minutes[i] * MINUTE;
		assert_true(drift_due(&d, now - 1) == 0);
		assert_true(drift_due(&d, now) == PFC);
		drift_repaired(&d, PFC, now);
		assert_true(drift_due(&d, now + HOUR) == 0);
		assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_CONTESTED);
		drift_look_at(&d, PFC, now + 5 * SECOND, nothing);
		acted = now;
	}
}

static void an_hour_of_peace_ends_a_contest(void **s)
{
	uint64_t now = START;
	struct drift d = contested_at(&now);

	(void)s;
	now += MINUTE;
	drift_repaired(&d, PFC, now);
	drift_look_at(&d, 0, now + DRIFT_QUIET_MS - 1, nothing);
	drift_look_at(&d, 0, now + DRIFT_QUIET_MS, pfc_ended);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_IN_SYNC);

	now += 2 * DRIFT_QUIET_MS; /* earlier reverted repairs no longer count */
	drift_look_at(&d, PFC, now, pfc_drifted);
	assert_true(drift_due(&d, now) == PFC);
	drift_repaired(&d, PFC, now);
	drift_look_at(&d, PFC, now, pfc_drifted);
}

/* A restarted agent reads the contest from the history. */
static void a_contest_lasts_without_further_reports(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	drift_contest(&d, SETTING_PFC_PRIORITIES, START - 5000, now);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_CONTESTED);
	assert_true(d.since_ms[SETTING_PFC_PRIORITIES] == START - 5000);
	drift_look_at(&d, PFC, now, nothing);
	assert_true(drift_due(&d, now + DRIFT_WAIT_MS - 1) == 0);
	assert_true(drift_due(&d, now + DRIFT_WAIT_MS) == PFC);
	drift_look_at(&d, 0, now, nothing);
	drift_look_at(&d, 0, now + DRIFT_QUIET_MS - 1, nothing);
	drift_look_at(&d, 0, now + DRIFT_QUIET_MS, pfc_ended);
}

/* The driver resets PFC each time; the agent repairs it once the port has settled. */
static void a_driver_that_begins_anew_is_no_opponent(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	for (int i = 0; i < 2 * DRIFT_UNDONE_MAX; i++) {
		driver_restarted(&d, ALL, now);
		drift_look_at(&d, PFC, now, pfc_drifted);
		assert_true(drift_due(&d, now) == 0);
		now = d.settled_ms;
		drift_look_at(&d, PFC, now, nothing);
		assert_true(drift_due(&d, now) == PFC);
		drift_repaired(&d, PFC, now);
		now += 5 * SECOND;
	}
}

/* The agent repairs ever more rarely: at most once in DRIVER_SETTLE_MAX_MS, never in between. */
static void a_driver_that_never_stops_is_not_written_to_in_a_loop(void **s)
{
	struct drift d = { 0 };
	unsigned repairs = 0;

	(void)s;
	for (uint64_t now = START; now < START + HOUR; now += 10 * SECOND) {
		driver_restarted(&d, PFC, now);
		drift_update(&d, PFC, ALL, 0, now);
		drift_update(&d, PFC, ALL, 0, now + 9 * SECOND);
		if (!drift_due(&d, now + 9 * SECOND))
			continue;
		drift_repaired(&d, PFC, now + 9 * SECOND);
		repairs++;
	}
	assert_in_range(repairs, 1, 5);
	driver_restarted(&d, PFC, START + HOUR);
	assert_true(d.settled_ms == START + HOUR + DRIVER_SETTLE_MAX_MS);
}

static void after_a_quiet_hour_it_settles_as_the_first_time(void **s)
{
	struct drift d = { 0 };

	(void)s;
	for (int i = 0; i < 8; i++)
		driver_restarted(&d, PFC, START + (unsigned)i * MINUTE);
	driver_restarted(&d, PFC, START + 2 * HOUR);
	assert_true(d.settled_ms == START + 2 * HOUR + DRIVER_SETTLE_MS);
}

/* A driver restart removes and adds the RDMA device: two changes, one restart. */
static void two_changes_within_a_second_are_one_beginning(void **s)
{
	struct drift d = { 0 };

	(void)s;
	driver_restarted(&d, PFC, START);
	driver_restarted(&d, PFC, START + 300);
	assert_true(d.settled_ms == START + 300 + DRIVER_SETTLE_MS);
}

/* A repair that failed while the driver started is due once the port settles, not in a minute. */
static void a_reset_makes_a_failed_repair_due_again(void **s)
{
	struct drift d = { 0 };

	(void)s;
	drift_look_at(&d, PFC, START, pfc_drifted);
	drift_failed(&d, PFC, START);
	driver_restarted(&d, PFC, START + SECOND);
	drift_look_at(&d, PFC, START + SECOND, nothing);
	assert_true(drift_due(&d, START + SECOND) == 0);
	assert_true(drift_due(&d, d.settled_ms) == PFC);
}

/* A setting whose repairs are reverted between two resets stays contested. */
static void an_opponent_beside_it_is_found(void **s)
{
	uint64_t now = START;
	struct drift d = contested_at(&now);

	(void)s;
	driver_restarted(&d, ALL, now);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_CONTESTED);
	assert_true(drift_due(&d, d.settled_ms) == 0);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, a_driver_that_begins_anew_is_no_opponent);
	SUITE_ADD(&s, a_driver_that_never_stops_is_not_written_to_in_a_loop);
	SUITE_ADD(&s, after_a_quiet_hour_it_settles_as_the_first_time);
	SUITE_ADD(&s, two_changes_within_a_second_are_one_beginning);
	SUITE_ADD(&s, a_reset_makes_a_failed_repair_due_again);
	SUITE_ADD(&s, an_opponent_beside_it_is_found);
	SUITE_ADD(&s, a_drift_that_ends_by_itself_again_and_again_is_not_contested);
	SUITE_ADD(&s, what_comes_and_goes_is_contested_in_the_end);
	SUITE_ADD(&s, what_comes_and_goes_once_an_hour_is_not_contested);
	SUITE_ADD(&s, who_rewrites_every_five_seconds_contests_after_the_third);
	SUITE_ADD(&s, who_rewrites_seldom_does_not_contest);
	SUITE_ADD(&s, three_undone_in_just_the_window_are_contested);
	SUITE_ADD(&s, an_operator_is_no_opponent);
	SUITE_ADD(&s, another_setting_is_not_contested_with_it);
	SUITE_ADD(&s, what_is_contested_is_left_alone_longer_each_time);
	SUITE_ADD(&s, an_hour_of_peace_ends_a_contest);
	SUITE_ADD(&s, a_contest_lasts_without_further_reports);
	return suite_run(&s, "drift_contest");
}
