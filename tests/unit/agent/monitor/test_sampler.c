/* Tests of the sampler's windows, with time and counters of the test's own. */
#include <errno.h>
#include <string.h>

#include "agent/monitor/sampler.h"
#include "tests/support/stage.h"
#include "tests/support/unit.h"

static void the_first_sample_judges_nothing(void **s)
{
	struct stage g = stage();

	(void)s;
	stage_count(&g, COUNT_RX_DISCARDS, 100);
	assert_false(stage_look(&g));
	assert_int_equal(g.sampler.checked_ms, 0);
	assert_true(stage_after(&g, 10000));
	assert_string_equal(active_symptom(&g),
			    "none"); /* losses before the first sample do not count */
}

static void a_window_is_judged_when_it_is_over_and_not_before(void **s)
{
	struct stage g = stage();

	(void)s;
	stage_look(&g);
	for (int i = 0; i < 9; i++) {
		stage_count(&g, COUNT_RX_DISCARDS, 1);
		assert_false(stage_after(&g, 1000));
	}
	assert_string_equal(active_symptom(&g), "none");
	assert_true(stage_after(&g, 1000));
	assert_string_equal(active_symptom(&g), "lossless-drops");
	assert_int_equal(g.sampler.checked_ms, 10000);
}

static void windows_follow_each_other_without_a_gap(void **s)
{
	struct stage g = stage();

	(void)s;
	stage_look(&g);
	assert_true(stage_after(&g, 10000));
	stage_count(&g, COUNT_RX_DISCARDS, 1);
	assert_true(stage_after(&g, 10000));
	assert_string_equal(active_symptom(&g), "lossless-drops");
	assert_false(stage_after(&g, 9999)); /* a symptom stays until the next window */
	assert_string_equal(active_symptom(&g), "lossless-drops");
	assert_true(stage_after(&g, 1));
	assert_int_equal(g.windows, 3);
}

static void the_policy_says_how_long_a_window_is(void **s)
{
	struct stage g = stage();

	(void)s;
	g.thresholds.value[THRESHOLD_WINDOW_S] = 1;
	stage_look(&g);
	assert_true(stage_after(&g, 1000));
	assert_true(stage_after(&g, 1500));
	assert_false(stage_after(&g, 999));
}

static void a_disturbed_window_is_not_judged_and_the_next_one_is(void **s)
{
	struct stage g = stage();

	(void)s;
	stage_look(&g);
	stage_count(&g, COUNT_RX_DISCARDS, 9);
	sampler_mark_inconclusive(&g.sampler);
	assert_true(stage_after(&g, 10000));
	assert_string_equal(active_symptom(&g), "none");
	stage_count(&g, COUNT_RX_DISCARDS, 9);
	assert_true(stage_after(&g, 10000));
	assert_string_equal(active_symptom(&g), "lossless-drops");
}

/* Neither does the window after, which begins with them. */
static void counters_that_are_not_read_neither_raise_nor_clear_a_symptom(void **s)
{
	struct stage g = stage();
	struct sample whole;

	(void)s;
	stage_look(&g);
	stage_count(&g, COUNT_RX_DISCARDS, 9);
	assert_true(stage_after(&g, 10000));
	whole = g.now;
	memset(g.now.has, 0, sizeof(g.now.has));
	snprintf(g.now.unread, sizeof(g.now.unread), "ethtool: no answer");
	for (int i = 0; i < 9; i++)
		assert_true(stage_after(&g, 10000));
	whole.at_ms = g.now.at_ms;
	g.now = whole;
	assert_true(stage_after(&g, 10000));
	assert_string_equal(active_symptom(&g), "lossless-drops");
	for (int i = 0; i < 5; i++)
		assert_true(stage_after(&g, 10000));
	assert_string_equal(active_symptom(&g), "lossless-drops");
	assert_true(stage_after(&g, 10000));
	assert_string_equal(active_symptom(&g), "none");
}

static void even_a_disturbed_window_reports_the_watchdog(void **s)
{
	struct stage g = stage();

	(void)s;
	stage_look(&g);
	stage_count(&g, COUNT_STORM_ERRORS, 1);
	sampler_mark_inconclusive(&g.sampler);
	stage_after(&g, 10000);
	assert_string_equal(active_symptom(&g), "storm-watchdog-tripped");
}

static void counters_that_begin_anew_prove_nothing(void **s)
{
	struct stage g = stage();

	(void)s;
	stage_count(&g, COUNT_RX_BYTES, 1000);
	stage_look(&g);
	stage_count(&g, COUNT_RX_DISCARDS, 9);
	stage_count(&g, COUNT_ECN_MARKED, 9000); /* the RDMA device's counters go on */
	g.now.value[counter_slot(COUNT_RX_BYTES, 3)] = 0;
	stage_after(&g, 10000);
	assert_string_equal(active_symptom(&g), "none");
}

static void an_idle_hour_is_silent(void **s)
{
	struct stage g = stage();

	(void)s;
	stage_look(&g);
	for (int i = 0; i < 3600; i++) {
		g.now.value[counter_slot(COUNT_RX_BYTES, 0)] += 120;
		stage_after(&g, 1000);
	}
	assert_int_equal(g.windows, 360);
	assert_int_equal(g.active_symptoms, 0);
}

/* Return 70 to 129 % of a number, differently every time. */
static uint64_t about(uint64_t n, uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return n * (70 + (*seed >> 33) % 60) / 100;
}

/* Count a second at about 80 Gb/s each way, with incasts, CNPs, a slow application and a ping. */
static void work_a_second(struct stage *g, int second, uint64_t *seed)
{
	uint64_t packets = about(2400000, seed), bytes = packets * 4200, cnps = about(300, seed);
	bool incast = second % 7 == 0;

	stage_count(g, COUNT_TX_RDMA_PACKETS, packets);
	stage_count(g, COUNT_TX_RDMA_BYTES, bytes + cnps * 78);
	stage_count(g, COUNT_TX_BYTES, bytes + packets * 4);
	stage_count(g, COUNT_RX_RDMA_PACKETS, packets);
	stage_count(g, COUNT_RX_RDMA_BYTES, bytes);
	stage_count(g, COUNT_RX_BYTES, bytes + packets * 4);
	stage_count(g, COUNT_CNP_SENT, cnps);
	stage_count(g, COUNT_ECN_MARKED, cnps * 20);
	stage_count(g, COUNT_CNP_HANDLED, cnps);
	stage_count(g, COUNT_CNP_IGNORED, second % 300 == 0);
	stage_count(g, COUNT_RX_PAUSE, incast ? about(9000, seed) : 0);
	stage_count(g, COUNT_RX_PAUSE_US, incast ? about(400000, seed) : about(10000, seed));
	stage_count(g, COUNT_RX_PAUSE_TRANSITIONS, incast ? 500 : 2);
	stage_count(g, COUNT_TX_PAUSE, second % 50 ? 0 : about(2000, seed));
	stage_count(g, COUNT_TX_PAUSE_US, second % 50 ? 0 : about(30000, seed));
	stage_count(g, COUNT_OUT_OF_SEQUENCE, second % 20 == 0);
	stage_count(g, COUNT_OUT_OF_BUFFER, 40);
	g->now.value[counter_slot(COUNT_TX_BYTES, 0)] += 98;
	g->now.value[counter_slot(COUNT_RX_DISCARDS, 0)] += second % 60 == 0;
	g->now.value[counter_slot(COUNT_PCI_STALLED_WRITE, 0)] = (uint64_t)second % 9;
}

static void a_busy_hour_is_silent(void **s)
{
	struct stage g = stage();
	uint64_t seed = 4;

	(void)s;
	g.now.value[counter_slot(COUNT_OUT_OF_SEQUENCE, 0)] = ((uint64_t)1 << 32) - 50;
	stage_look(&g);
	for (int i = 0; i < 3600; i++) {
		uint64_t *narrow = &g.now.value[counter_slot(COUNT_OUT_OF_SEQUENCE, 3)];

		work_a_second(&g, i, &seed);
		*narrow = (uint32_t)*narrow; /* the counter wraps at 32 bits */
		if (stage_after(&g, 990 + about(10, &seed)) && g.sampler.active_symptoms_count)
			fail_msg("after %d s: %s: %s", i, active_symptom(&g),
				 g.sampler.active_symptoms[0].text);
	}
	assert_in_range(g.windows, 320, 361);
	assert_true(g.now.value[counter_slot(COUNT_OUT_OF_SEQUENCE, 0)] < 1000);
}

/* Counter readers that answer as the test defines. */
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

static bool is_elsewhere(struct host *h, const struct port *port, struct scratch *s,
			 struct sample *ret, struct err *err)
{
	(void)h, (void)port, (void)s, (void)ret;
	return err_set(err, ERR_ELSEWHERE, ENODEV, "counted by another member");
}

static bool fails(struct host *h, const struct port *port, struct scratch *s, struct sample *ret,
		  struct err *err)
{
	(void)h, (void)port, (void)s, (void)ret;
	return err_set(err, ERR_UNKNOWN, EAGAIN, "the list keeps changing");
}

static bool is_gone(struct host *h, const struct port *port, struct scratch *s, struct sample *ret,
		    struct err *err)
{
	(void)h, (void)port, (void)s, (void)ret;
	return err_set(err, ERR_GONE, ENODEV, "no such device");
}

static const struct counter_reader one = { .name = "one", .read = adds_one },
				   none = { .name = "none", .read = has_none },
				   mates = { .name = "mates", .read = is_elsewhere },
				   broken = { .name = "broken", .read = fails },
				   extra = { .name = "extra", .read = fails, .is_extra = true },
				   gone = { .name = "gone", .read = is_gone },
				   by_rdma = { .name = "by-rdma",
					       .read = adds_one,
					       .needs_no_interface = true };

static const struct take_row {
	const char *sentence;
	const struct counter_reader *list[2];
	enum err_kind fails;
	const char *unread;
} takes[] = {
	{ "both readers add", { &one, &one }, ERR_NONE, NULL },
	{ "counters that the port lacks are left out", { &none, &one }, ERR_NONE, NULL },
	{ "also those of the last reader", { &one, &none }, ERR_NONE, NULL },
	{ "counters that cannot be read are reported",
	  { &broken, &one },
	  ERR_NONE,
	  "broken: the list keeps changing" },
	{ "those of another member of the bond are not missed", { &mates, &one }, ERR_NONE, NULL },
	{ "but for those of which few symptoms make use", { &extra, &one }, ERR_NONE, NULL },
	{ "if nothing can be read, too",
	  { &broken, &none },
	  ERR_UNKNOWN,
	  "broken: the list keeps changing" },
	{ "without any counters the sample fails", { &none, &none }, ERR_UNSUPPORTED, NULL },
	{ "a port that is gone is reported as gone", { &one, &gone }, ERR_GONE, NULL },
	{ "whatever another reader reported before", { &none, &gone }, ERR_GONE, NULL },
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
	assert_string_equal(got.unread, row->unread ? row->unread : "");
	assert_false(got.has[0]); /* an earlier sample is cleared */
	if (row->fails)
		assert_non_null(strstr(err.where, "ens1"));
	else
		assert_int_equal(got.value[counter_slot(COUNT_CNP_SENT, 0)], 7);
}

static void without_an_interface_the_rdma_device_alone_is_sampled(void **s)
{
	static const struct counter_reader *const list[] = { &gone, &by_rdma };
	struct host h = { .now_ms = at_42 };
	struct port pods = { .id.name = "mlx5_4", .no_interface = true };
	struct sample got = { 0 };
	struct err err = { 0 };

	(void)s;
	assert_true(sample_read(&h, (struct counter_readers){ list, 2 }, &pods, NULL, &got, &err));
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
	SUITE_ADD(&s, counters_that_are_not_read_neither_raise_nor_clear_a_symptom);
	SUITE_ADD(&s, even_a_disturbed_window_reports_the_watchdog);
	SUITE_ADD(&s, counters_that_begin_anew_prove_nothing);
	SUITE_ADD(&s, an_idle_hour_is_silent);
	SUITE_ADD(&s, a_busy_hour_is_silent);
	SUITE_ADD_ROWS(&s, takes, is_taken);
	SUITE_ADD(&s, without_an_interface_the_rdma_device_alone_is_sampled);
	return suite_run(&s, "sampler");
}
