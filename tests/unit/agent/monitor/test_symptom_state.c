/* Tests of hysteresis: when a symptom is raised and cleared, window by window. */
#include <string.h>

#include "agent/monitor/symptom.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

#define WINDOWS 16

/* One window of ten seconds: its count, and whether the link was unsteady or RDMA's were reset. */
struct window {
	uint64_t count;
	bool unsteady, rdma_restarted;
};

static const struct row {
	const char *sentence;
	enum counter_id id;
	unsigned prio;
	const char *symptom;
	const char *windows; /* a letter for each, see window_of() */
	const char *raised;  /* '!': the symptom is raised after that window */
} rows[] = {
	{ "one window over the limit is a burst", COUNT_TX_PAUSE_US, 3, "pause-storm-sent",
	  "H......", "......." },
	{ "two of three windows are a storm", COUNT_TX_PAUSE_US, 3, "pause-storm-sent", "H.H....",
	  "..!!!.." },
	{ "two of four are not", COUNT_TX_PAUSE_US, 3, "pause-storm-sent", "H..H...", "......." },
	{ "a storm that goes on is raised once", COUNT_TX_PAUSE_US, 3, "pause-storm-sent",
	  "HHHHHHH", ".!!!!!!" },
	{ "below the limit and above half of it, it stays", COUNT_TX_PAUSE_US, 3,
	  "pause-storm-sent", "HHMMMMMMM", ".!!!!!!!!" },
	{ "but is not raised there", COUNT_TX_PAUSE_US, 3, "pause-storm-sent", "MMMMMMM",
	  "......." },
	{ "below half of it, it is cleared after three windows", COUNT_TX_PAUSE_US, 3,
	  "pause-storm-sent", "HHLLLLL", ".!!!..." },
	{ "which have to follow each other", COUNT_TX_PAUSE_US, 3, "pause-storm-sent", "HHLLMLLL..",
	  ".!!!!!!..." },
	{ "cleared, it has to be raised anew", COUNT_TX_PAUSE_US, 3, "pause-storm-sent",
	  "HHLLLMMHH", ".!!!....!" },
	{ "the adapter's own warning is raised at the first window", COUNT_STORM_WARNINGS, 0,
	  "pause-storm-sent", "1......", "!!!...." },
	{ "a lossless drop is raised at the first window, and held for six", COUNT_RX_DISCARDS, 3,
	  "lossless-drops", "1........", "!!!!!!..." },
	{ "from the last one on", COUNT_RX_DISCARDS, 3, "lossless-drops", "1...1.......",
	  "!!!!!!!!!!.." },
	{ "so is a watchdog that tripped, also in a window that nothing else is judged in",
	  COUNT_STORM_ERRORS, 0, "storm-watchdog-tripped", "x........", "!!!!!!..." },
	{ "an unsteady window raises nothing else", COUNT_TX_PAUSE_US, 3, "pause-storm-sent",
	  "XXXXXXX", "......." },
	{ "and does not clear at once what was raised", COUNT_TX_PAUSE_US, 3, "pause-storm-sent",
	  "HHXXHHH", ".!!!!!!" },
	{ "nor do many of them", COUNT_TX_PAUSE_US, 3, "pause-storm-sent", "HHXXXXX", ".!!!!!!" },
	{ "nor for a drop that is held for six", COUNT_RX_DISCARDS, 3, "lossless-drops",
	  "1xxxxxxxx", "!!!!!!!!!" },
	{ "quiet windows after them still clear it", COUNT_TX_PAUSE_US, 3, "pause-storm-sent",
	  "HHXXXXLLL.", ".!!!!!!!.." },
	{ "also if they come one by one", COUNT_TX_PAUSE_US, 3, "pause-storm-sent", "HHLXLXLX",
	  ".!!!!!.." },
	{ "a storm counts on after a window that was not judged", COUNT_TX_PAUSE_US, 3,
	  "pause-storm-sent", "HXXH...", "...!!!." },
	{ "a window without RDMA's counters does not clear their symptoms", COUNT_ICRC_ERRORS, 0,
	  "rdma-icrc-errors", "HHRRRR...", ".!!!!!!!." },
	{ "but clears those of the port", COUNT_TX_PAUSE_US, 3, "pause-storm-sent", "HHRRR..",
	  ".!!!..." },
	{ "an incast of two windows is no deadlock", COUNT_RX_PAUSE_US, 3,
	  "pause-deadlock-suspected", "FF.FF.FF", "........" },
	{ "three windows without progress are one", COUNT_RX_PAUSE_US, 3,
	  "pause-deadlock-suspected", "FFFF...", "..!!!!." },
	{ "a window in which the link flapped or counters were reset proves nothing",
	  COUNT_RX_PAUSE_US, 3, "pause-deadlock-suspected", "FFZFFZFF", "........" },
};

/*
 * F, H, M and L (full, high, middle and low) are 95, 60, 40 and 20 percent of ten seconds. Z is F,
 * X is H, and x is 1, each in an unsteady window. R is 0, and the counters of RDMA were reset.
 */
static struct window window_of(char letter)
{
	static const char letters[] = ".1xHMLXFZR";
	static const struct window windows[] = {
		{ .count = 0 },
		{ .count = 1 },
		{ .count = 1, .unsteady = true },
		{ .count = 6000000 },
		{ .count = 4000000 },
		{ .count = 2000000 },
		{ .count = 6000000, .unsteady = true },
		{ .count = 9500000 },
		{ .count = 9500000, .unsteady = true },
		{ .rdma_restarted = true },
	};

	return windows[strchr(letters, letter) - letters];
}

static bool has(const struct active_symptom *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i].symptom->name, name) == 0)
			return true;
	return false;
}

static void that_is_when_it_is_raised(void **state)
{
	const struct row *row = *state;
	struct symptom_state s = { 0 };
	struct active_symptom found[SYMPTOMS_MAX];
	struct config actual = { .has = SETTING(SETTING_PFC_PRIORITIES),
				 .pfc.priorities = 1u << 3 };
	struct thresholds l = thresholds_defaults();
	char got[WINDOWS + 1] = "";
	size_t n = 0, i;

	for (i = 0; row->windows[i]; i++) {
		struct window w = window_of(row->windows[i]);
		struct counter_delta span = { .seconds = 10 };
		struct symptom_input e = { &span, &actual, &actual, &l, 0, !w.unsteady };

		span.restarted[FROM_RDMA] = w.rdma_restarted;
		span.count[counter_slot(row->id, row->prio)] = w.count;
		span.known[counter_slot(row->id, row->prio)] = true;
		span.known[counter_slot(COUNT_TX_BYTES, 3)] = true;
		span.latest[counter_slot(COUNT_TX_BYTES, 3)] = 1; /* used before this window */
		n = symptom_state_add(&s, &e, found, n);
		got[i] = has(found, n, row->symptom) ? '!' : '.';
	}
	assert_int_equal(strlen(row->raised), i);
	assert_string_equal(got, row->raised);
}

static void one_that_stays_raised_keeps_its_figures_and_its_place(void **state)
{
	struct symptom_state s = { 0 };
	struct active_symptom found[SYMPTOMS_MAX];
	struct config actual = { .has = SETTING(SETTING_PFC_PRIORITIES),
				 .pfc.priorities = 1u << 3 };
	struct thresholds l = thresholds_defaults();
	struct counter_delta span = { .seconds = 10 };
	struct symptom_input e = { &span, &actual, &actual, &l, 0, true };
	size_t n;

	(void)state;
	span.known[counter_slot(COUNT_RX_DISCARDS, 3)] = true;
	span.count[counter_slot(COUNT_RX_DISCARDS, 3)] = 7;
	n = symptom_state_add(&s, &e, found, 0);
	assert_int_equal(n, 1);
	span.count[counter_slot(COUNT_RX_DISCARDS, 3)] = 0;
	span.known[counter_slot(COUNT_STORM_ERRORS, 0)] = true;
	span.count[counter_slot(COUNT_STORM_ERRORS, 0)] = 1;
	n = symptom_state_add(&s, &e, found, n);
	assert_int_equal(n, 2);
	assert_string_equal(found[0].symptom->name, "storm-watchdog-tripped");
	assert_string_equal(found[1].symptom->name, "lossless-drops");
	assert_non_null(strstr(found[1].text, "7 packets"));
}

static void every_symptom_has_windows_that_fit_its_state(void **state)
{
	(void)state;
	for (size_t i = 0; i < symptoms_count; i++) {
		const struct hysteresis *h = &symptoms[i].windows;

		assert_in_range(h->of, 1, 8);
		assert_in_range(h->raise, 1, h->of);
		assert_in_range(h->clear, 1, 8);
		if (symptoms[i].is_certain)
			assert_true(h->raise > 1);
	}
}

/* A limit to clear is at least 1, and at most the limit to raise. */
static void limits_to_clear_are_at_most_those_to_raise(void **state)
{
	struct thresholds raise = thresholds_defaults(), clear = thresholds_to_clear(&raise);

	(void)state;
	for (size_t i = 0; i < THRESHOLD_COUNT; i++)
		assert_in_range(clear.value[i], 1, raise.value[i]);
	assert_int_equal(clear.value[THRESHOLD_WINDOW_S], raise.value[THRESHOLD_WINDOW_S]);
	assert_int_equal(clear.value[THRESHOLD_LINK_DOWN_WINDOW_S],
			 raise.value[THRESHOLD_LINK_DOWN_WINDOW_S]);
	assert_int_equal(clear.value[THRESHOLD_PAUSE_SENT_PERCENT], 25);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, that_is_when_it_is_raised);
	SUITE_ADD(&s, one_that_stays_raised_keeps_its_figures_and_its_place);
	SUITE_ADD(&s, every_symptom_has_windows_that_fit_its_state);
	SUITE_ADD(&s, limits_to_clear_are_at_most_those_to_raise);
	return suite_run(&s, "symptom_state");
}
