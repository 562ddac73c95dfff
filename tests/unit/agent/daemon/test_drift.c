/* The states of a port's settings: in sync, drifted, repaired, contested. */
#include "agent/daemon/drift.h"
#include "tests/support/unit.h"

#define PFC SETTING(SETTING_PFC_PRIORITIES)
#define MTU SETTING(SETTING_MTU)
#define ALL (PFC | MTU)

#define SECOND 1000u
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)

/* A day into the life of the host; some tests begin when the clock does. */
#define START (24u * HOUR)

/* Looks, and expects news of these and of no others. */
static void look(struct drift *d, setting_set differs, uint64_t now, struct drift_changes expected)
{
	struct drift_changes changes = drift_update(d, differs, ALL, now);

	assert_true(changes.drifted == expected.drifted);
	assert_true(changes.ended == expected.ended);
	assert_true(changes.contested == expected.contested);
}

static const struct drift_changes nothing;
static const struct drift_changes pfc_drifted = { .drifted = PFC };
static const struct drift_changes pfc_ended = { .ended = PFC };
static const struct drift_changes pfc_contested = { .contested = PFC };

/* PFC is undone every five seconds and put right at once, until that is contested. */
static struct drift contested_at(uint64_t *now)
{
	struct drift d = { 0 };

	for (int i = 0; i < DRIFT_UNDONE_MAX; i++, *now += 5 * SECOND) {
		look(&d, PFC, *now, pfc_drifted);
		assert_true(drift_due(&d, *now) == PFC);
		drift_repaired(&d, PFC, *now);
	}
	look(&d, PFC, *now, pfc_contested);
	return d;
}

static void a_port_as_wished_is_no_news(void **s)
{
	struct drift d = { 0 };

	(void)s;
	look(&d, 0, START, nothing);
	look(&d, 0, START + HOUR, nothing);
	assert_int_equal(drift_state(&d, SETTING_MTU), DRIFT_IN_SYNC);
	assert_true(drift_due(&d, START) == 0);
}

static void a_drift_is_news_once_and_is_due_at_once(void **s)
{
	struct drift d = { 0 };

	(void)s;
	look(&d, PFC, START, pfc_drifted);
	look(&d, PFC, START + SECOND, nothing);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_DRIFTED);
	assert_int_equal(drift_state(&d, SETTING_MTU), DRIFT_IN_SYNC);
	assert_true(d.since_ms[SETTING_PFC_PRIORITIES] == START);
	assert_true(drift_due(&d, START) == PFC);
}

static void a_second_setting_drifts_by_itself(void **s)
{
	struct drift d = { 0 };

	(void)s;
	look(&d, PFC, START, pfc_drifted);
	look(&d, ALL, START + SECOND, (struct drift_changes){ .drifted = MTU });
	assert_true(d.since_ms[SETTING_PFC_PRIORITIES] == START);
	assert_true(d.since_ms[SETTING_MTU] == START + SECOND);
	drift_repaired(&d, MTU, START + SECOND);
	assert_true(drift_due(&d, START + SECOND) == PFC);
}

static void a_drift_that_ends_by_itself_is_told(void **s)
{
	struct drift d = { 0 };

	(void)s;
	look(&d, PFC, START, pfc_drifted);
	look(&d, 0, START + MINUTE, pfc_ended);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_IN_SYNC);
	assert_true(drift_due(&d, START + MINUTE) == 0);
	look(&d, 0, START + MINUTE, nothing);
}

static void a_drift_that_ends_by_itself_again_and_again_is_not_contested(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	look(&d, PFC, now, pfc_drifted);
	drift_repaired(&d, PFC, now);
	for (int i = 0; i < 10; i++, now += SECOND) {
		look(&d, PFC, now, pfc_drifted);
		look(&d, 0, now, pfc_ended);
	}
}

static void what_comes_and_goes_is_contested_in_the_end(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	for (int i = 0; i < DRIFT_RESTLESS_MAX; i++, now += SECOND) {
		look(&d, PFC, now, pfc_drifted);
		look(&d, 0, now, pfc_ended);
	}
	look(&d, PFC, now, pfc_contested);
	for (int i = 0; i < 10; i++, now += SECOND) {
		look(&d, 0, now, nothing);
		look(&d, PFC, now, nothing);
	}
	now += HOUR - SECOND;
	look(&d, 0, now - 1, nothing);
	look(&d, 0, now, pfc_ended);
	look(&d, PFC, now, pfc_drifted);
}

static void what_comes_and_goes_once_an_hour_is_not_contested(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	for (int i = 0; i <= DRIFT_RESTLESS_MAX; i++, now += HOUR) {
		look(&d, PFC, now, pfc_drifted);
		look(&d, 0, now, pfc_ended);
	}
}

static void what_we_repaired_did_not_end_by_itself(void **s)
{
	struct drift d = { 0 };

	(void)s;
	look(&d, PFC, START, pfc_drifted);
	drift_repaired(&d, PFC, START);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_REPAIRED);
	look(&d, 0, START + SECOND, nothing);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_REPAIRED);
}

static void a_repair_that_held_is_in_sync(void **s)
{
	struct drift d = { 0 };

	(void)s;
	look(&d, PFC, START, pfc_drifted);
	drift_repaired(&d, PFC, START);
	look(&d, 0, START + DRIFT_WINDOW_MS - 1, nothing);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_REPAIRED);
	look(&d, 0, START + DRIFT_WINDOW_MS, nothing);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_IN_SYNC);
}

static void what_had_not_drifted_is_not_repaired(void **s)
{
	struct drift d = { 0 };

	(void)s;
	look(&d, PFC, START, pfc_drifted);
	drift_repaired(&d, MTU, START);
	assert_int_equal(drift_state(&d, SETTING_MTU), DRIFT_IN_SYNC);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_DRIFTED);
}

static void one_repair_undone_is_a_drift_again(void **s)
{
	struct drift d = { 0 };

	(void)s;
	look(&d, PFC, START, pfc_drifted);
	drift_repaired(&d, PFC, START);
	look(&d, PFC, START + 2 * MINUTE, pfc_drifted);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_DRIFTED);
	assert_true(d.since_ms[SETTING_PFC_PRIORITIES] == START + 2 * MINUTE);
	assert_true(drift_due(&d, START + 2 * MINUTE) == PFC);
}

static void who_rewrites_every_five_seconds_contests_after_the_third(void **s)
{
	uint64_t now = START;
	struct drift d = contested_at(&now);

	(void)s;
	assert_true(now == START + 15 * SECOND);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_CONTESTED);
	assert_true(d.since_ms[SETTING_PFC_PRIORITIES] == START + 5 * SECOND);
	assert_true(drift_due(&d, now) == 0);
}

static void who_rewrites_seldom_does_not_contest(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	for (int i = 0; i < 10; i++, now += DRIFT_WINDOW_MS / 2 + 1) {
		look(&d, PFC, now, pfc_drifted);
		drift_repaired(&d, PFC, now);
	}
}

static void three_undone_in_just_the_window_are_contested(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	for (int i = 0; i < DRIFT_UNDONE_MAX; i++, now += DRIFT_WINDOW_MS / 2) {
		look(&d, PFC, now, pfc_drifted);
		drift_repaired(&d, PFC, now);
	}
	look(&d, PFC, now, pfc_contested);
}

static void an_operator_is_no_opponent(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	for (int i = 0; i < 3 * DRIFT_UNDONE_MAX; i++, now += 5 * SECOND) {
		drift_excuse(&d, PFC);
		look(&d, PFC, now, pfc_drifted);
		drift_repaired(&d, PFC, now);
	}
}

static void another_setting_is_not_contested_with_it(void **s)
{
	uint64_t now = START;
	struct drift d = contested_at(&now);

	(void)s;
	look(&d, ALL, now, (struct drift_changes){ .drifted = MTU });
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
		look(&d, PFC, now + 5 * SECOND, nothing);
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
	look(&d, 0, now + DRIFT_PEACE_MS - 1, nothing);
	look(&d, 0, now + DRIFT_PEACE_MS, pfc_ended);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_IN_SYNC);

	now += 2 * DRIFT_PEACE_MS; /* and all is forgiven */
	look(&d, PFC, now, pfc_drifted);
	assert_true(drift_due(&d, now) == PFC);
	drift_repaired(&d, PFC, now);
	look(&d, PFC, now, pfc_drifted);
}

static void peace_begins_anew_with_each_drift(void **s)
{
	uint64_t now = START;
	struct drift d = contested_at(&now);

	(void)s;
	look(&d, 0, now + MINUTE, nothing);
	look(&d, PFC, now + 50 * MINUTE, nothing);
	look(&d, 0, now + 51 * MINUTE, nothing);
	look(&d, 0, now + 50 * MINUTE + HOUR - 1, nothing);
	look(&d, 0, now + 50 * MINUTE + HOUR, pfc_ended);
}

static void what_cannot_be_read_keeps_its_state(void **s)
{
	struct drift d = { 0 };
	struct drift_changes changes;

	(void)s;
	look(&d, PFC, START, pfc_drifted);
	changes = drift_update(&d, 0, MTU, START + SECOND);
	assert_true(changes.ended == 0);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_DRIFTED);
	look(&d, PFC, START + MINUTE, nothing);
	assert_true(d.since_ms[SETTING_PFC_PRIORITIES] == START);
	drift_repaired(&d, PFC, START + MINUTE);
	drift_update(&d, 0, MTU, START + HOUR);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_REPAIRED);
}

static void what_is_not_judged_does_not_drift(void **s)
{
	struct drift d = { 0 };
	struct drift_changes changes = drift_update(&d, ALL, MTU, START);

	(void)s;
	assert_true(changes.drifted == MTU);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_IN_SYNC);
}

static void what_cannot_be_read_is_not_at_peace(void **s)
{
	uint64_t now = START;
	struct drift d = contested_at(&now);

	(void)s;
	look(&d, 0, now, nothing);
	drift_update(&d, 0, MTU, now + 59 * MINUTE);
	look(&d, 0, now + HOUR, nothing);
	look(&d, 0, now + HOUR + 59 * MINUTE, pfc_ended);
}

static void what_cannot_be_repaired_is_tried_less_and_less(void **s)
{
	struct drift d = { 0 };

	(void)s;
	look(&d, PFC, START, pfc_drifted);
	drift_failed(&d, PFC, START);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_DRIFTED);
	assert_true(drift_due(&d, START + MINUTE - 1) == 0);
	assert_true(drift_due(&d, START + MINUTE) == PFC);
	drift_failed(&d, PFC, START + MINUTE);
	assert_true(drift_due(&d, START + 3 * MINUTE - 1) == 0);
	assert_true(drift_due(&d, START + 3 * MINUTE) == PFC);
	drift_failed(&d, PFC, START + 3 * MINUTE);
	look(&d, 0, START + 3 * MINUTE, pfc_ended);
	look(&d, PFC, START + 3 * MINUTE, pfc_drifted);
	assert_true(drift_due(&d, START + 3 * MINUTE) == PFC);
	drift_failed(&d, PFC, START + 3 * MINUTE);
	assert_true(drift_due(&d, START + 4 * MINUTE) == PFC);
}

static void a_clock_that_stands_still_does_no_harm(void **s)
{
	uint64_t now = 0;
	struct drift d = { 0 };

	(void)s;
	for (int i = 0; i < DRIFT_UNDONE_MAX; i++) {
		look(&d, PFC, now, pfc_drifted);
		drift_repaired(&d, PFC, now);
	}
	look(&d, PFC, now, pfc_contested);
	for (int i = 0; i < 1000; i++)
		look(&d, i & 1 ? PFC : 0, now, nothing);
	assert_true(drift_due(&d, now) == 0);
	assert_true(drift_due(&d, now + MINUTE) == PFC);
}

static void a_clock_that_goes_back_lets_no_time_pass(void **s)
{
	uint64_t now = START;
	struct drift d = contested_at(&now);

	(void)s;
	look(&d, 0, 0, nothing);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_CONTESTED);
}

static void what_is_forgotten_begins_anew(void **s)
{
	uint64_t now = START;
	struct drift d = contested_at(&now), fresh = { 0 };

	(void)s;
	drift_forget(&d);
	assert_memory_equal(&d, &fresh, sizeof(d));
	look(&d, PFC, now, pfc_drifted);
	assert_true(drift_due(&d, now) == PFC);
}

/* An agent that starts anew knows of it from the history. */
static void a_contest_goes_on_without_news(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	drift_contest(&d, SETTING_PFC_PRIORITIES, START - 5000, now);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_CONTESTED);
	assert_true(d.since_ms[SETTING_PFC_PRIORITIES] == START - 5000);
	look(&d, PFC, now, nothing);
	assert_true(drift_due(&d, now + DRIFT_WAIT_MS - 1) == 0);
	assert_true(drift_due(&d, now + DRIFT_WAIT_MS) == PFC);
	look(&d, 0, now, nothing);
	look(&d, 0, now + DRIFT_PEACE_MS - 1, nothing);
	look(&d, 0, now + DRIFT_PEACE_MS, pfc_ended);
}

static void every_setting_has_its_own_state(void **s)
{
	struct drift d = { 0 };

	(void)s;
	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		struct drift_changes changes =
			drift_update(&d, SETTING(i), EVERY_SETTING, START + i);

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

/* Each time the driver resets PFC, and it is repaired once the port has settled. */
static void a_driver_that_begins_anew_is_no_opponent(void **s)
{
	struct drift d = { 0 };
	uint64_t now = START;

	(void)s;
	for (int i = 0; i < 2 * DRIFT_UNDONE_MAX; i++) {
		drift_reset(&d, ALL, now);
		look(&d, PFC, now, pfc_drifted);
		assert_true(drift_due(&d, now) == 0);
		now = d.settled_ms;
		look(&d, PFC, now, nothing);
		assert_true(drift_due(&d, now) == PFC);
		drift_repaired(&d, PFC, now);
		now += 5 * SECOND;
	}
}

/* It is written to ever more rarely: once in DRIFT_SETTLE_MAX_MS at most, and never in between. */
static void a_driver_that_never_stops_is_not_written_to_in_a_loop(void **s)
{
	struct drift d = { 0 };
	unsigned repairs = 0;

	(void)s;
	for (uint64_t now = START; now < START + HOUR; now += 10 * SECOND) {
		drift_reset(&d, PFC, now);
		drift_update(&d, PFC, ALL, now);
		drift_update(&d, PFC, ALL, now + 9 * SECOND);
		if (!drift_due(&d, now + 9 * SECOND))
			continue;
		drift_repaired(&d, PFC, now + 9 * SECOND);
		repairs++;
	}
	assert_in_range(repairs, 1, 5);
	drift_reset(&d, PFC, START + HOUR);
	assert_true(d.settled_ms == START + HOUR + DRIFT_SETTLE_MAX_MS);
}

static void after_a_quiet_hour_it_settles_as_the_first_time(void **s)
{
	struct drift d = { 0 };

	(void)s;
	for (int i = 0; i < 8; i++)
		drift_reset(&d, PFC, START + (unsigned)i * MINUTE);
	drift_reset(&d, PFC, START + 2 * HOUR);
	assert_true(d.settled_ms == START + 2 * HOUR + DRIFT_SETTLE_MS);
}

/* Its RDMA device goes, and comes: two changes, one beginning. */
static void two_changes_within_a_second_are_one_beginning(void **s)
{
	struct drift d = { 0 };

	(void)s;
	drift_reset(&d, PFC, START);
	drift_reset(&d, PFC, START + 300);
	assert_true(d.settled_ms == START + 300 + DRIFT_SETTLE_MS);
}

/* A repair that failed while the driver came up does not wait for a minute after that. */
static void a_reset_makes_a_failed_repair_due_again(void **s)
{
	struct drift d = { 0 };

	(void)s;
	look(&d, PFC, START, pfc_drifted);
	drift_failed(&d, PFC, START);
	drift_reset(&d, PFC, START + SECOND);
	look(&d, PFC, START + SECOND, nothing);
	assert_true(drift_due(&d, START + SECOND) == 0);
	assert_true(drift_due(&d, d.settled_ms) == PFC);
}

/* Somebody who undoes repairs between two resets is contested all the same. */
static void an_opponent_beside_it_is_found(void **s)
{
	uint64_t now = START;
	struct drift d = contested_at(&now);

	(void)s;
	drift_reset(&d, ALL, now);
	assert_int_equal(drift_state(&d, SETTING_PFC_PRIORITIES), DRIFT_CONTESTED);
	assert_true(drift_due(&d, d.settled_ms) == 0);
}

/* Two writers against each other, and what cannot be read. */
static void add_contests(struct suite *s)
{
	SUITE_ADD(s, who_rewrites_every_five_seconds_contests_after_the_third);
	SUITE_ADD(s, who_rewrites_seldom_does_not_contest);
	SUITE_ADD(s, three_undone_in_just_the_window_are_contested);
	SUITE_ADD(s, an_operator_is_no_opponent);
	SUITE_ADD(s, another_setting_is_not_contested_with_it);
	SUITE_ADD(s, what_is_contested_is_left_alone_longer_each_time);
	SUITE_ADD(s, an_hour_of_peace_ends_a_contest);
	SUITE_ADD(s, peace_begins_anew_with_each_drift);
	SUITE_ADD(s, what_cannot_be_read_keeps_its_state);
	SUITE_ADD(s, what_is_not_judged_does_not_drift);
	SUITE_ADD(s, what_cannot_be_read_is_not_at_peace);
	SUITE_ADD(s, what_cannot_be_repaired_is_tried_less_and_less);
	SUITE_ADD(s, a_clock_that_stands_still_does_no_harm);
	SUITE_ADD(s, a_clock_that_goes_back_lets_no_time_pass);
	SUITE_ADD(s, what_is_forgotten_begins_anew);
	SUITE_ADD(s, a_contest_goes_on_without_news);
	SUITE_ADD(s, every_setting_has_its_own_state);
	SUITE_ADD(s, every_state_has_a_name);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, a_port_as_wished_is_no_news);
	SUITE_ADD(&s, a_driver_that_begins_anew_is_no_opponent);
	SUITE_ADD(&s, a_driver_that_never_stops_is_not_written_to_in_a_loop);
	SUITE_ADD(&s, after_a_quiet_hour_it_settles_as_the_first_time);
	SUITE_ADD(&s, two_changes_within_a_second_are_one_beginning);
	SUITE_ADD(&s, a_reset_makes_a_failed_repair_due_again);
	SUITE_ADD(&s, an_opponent_beside_it_is_found);
	SUITE_ADD(&s, a_drift_is_news_once_and_is_due_at_once);
	SUITE_ADD(&s, a_second_setting_drifts_by_itself);
	SUITE_ADD(&s, a_drift_that_ends_by_itself_is_told);
	SUITE_ADD(&s, a_drift_that_ends_by_itself_again_and_again_is_not_contested);
	SUITE_ADD(&s, what_comes_and_goes_is_contested_in_the_end);
	SUITE_ADD(&s, what_comes_and_goes_once_an_hour_is_not_contested);
	SUITE_ADD(&s, what_we_repaired_did_not_end_by_itself);
	SUITE_ADD(&s, a_repair_that_held_is_in_sync);
	SUITE_ADD(&s, what_had_not_drifted_is_not_repaired);
	SUITE_ADD(&s, one_repair_undone_is_a_drift_again);
	add_contests(&s);
	return suite_run(&s, "drift");
}
