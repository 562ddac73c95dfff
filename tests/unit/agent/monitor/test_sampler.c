/* Windows of samples, with time and counters as the test would have them. */
#include <errno.h>
#include <string.h>

#include "agent/monitor/sampler.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

/* A port, what its adapter has counted so far, and what was said of it. */
struct stage {
	struct sample now;
	struct sampled_port sampler;
	struct config actual;
	struct thresholds thresholds;
	size_t windows, active_symptoms;
};

static struct stage stage_of(void)
{
	struct stage g = { .now.at_ms = 0, .thresholds = thresholds_defaults() };

	g.actual.has = SETTING(SETTING_PFC_PRIORITIES);
	g.actual.pfc.priorities = 1u << 3;
	for (size_t i = 0; i < COUNTER_SLOTS; i++)
		g.now.has[i] = true;
	return g;
}

static void count(struct stage *g, enum counter_id id, uint64_t n)
{
	g->now.value[counter_slot(id, 3)] += n;
}

/* Takes a sample; true when a window was judged. */
static bool look(struct stage *g)
{
	bool judged = sampler_add(&g->sampler, &g->now, &g->actual, &g->actual, &g->thresholds);

	g->windows += judged;
	g->active_symptoms += judged ? g->sampler.active_symptoms_count : 0;
	return judged;
}

static bool after(struct stage *g, uint64_t ms)
{
	g->now.at_ms += ms;
	return look(g);
}

static const char *active_symptom(const struct stage *g)
{
	return g->sampler.active_symptoms_count ? g->sampler.active_symptoms[0].symptom->name
						: "none";
}

static void the_first_sample_judges_nothing(void **s)
{
	struct stage g = stage_of();

	(void)s;
	count(&g, COUNT_RX_DISCARDS, 100);
	assert_false(look(&g));
	assert_int_equal(g.sampler.checked_ms, 0);
	assert_true(after(&g, 10000));
	assert_string_equal(active_symptom(&g), "none"); /* what was before is no news */
}

static void a_window_is_judged_when_it_is_over_and_not_before(void **s)
{
	struct stage g = stage_of();

	(void)s;
	look(&g);
	for (int i = 0; i < 9; i++) {
		count(&g, COUNT_RX_DISCARDS, 1);
		assert_false(after(&g, 1000));
	}
	assert_string_equal(active_symptom(&g), "none");
	assert_true(after(&g, 1000));
	assert_string_equal(active_symptom(&g), "lossless-drops");
	assert_int_equal(g.sampler.checked_ms, 10000);
}

static void windows_follow_each_other_without_a_gap(void **s)
{
	struct stage g = stage_of();

	(void)s;
	look(&g);
	assert_true(after(&g, 10000));
	count(&g, COUNT_RX_DISCARDS, 1);
	assert_true(after(&g, 10000));
	assert_string_equal(active_symptom(&g), "lossless-drops");
	assert_false(after(&g, 9999)); /* what was said stays said until the next window */
	assert_string_equal(active_symptom(&g), "lossless-drops");
	assert_true(after(&g, 1));
	assert_int_equal(g.windows, 3);
}

static void the_policy_says_how_long_a_window_is(void **s)
{
	struct stage g = stage_of();

	(void)s;
	g.thresholds.value[THRESHOLD_WINDOW_S] = 1;
	look(&g);
	assert_true(after(&g, 1000));
	assert_true(after(&g, 1500));
	assert_false(after(&g, 999));
}

static void a_disturbed_window_is_not_judged_and_the_next_one_is(void **s)
{
	struct stage g = stage_of();

	(void)s;
	look(&g);
	count(&g, COUNT_RX_DISCARDS, 9);
	sampler_mark_inconclusive(&g.sampler);
	assert_true(after(&g, 10000));
	assert_string_equal(active_symptom(&g), "none");
	count(&g, COUNT_RX_DISCARDS, 9);
	assert_true(after(&g, 10000));
	assert_string_equal(active_symptom(&g), "lossless-drops");
}

static void even_a_disturbed_window_tells_of_the_watchdog(void **s)
{
	struct stage g = stage_of();

	(void)s;
	look(&g);
	count(&g, COUNT_STORM_ERRORS, 1);
	sampler_mark_inconclusive(&g.sampler);
	after(&g, 10000);
	assert_string_equal(active_symptom(&g), "storm-watchdog-tripped");
}

static void a_link_that_went_down_explains_what_was_lost(void **s)
{
	struct stage g = stage_of();

	(void)s;
	look(&g);
	count(&g, COUNT_RX_DISCARDS, 9);
	g.now.value[counter_slot(COUNT_LINK_DOWNS, 0)]++;
	after(&g, 10000);
	assert_string_equal(active_symptom(&g), "none");
}

static void counters_that_begin_anew_tell_nothing(void **s)
{
	struct stage g = stage_of();

	(void)s;
	count(&g, COUNT_RX_BYTES, 1000);
	look(&g);
	count(&g, COUNT_RX_DISCARDS, 9);
	count(&g, COUNT_ECN_MARKED, 9000); /* of the RDMA device, which goes on */
	g.now.value[counter_slot(COUNT_RX_BYTES, 3)] = 0;
	after(&g, 10000);
	assert_string_equal(active_symptom(&g), "none");
}

static void flap(struct stage *g, unsigned times)
{
	g->now.value[counter_slot(COUNT_LINK_DOWNS, 0)] += times;
}

static void link_downs_add_up_over_windows(void **s)
{
	struct stage g = stage_of();

	(void)s;
	look(&g);
	for (int i = 0; i < 3; i++) {
		assert_string_equal(active_symptom(&g), "none");
		flap(&g, 1);
		after(&g, 10000);
		after(&g, 190000);
	}
	assert_string_equal(active_symptom(&g), "link-flapping");
}

/* Wherever they lie: two before ten minutes are over and one behind that are three in ten minutes.
 */
static void the_time_of_link_downs_slides(void **s)
{
	(void)s;
	for (uint64_t wait = 10000; wait < 1200000; wait += 70000) {
		struct stage g = stage_of();

		look(&g);
		after(&g, wait);
		flap(&g, 2);
		after(&g, 10000);
		after(&g, 400000);
		flap(&g, 1);
		after(&g, 10000);
		assert_string_equal(active_symptom(&g), "link-flapping");
	}
}

static void link_downs_are_forgotten_in_time(void **s)
{
	struct stage g = stage_of();

	(void)s;
	look(&g);
	flap(&g, 2);
	after(&g, 10000);
	for (int i = 0; i < 65; i++)
		after(&g, 10000);
	flap(&g, 1);
	after(&g, 10000);
	assert_string_equal(active_symptom(&g), "none");
	flap(&g, 2);
	after(&g, 10000);
	assert_string_equal(active_symptom(&g), "link-flapping");
	for (int i = 0; i < 65; i++)
		after(&g, 10000);
	assert_string_equal(active_symptom(&g), "none");
}

static void a_link_that_flaps_all_day_is_told_all_day(void **s)
{
	struct stage g = stage_of();

	(void)s;
	look(&g);
	for (int i = 0; i < 8640; i++) {
		flap(&g, i % 10 == 0);
		after(&g, 10000);
		assert_string_equal(active_symptom(&g), i >= 20 ? "link-flapping" : "none");
	}
	assert_non_null(strstr(g.sampler.active_symptoms[0].text, "6 times")); /* in ten minutes */
}

/* Another driver: its own counters say nothing of the link, and the kernel's do. */
static void a_driver_that_counts_no_link_downs_is_judged_by_its_carrier(void **s)
{
	struct stage g = stage_of();

	(void)s;
	g.now.has[counter_slot(COUNT_LINK_DOWNS, 0)] = false;
	look(&g);
	for (int i = 0; i < 3; i++) {
		assert_string_equal(active_symptom(&g), "none");
		g.now.value[counter_slot(COUNT_CARRIER_DOWNS, 0)]++;
		after(&g, 10000);
		g.now.value[counter_slot(COUNT_CARRIER_UPS, 0)]++;
		after(&g, 10000);
	}
	assert_string_equal(active_symptom(&g), "link-flapping");
	assert_non_null(strstr(g.sampler.active_symptoms[0].text, "3 times"));
}

/* mlx5 takes the carrier away while it opens its queues anew, and counts no link down. */
static void a_carrier_that_moves_without_a_link_down_explains_losses_and_is_no_flap(void **s)
{
	struct stage g = stage_of();

	(void)s;
	look(&g);
	for (int i = 0; i < 5; i++) {
		g.now.value[counter_slot(COUNT_CARRIER_DOWNS, 0)]++;
		g.now.value[counter_slot(COUNT_CARRIER_UPS, 0)]++;
		count(&g, COUNT_RX_DISCARDS, 9);
		after(&g, 10000);
		assert_string_equal(active_symptom(&g), "none");
	}
}

static void what_we_did_ourselves_is_no_flapping(void **s)
{
	struct stage g = stage_of();

	(void)s;
	look(&g);
	for (int i = 0; i < 10; i++) {
		flap(&g, 1);
		sampler_mark_inconclusive(&g.sampler);
		after(&g, 10000);
		assert_string_equal(active_symptom(&g), "none");
	}
}

static void an_idle_hour_is_silent(void **s)
{
	struct stage g = stage_of();

	(void)s;
	look(&g);
	for (int i = 0; i < 3600; i++) {
		g.now.value[counter_slot(COUNT_RX_BYTES, 0)] += 120;
		after(&g, 1000);
	}
	assert_int_equal(g.windows, 360);
	assert_int_equal(g.active_symptoms, 0);
}

/* Some per cent of a number, differently every time. */
static uint64_t about(uint64_t n, uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return n * (70 + (*seed >> 33) % 60) / 100;
}

/* One second at about 80 Gb/s each way, with incasts, CNPs, a slow application and a stray ping. */
static void work_a_second(struct stage *g, int second, uint64_t *seed)
{
	uint64_t packets = about(2400000, seed), bytes = packets * 4200, cnps = about(300, seed);
	bool incast = second % 7 == 0;

	count(g, COUNT_TX_RDMA_PACKETS, packets);
	count(g, COUNT_TX_RDMA_BYTES, bytes + cnps * 78);
	count(g, COUNT_TX_BYTES, bytes + packets * 4);
	count(g, COUNT_RX_RDMA_PACKETS, packets);
	count(g, COUNT_RX_RDMA_BYTES, bytes);
	count(g, COUNT_RX_BYTES, bytes + packets * 4);
	count(g, COUNT_CNP_SENT, cnps);
	count(g, COUNT_ECN_MARKED, cnps * 20);
	count(g, COUNT_CNP_HANDLED, cnps);
	count(g, COUNT_CNP_IGNORED, second % 300 == 0);
	count(g, COUNT_RX_PAUSE, incast ? about(9000, seed) : 0);
	count(g, COUNT_RX_PAUSE_US, incast ? about(400000, seed) : about(10000, seed));
	count(g, COUNT_RX_PAUSE_TRANSITIONS, incast ? 500 : 2);
	count(g, COUNT_TX_PAUSE, second % 50 ? 0 : about(2000, seed));
	count(g, COUNT_TX_PAUSE_US, second % 50 ? 0 : about(30000, seed));
	count(g, COUNT_OUT_OF_SEQUENCE, second % 20 == 0);
	count(g, COUNT_OUT_OF_BUFFER, 40);
	g->now.value[counter_slot(COUNT_TX_BYTES, 0)] += 98;
	g->now.value[counter_slot(COUNT_RX_DISCARDS, 0)] += second % 60 == 0;
	g->now.value[counter_slot(COUNT_PCI_STALLED_WRITE, 0)] = (uint64_t)second % 9;
}

static void a_busy_hour_is_silent(void **s)
{
	struct stage g = stage_of();
	uint64_t seed = 4;

	(void)s;
	g.now.value[counter_slot(COUNT_OUT_OF_SEQUENCE, 0)] = ((uint64_t)1 << 32) - 50;
	look(&g);
	for (int i = 0; i < 3600; i++) {
		uint64_t *narrow = &g.now.value[counter_slot(COUNT_OUT_OF_SEQUENCE, 3)];

		work_a_second(&g, i, &seed);
		*narrow = (uint32_t)*narrow; /* it wraps on the way */
		if (after(&g, 990 + about(10, &seed)) && g.sampler.active_symptoms_count)
			fail_msg("after %d s: %s: %s", i, active_symptom(&g),
				 g.sampler.active_symptoms[0].text);
	}
	assert_in_range(g.windows, 320, 361);
	assert_true(g.now.value[counter_slot(COUNT_OUT_OF_SEQUENCE, 0)] < 1000);
}

/* Meters that answer as the test says. */
static bool adds_one(struct host *h, const struct port *port, struct scratch *s, struct sample *ret,
		     struct err *err)
{
	(void)h, (void)port, (void)s, (void)err;
	ret->has[counter_slot(COUNT_CNP_SENT, 0)] = true;
	ret->value[counter_slot(COUNT_CNP_SENT, 0)] = 7;
	return true;
}

static bool has_none(struct host *h, const struct port *port, struct scratch *s, struct sample *ret,
		     struct err *err)
{
	(void)h, (void)port, (void)s, (void)ret;
	return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "counts nothing");
}

static bool is_gone(struct host *h, const struct port *port, struct scratch *s, struct sample *ret,
		    struct err *err)
{
	(void)h, (void)port, (void)s, (void)ret;
	return err_set(err, ERR_GONE, ENODEV, "no such device");
}

static const struct counter_reader one = { "one", adds_one }, none = { "none", has_none },
				   gone = { "gone", is_gone };

static const struct take_row {
	const char *sentence;
	const struct counter_reader *list[2];
	enum err_kind fails;
} takes[] = {
	{ "both meters", { &one, &one }, ERR_NONE },
	{ "a meter that the port has not is left out", { &none, &one }, ERR_NONE },
	{ "be it the last", { &one, &none }, ERR_NONE },
	{ "where no meter is there nothing was taken", { &none, &none }, ERR_UNSUPPORTED },
	{ "a port that is gone is gone", { &one, &gone }, ERR_GONE },
	{ "whatever was said before", { &none, &gone }, ERR_GONE },
};

static uint64_t at_42(struct host *h)
{
	(void)h;
	return 42;
}

static void is_taken(void **s)
{
	const struct take_row *row = *s;
	struct counter_readers all = { row->list, COUNT(row->list) };
	struct host h = { .now_ms = at_42 };
	struct port port = { .id.name = "ens1" };
	struct sample got = { 0 };
	struct err err = { 0 };

	memset(&got, 0xff, sizeof(got));
	assert_int_equal(sample_read(&h, all, &port, NULL, &got, &err), row->fails == ERR_NONE);
	assert_int_equal(err.kind, row->fails);
	assert_int_equal(got.at_ms, 42);
	assert_false(got.has[0]); /* nothing is left of an earlier one */
	if (row->fails)
		assert_non_null(strstr(err.where, "ens1"));
	else
		assert_int_equal(got.value[counter_slot(COUNT_CNP_SENT, 0)], 7);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, the_first_sample_judges_nothing);
	SUITE_ADD(&s, a_window_is_judged_when_it_is_over_and_not_before);
	SUITE_ADD(&s, windows_follow_each_other_without_a_gap);
	SUITE_ADD(&s, the_policy_says_how_long_a_window_is);
	SUITE_ADD(&s, a_disturbed_window_is_not_judged_and_the_next_one_is);
	SUITE_ADD(&s, even_a_disturbed_window_tells_of_the_watchdog);
	SUITE_ADD(&s, a_link_that_went_down_explains_what_was_lost);
	SUITE_ADD(&s, counters_that_begin_anew_tell_nothing);
	SUITE_ADD(&s, link_downs_add_up_over_windows);
	SUITE_ADD(&s, the_time_of_link_downs_slides);
	SUITE_ADD(&s, link_downs_are_forgotten_in_time);
	SUITE_ADD(&s, a_link_that_flaps_all_day_is_told_all_day);
	SUITE_ADD(&s, a_driver_that_counts_no_link_downs_is_judged_by_its_carrier);
	SUITE_ADD(&s, a_carrier_that_moves_without_a_link_down_explains_losses_and_is_no_flap);
	SUITE_ADD(&s, what_we_did_ourselves_is_no_flapping);
	SUITE_ADD(&s, an_idle_hour_is_silent);
	SUITE_ADD(&s, a_busy_hour_is_silent);
	SUITE_ADD_ROWS(&s, takes, is_taken);
	return suite_run(&s, "watch");
}
