/* Tests of symptoms: each shows on fitting evidence, and not on similar counts. */
#include <string.h>

#include "agent/monitor/symptom.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"
#include "tests/unit/agent/monitor/rows_symptom.h"
#include "tests/unit/agent/monitor/rows_symptom_deadlock.h"

static struct counter_delta interval_of(const struct row *row)
{
	struct counter_delta s = { .seconds = SECONDS };

	for (size_t i = 0; i < COUNTER_SLOTS; i++)
		s.known[i] = row->changes[0].id >= 0;
	for (const struct change *c = row->changes; c->id > 0 || c->count; c++) {
		size_t slot = counter_slot((enum counter_id)c->id, c->prio);

		s.known[slot] = c->count != UNKNOWN;
		s.count[slot] = c->count;
	}
	for (size_t i = 0; i < COUNT(row->latest); i++)
		if (row->latest[i].count)
			s.latest[counter_slot((enum counter_id)row->latest[i].id,
					      row->latest[i].prio)] = row->latest[i].count;
	return s;
}

/* Priority 3 is in traffic class 1. */
static struct config pfc_on_3(void)
{
	struct config c = { .has = SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_ETS_PRIO_TC) };

	c.pfc.priorities = 1u << 3;
	c.ets.prio_tc[3] = 1;
	return c;
}

/* Settings of a policy besides PFC on 3; a setup without a row has none. */
static const struct {
	setting_set has;
	struct config says;
} wants[] = {
	[WANTS_NO_CNPS] = { SETTING(SETTING_ECN_NP), { .ecn.np = 0 } },
	[WANTS_NO_REACTION] = { SETTING(SETTING_ECN_RP_PRIORITIES), { .ecn.rp_priorities = 0 } },
	[WANTS_CNPS_AND_REACTION] = { SETTING(SETTING_ECN_NP) | SETTING(SETTING_ECN_RP_PRIORITIES),
				      { .ecn = { .np = true, .rp_priorities = 1 << 3 } } },
	[WANTS_GLOBAL_PAUSE] = { SETTING(SETTING_PAUSE_TX), { .pause.tx = true } },
	[WANTS_GLOBAL_PAUSE_HEARD] = { SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX),
				       { .pause.rx = true } },
	[WANTS_NO_GLOBAL_PAUSE] = { SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX),
				    { .has = 0 } },
};

static struct config desired_of(enum setup setup)
{
	struct config c = wants[setup].says;

	c.has = wants[setup].has |
		(setup == SAYS_NOTHING_OF_PFC ? 0 : SETTING(SETTING_PFC_PRIORITIES));
	c.pfc.priorities = 1u << 3;
	return c;
}

static void that_is_what_shows(void **state)
{
	const struct row *row = *state;
	struct counter_delta s = interval_of(row);
	struct config actual = pfc_on_3(), desired = desired_of(row->setup);
	struct thresholds l = thresholds_defaults();
	struct active_symptom found[SYMPTOMS_MAX];
	struct symptom_input e = { &s, &actual, &desired, &l, row->link_downs, !row->unsteady };
	size_t n;

	if (row->setup >= NO_POLICY && row->setup <= PFC_UNREAD)
		e.desired = NULL;
	if (row->setup == PFC_UNREAD)
		actual.has = 0;
	if (row->setup == CLASSES_UNREAD)
		actual.has &= ~SETTING(SETTING_ETS_PRIO_TC);
	if (row->setup == NOT_LOSSLESS)
		actual.pfc.priorities = 0;
	n = symptoms_check(&e, found);
	if (row->before) {
		assert_int_equal(n, 2);
		assert_string_equal(found[0].symptom->name, row->before);
		found[0] = found[--n];
	}
	if (row->after) {
		assert_int_equal(n, 2);
		assert_string_equal(found[--n].symptom->name, row->after);
	}
	if (n != (row->shows[0] != '\0') || (n && strcmp(found[0].symptom->name, row->shows) != 0))
		fail_msg("%zu show: %s, %s", n, n ? found[0].symptom->name : "none",
			 n ? found[n - 1].symptom->name : "none");
	if (n && row->figures && !strstr(found[0].text, row->figures))
		fail_msg("says: %s", found[0].text);
	if (n && row->look)
		assert_int_equal(found[0].origin, row->look);
	n = symptoms_not_judged(&e, found);
	assert_int_equal(n, row->not_judged != NULL);
	if (n && !strstr(found[0].text, row->not_judged))
		fail_msg("says: %s", found[0].text);
}

static void every_symptom_has_a_row_here_that_shows_it(void **state)
{
	(void)state;
	assert_int_equal(symptoms_count, 17);
	for (size_t i = 0; i < symptoms_count; i++) {
		size_t seen = 0;

		for (size_t k = 0; k < COUNT(rows); k++)
			seen += strcmp(rows[k].shows, symptoms[i].name) == 0;
		for (size_t k = 0; k < COUNT(deadlock_rows); k++)
			seen += strcmp(deadlock_rows[k].shows, symptoms[i].name) == 0;
		if (!seen)
			fail_msg("nothing shows %s", symptoms[i].name);
	}
}

static void every_symptom_says_what_why_and_what_next(void **state)
{
	(void)state;
	for (size_t i = 0; i < symptoms_count; i++) {
		const struct symptom *y = &symptoms[i];

		assert_true(y->description[0] && y->cause[0] && y->next[0]);
		assert_int_equal(y->name[strspn(y->name, "abcdefghijklmnopqrstuvwxyz-")], '\0');
		for (size_t k = 0; k < i; k++) {
			assert_string_not_equal(symptoms[k].name, y->name);
			assert_true(symptoms[k].severity >= y->severity); /* the worst first */
		}
	}
}

static void several_show_at_once_the_worst_first(void **state)
{
	static const struct row row = {
		.changes = { { COUNT_STORM_ERRORS, 0, 1 },
			     { COUNT_RX_DISCARDS, 3, 4 },
			     { COUNT_TX_PAUSE_US, 3, 9900000 },
			     { COUNT_PCI_STALLED_WRITE_EVENTS, 0, 9 },
			     { COUNT_CNP_IGNORED, 0, 99 } },
	};
	static const char *const names[] = { "storm-watchdog-tripped", "lossless-drops",
					     "pause-storm-sent", "host-congestion", "cnp-ignored" };
	struct counter_delta s = interval_of(&row);
	struct config actual = pfc_on_3();
	struct thresholds l = thresholds_defaults();
	struct symptom_input e = { &s, &actual, NULL, &l, 0, true };
	struct active_symptom found[SYMPTOMS_MAX];

	(void)state;
	assert_int_equal(symptoms_check(&e, found), COUNT(names));
	for (size_t i = 0; i < COUNT(names); i++)
		assert_string_equal(found[i].symptom->name, names[i]);
}

static void no_time_at_all_shows_nothing(void **state)
{
	static const struct row row = { .changes = { BUSY, { COUNT_TX_PAUSE_US, 3, 9 } } };
	struct counter_delta s = interval_of(&row);
	struct config actual = pfc_on_3();
	struct thresholds l = thresholds_defaults();
	struct symptom_input e = { &s, &actual, &actual, &l, 0, true };
	struct active_symptom found[SYMPTOMS_MAX];

	(void)state;
	s.seconds = 0;
	assert_int_equal(symptoms_check(&e, found), 0);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, that_is_what_shows);
	SUITE_ADD_ROWS(&s, deadlock_rows, that_is_what_shows);
	SUITE_ADD(&s, every_symptom_has_a_row_here_that_shows_it);
	SUITE_ADD(&s, every_symptom_says_what_why_and_what_next);
	SUITE_ADD(&s, several_show_at_once_the_worst_first);
	SUITE_ADD(&s, no_time_at_all_shows_nothing);
	return suite_run(&s, "symptom");
}
