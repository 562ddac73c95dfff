/* Tests of the sampler's windows when the link goes down. */
#include <string.h>

#include "agent/monitor/sampler.h"
#include "tests/support/stage.h"
#include "tests/support/unit.h"

static void a_link_that_went_down_explains_what_was_lost(void **s)
{
	struct stage g = stage();

	(void)s;
	stage_look(&g);
	stage_count(&g, COUNT_RX_DISCARDS, 9);
	g.now.value[counter_slot(COUNT_LINK_DOWNS, 0)]++;
	stage_after(&g, 10000);
	assert_string_equal(active_symptom(&g), "none");
}

static void flap(struct stage *g, unsigned times)
{
	g->now.value[counter_slot(COUNT_LINK_DOWNS, 0)] += times;
}

static void link_downs_add_up_over_windows(void **s)
{
	struct stage g = stage();

	(void)s;
	stage_look(&g);
	for (int i = 0; i < 3; i++) {
		assert_string_equal(active_symptom(&g), "none");
		flap(&g, 1);
		stage_after(&g, 10000);
		stage_after(&g, 190000);
	}
	assert_string_equal(active_symptom(&g), "link-flapping");
}

/* Three link downs within ten minutes count wherever the ten minutes begin. */
static void the_time_of_link_downs_slides(void **s)
{
	(void)s;
	for (uint64_t wait = 10000; wait < 1200000; wait += 70000) {
		struct stage g = stage();

		stage_look(&g);
		stage_after(&g, wait);
		flap(&g, 2);
		stage_after(&g, 10000);
		stage_after(&g, 400000);
		flap(&g, 1);
		stage_after(&g, 10000);
		assert_string_equal(active_symptom(&g), "link-flapping");
	}
}

static void link_downs_are_forgotten_in_time(void **s)
{
	struct stage g = stage();

	(void)s;
	stage_look(&g);
	flap(&g, 2);
	stage_after(&g, 10000);
	for (int i = 0; i < 65; i++)
		stage_after(&g, 10000);
	flap(&g, 1);
	stage_after(&g, 10000);
	assert_string_equal(active_symptom(&g), "none");
	flap(&g, 2);
	stage_after(&g, 10000);
	assert_string_equal(active_symptom(&g), "link-flapping");
	for (int i = 0; i < 65; i++)
		stage_after(&g, 10000);
	assert_string_equal(active_symptom(&g), "none");
}

static void a_link_that_flaps_all_day_is_reported_all_day(void **s)
{
	struct stage g = stage();

	(void)s;
	stage_look(&g);
	for (int i = 0; i < 8640; i++) {
		flap(&g, i % 10 == 0);
		stage_after(&g, 10000);
		assert_string_equal(active_symptom(&g), i >= 20 ? "link-flapping" : "none");
	}
	assert_non_null(strstr(g.sampler.active_symptoms[0].text, "6 times")); /* in ten minutes */
}

/* Another driver: it counts no link downs, but the kernel counts changes of the carrier. */
static void a_driver_that_counts_no_link_downs_is_judged_by_its_carrier(void **s)
{
	struct stage g = stage();

	(void)s;
	g.now.has[counter_slot(COUNT_LINK_DOWNS, 0)] = false;
	stage_look(&g);
	for (int i = 0; i < 3; i++) {
		assert_string_equal(active_symptom(&g), "none");
		g.now.value[counter_slot(COUNT_CARRIER_DOWNS, 0)]++;
		stage_after(&g, 10000);
		g.now.value[counter_slot(COUNT_CARRIER_UPS, 0)]++;
		stage_after(&g, 10000);
	}
	assert_string_equal(active_symptom(&g), "link-flapping");
	assert_non_null(strstr(g.sampler.active_symptoms[0].text, "3 times"));
}

/* mlx5 drops the carrier while it reopens its queues, and counts no link down. */
static void a_carrier_that_moves_without_a_link_down_explains_losses_and_is_no_flap(void **s)
{
	struct stage g = stage();

	(void)s;
	stage_look(&g);
	for (int i = 0; i < 5; i++) {
		g.now.value[counter_slot(COUNT_CARRIER_DOWNS, 0)]++;
		g.now.value[counter_slot(COUNT_CARRIER_UPS, 0)]++;
		stage_count(&g, COUNT_RX_DISCARDS, 9);
		stage_after(&g, 10000);
		assert_string_equal(active_symptom(&g), "none");
	}
}

static void what_we_did_ourselves_is_no_flapping(void **s)
{
	struct stage g = stage();

	(void)s;
	stage_look(&g);
	for (int i = 0; i < 10; i++) {
		flap(&g, 1);
		sampler_mark_inconclusive(&g.sampler);
		stage_after(&g, 10000);
		assert_string_equal(active_symptom(&g), "none");
	}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_link_that_went_down_explains_what_was_lost);
	SUITE_ADD(&s, link_downs_add_up_over_windows);
	SUITE_ADD(&s, the_time_of_link_downs_slides);
	SUITE_ADD(&s, link_downs_are_forgotten_in_time);
	SUITE_ADD(&s, a_link_that_flaps_all_day_is_reported_all_day);
	SUITE_ADD(&s, a_driver_that_counts_no_link_downs_is_judged_by_its_carrier);
	SUITE_ADD(&s, a_carrier_that_moves_without_a_link_down_explains_losses_and_is_no_flap);
	SUITE_ADD(&s, what_we_did_ourselves_is_no_flapping);
	return suite_run(&s, "sampler_links");
}
