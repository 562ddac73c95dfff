/* Tests of the verdict of a probe, from the counts of both ends. */
#include <stdio.h>
#include <string.h>

#include "agent/engine/probe/probe_verdict.h"
#include "policy/model/marking.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

#define MIB	(UINT64_C(1) << 20)
#define CLASS26 106 /* DSCP 26, ECT(0) */

/* DSCP / 8 chooses the priority, and priority 3 is lossless: DSCP 26 is in it. */
static struct config right(void)
{
	struct config c = { .has = SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO) |
				   SETTING(SETTING_PFC_PRIORITIES),
			    .trust = TRUST_DSCP,
			    .pfc.priorities = 1 << 3 };

	for (unsigned dscp = 0; dscp < DSCPS; dscp++)
		c.dscp.prio[dscp] = (int8_t)(dscp / 8);
	return c;
}

static struct config sender, receiver;

/* A run of 10 MiB in class, with one packet of other traffic. */
static struct probe_direction run_in_class(void)
{
	struct probe_direction d = { .sender = { .actual = &sender, .counts = true },
				     .receiver = { .actual = &receiver, .counts = true },
				     .traffic_class = CLASS26,
				     .pcp = PCP_NONE,
				     .min_share = 0.99 };

	sender = receiver = right();
	d.sender.bytes[3] = d.receiver.bytes[3] = 10 * MIB;
	d.sender.bytes[0] = d.receiver.bytes[0] = 300;
	return d;
}

static void a_run_in_class_is_seen_at_both_ends(void **s)
{
	struct probe_direction d = run_in_class();
	struct probe_judgement j = probe_judge(&d);

	(void)s;
	assert_int_equal(j.verdict, PROBE_IN_CLASS);
	assert_false(probe_verdict_is_fault(j.verdict));
	assert_int_equal(j.expected[0], 3);
	assert_int_equal(j.measured[1], 3);
	assert_true(j.share[0] > 0.999 && j.share[1] > 0.999);
	assert_int_equal(j.rewritten_to, 0);
}

static void a_share_below_the_least_is_wrong_at_the_sender(void **s)
{
	struct probe_direction d = run_in_class();
	struct probe_judgement j;

	(void)s;
	d.sender.bytes[0] = d.receiver.bytes[0] = MIB / 10; /* a little more than 0.99 */
	assert_int_equal(probe_judge(&d).verdict, PROBE_IN_CLASS);
	d.sender.bytes[0] = MIB / 9; /* less than 0.99 */
	j = probe_judge(&d);
	assert_int_equal(j.verdict, PROBE_WRONG_AT_SENDER);
	assert_true(probe_verdict_is_fault(j.verdict));
	assert_int_equal(j.measured[0], 3);
}

static void another_priority_at_the_sender_is_named(void **s)
{
	struct probe_direction d = run_in_class();
	struct probe_judgement j;

	(void)s;
	memset(d.sender.bytes, 0, sizeof(d.sender.bytes));
	d.sender.bytes[5] = 10 * MIB;
	j = probe_judge(&d);
	assert_int_equal(j.verdict, PROBE_WRONG_AT_SENDER);
	assert_int_equal(j.expected[0], 3);
	assert_int_equal(j.measured[0], 5);
}

/* The priorities that the two maps give the mark, their PFC, and the verdict about the maps. */
static const struct {
	int sender, receiver;
	uint8_t sender_pfc, receiver_pfc;
	enum probe_verdict verdict;
} maps[] = {
	{ 3, 0, 1 << 3, 1 << 3, PROBE_WRONG_MAP },
	{ 0, 3, 1 << 3, 1 << 3, PROBE_WRONG_MAP_OF_SENDER },
	{ 3, 4, 1 << 3, 1 << 4, PROBE_MAPS_DIFFER },
	{ 0, 1, 1 << 3, 1 << 3, PROBE_MAPS_DIFFER },
	{ 3, 4, 1 << 4, 1 << 3, PROBE_MAPS_DIFFER },
	{ 3, 4, 0, 1 << 4, PROBE_WRONG_MAP_OF_SENDER },
};

static void the_map_without_a_lossless_priority_is_blamed(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(maps); i++) {
		struct probe_direction d = run_in_class();

		memset(d.sender.bytes, 0, sizeof(d.sender.bytes));
		memset(d.receiver.bytes, 0, sizeof(d.receiver.bytes));
		d.sender.bytes[maps[i].sender] = d.receiver.bytes[maps[i].receiver] = 10 * MIB;
		sender.dscp.prio[26] = (int8_t)maps[i].sender;
		sender.pfc.priorities = maps[i].sender_pfc;
		receiver.dscp.prio[26] = (int8_t)maps[i].receiver;
		receiver.pfc.priorities = maps[i].receiver_pfc;
		if (probe_judge(&d).verdict != maps[i].verdict)
			fail_msg("%zu: %s", i, probe_verdict_text(probe_judge(&d).verdict));
		assert_string_equal(probe_verdict_name(probe_judge(&d).verdict), "wrong_map");
	}
}

static void the_way_is_blamed_where_both_maps_are_right(void **s)
{
	struct probe_direction d = run_in_class();
	struct probe_judgement j;

	(void)s;
	d.receiver.bytes[3] = 0;
	d.receiver.bytes[1] = 10 * MIB;
	j = probe_judge(&d);
	assert_int_equal(j.verdict, PROBE_REWRITTEN);
	assert_int_equal(j.measured[1], 1);
	assert_true(j.rewritten_to == UINT64_C(0xff00)); /* DSCP 8 to 15 */
}

static void a_priority_without_pfc_is_not_lossless(void **s)
{
	struct probe_direction d = run_in_class();

	(void)s;
	receiver.pfc.priorities = 0;
	assert_int_equal(probe_judge(&d).verdict, PROBE_NOT_LOSSLESS);
	receiver = right();
	sender.has &= ~SETTING(SETTING_PFC_PRIORITIES); /* the port has no PFC */
	assert_int_equal(probe_judge(&d).verdict, PROBE_NOT_LOSSLESS);
}

static void the_control_must_stay_out_of_lossless_priorities(void **s)
{
	struct probe_direction d = run_in_class();

	(void)s;
	d.traffic_class = 0;
	d.is_control = true;
	d.sender.bytes[0] = d.receiver.bytes[0] = 10 * MIB;
	d.sender.bytes[3] = d.receiver.bytes[3] = 0;
	assert_int_equal(probe_judge(&d).verdict, PROBE_IN_CLASS);
	d.receiver.bytes[3] = 20 * MIB;
	assert_int_equal(probe_judge(&d).verdict, PROBE_CONTROL_LOSSLESS);
	d = run_in_class();
	d.traffic_class = 0;
	d.is_control = true;
	assert_int_equal(probe_judge(&d).verdict, PROBE_CONTROL_LOSSLESS);
}

static void bytes_that_do_not_arrive_are_lost(void **s)
{
	struct probe_direction d = run_in_class();

	(void)s;
	d.receiver.bytes[3] = 5 * MIB;
	assert_int_equal(probe_judge(&d).verdict, PROBE_IN_CLASS);
	d.receiver.bytes[3] = 5 * MIB - 200;
	assert_int_equal(probe_judge(&d).verdict, PROBE_LOST);
}

static void other_traffic_hides_the_verdict(void **s)
{
	struct probe_direction d = run_in_class();

	(void)s;
	d.receiver.background[3] = MIB / 10;
	assert_int_equal(probe_judge(&d).verdict, PROBE_IN_CLASS);
	d.receiver.background[3] = MIB / 9;
	assert_int_equal(probe_judge(&d).verdict, PROBE_MASKED_BY_TRAFFIC);
	assert_false(probe_verdict_is_fault(PROBE_MASKED_BY_TRAFFIC));
	d.receiver.background[3] = 0;
	d.sender.background[7] = MIB / 9;
	assert_int_equal(probe_judge(&d).verdict, PROBE_MASKED_BY_TRAFFIC);
}

static void a_port_that_does_not_count_is_no_fault(void **s)
{
	struct probe_direction d = run_in_class();

	(void)s;
	d.receiver.counts = false;
	assert_int_equal(probe_judge(&d).verdict, PROBE_NOT_COUNTED);
	d = run_in_class();
	memset(d.sender.bytes, 0, sizeof(d.sender.bytes));
	d.sender.bytes[3] = 8191;
	assert_int_equal(probe_judge(&d).verdict, PROBE_NOT_COUNTED);
	assert_false(probe_verdict_is_fault(PROBE_NOT_COUNTED));
}

/* Without a tag a packet has priority 0 there. */
static void a_port_that_trusts_the_pcp_goes_by_the_tag(void **s)
{
	struct probe_direction d = run_in_class();

	(void)s;
	receiver.trust = TRUST_PCP;
	assert_int_equal(probe_judge(&d).verdict, PROBE_WRONG_MAP);
	assert_int_equal(probe_judge(&d).expected[1], 0);
	d.pcp = 3;
	assert_int_equal(probe_judge(&d).verdict, PROBE_IN_CLASS);
	d.pcp = PCP_UNKNOWN;
	assert_int_equal(probe_judge(&d).verdict, PROBE_NO_CLASS);
	assert_int_equal(probe_judge(&d).expected[1], -1);
}

/* The other end takes the class of the one that begins. */
static void the_pcp_of_a_run_is_that_of_its_path(void **s)
{
	struct probe_port from = { .vlan = "v7",
				   .actual.vlan.egress = { { .name = "v6" },
							   { .name = "v7", .pcp = { [2] = 5 } } } };
	struct perftest run = { .path = PROBE_VERBS, .traffic_class = CLASS26, .service_level = 3 };

	(void)s;
	assert_int_equal(probe_pcp(&from, &run), 3);
	run.path = PROBE_RDMA_CM;
	assert_int_equal(probe_pcp(&from, &run), 5);
	from.mqprio = (struct mqprio){ true, { [2] = 4 } };
	assert_int_equal(probe_pcp(&from, &run), 4);
	snprintf(from.vlan, sizeof(from.vlan), "bond0.7");
	assert_int_equal(probe_pcp(&from, &run), PCP_UNKNOWN);
	run.path = PROBE_GPU;
	assert_int_equal(probe_pcp(&from, &run), 3);
	from.vlan[0] = '\0';
	assert_int_equal(probe_pcp(&from, &run), PCP_NONE);
}

/* Count over a quiet second and a run of two seconds. */
static void count_all(struct probe_counts counts[PROBE_TIMES])
{
	static const uint64_t times[] = { 1000, 2000, 5000, 7000 };

	memset(counts, 0, sizeof(*counts) * PROBE_TIMES);
	for (int i = 0; i < PROBE_TIMES; i++) {
		counts[i].at_ms = times[i];
		counts[i].known = true;
	}
	counts[AFTER_QUIET].sent[3] = 7;
	counts[BEFORE_RUN].sent[3] = 20;
	counts[AFTER_RUN].sent[3] = 1020;
	counts[AFTER_RUN].received[3] = 33;
}

static void an_end_is_what_was_counted_on_its_side(void **s)
{
	struct probe_counts counts[PROBE_TIMES];
	struct probe_end e;

	(void)s;
	count_all(counts);
	e = probe_end_from(&sender, true, counts);
	assert_true(e.counts && e.bytes[3] == 1000 && e.background[3] == 14);
	e = probe_end_from(&sender, false, counts);
	assert_true(e.counts && e.bytes[3] == 33 && e.background[3] == 0);
	counts[AFTER_RUN].sent[0] = 0, counts[BEFORE_RUN].sent[0] = 1; /* the counter was reset */
	assert_false(probe_end_from(&sender, true, counts).counts);
	count_all(counts);
	counts[AFTER_QUIET].known = false;
	assert_false(probe_end_from(&sender, true, counts).counts);
}

/* The peer's counts cannot be trusted. */
static void an_end_that_invents_its_counts_does_not_count(void **s)
{
	struct probe_counts counts[PROBE_TIMES];

	(void)s;
	count_all(counts);
	counts[AFTER_RUN].sent[0] = counts[BEFORE_RUN].sent[0] + (UINT64_C(1) << 61);
	assert_false(probe_end_from(&sender, true, counts).counts);
	count_all(counts);
	counts[AFTER_RUN].at_ms = counts[BEFORE_RUN].at_ms - 1;
	assert_false(probe_end_from(&sender, true, counts).counts);
}

static void counts_come_from_the_sample_of_a_port(void **s)
{
	struct sample sample = { .at_ms = 5 };
	struct probe_counts c;

	(void)s;
	for (unsigned prio = 0; prio < PRIOS; prio++)
		sample.has[counter_slot(COUNT_TX_BYTES, prio)] =
			sample.has[counter_slot(COUNT_RX_BYTES, prio)] = true;
	sample.value[counter_slot(COUNT_TX_BYTES, 3)] = 1000;
	sample.value[counter_slot(COUNT_RX_BYTES, 7)] = 7;
	c = probe_counts_from(&sample);
	assert_true(c.known && c.at_ms == 5 && c.sent[3] == 1000 && c.received[7] == 7);
	sample.has[counter_slot(COUNT_RX_BYTES, 0)] = false;
	assert_false(probe_counts_from(&sample).known);
}

/* The three about maps share their name. */
static void every_verdict_has_a_text_of_its_own(void **s)
{
	(void)s;
	for (int a = 0; a < PROBE_VERDICTS; a++) {
		assert_true(probe_verdict_text(a)[0]);
		for (int b = 0; b < a; b++)
			assert_string_not_equal(probe_verdict_text(a), probe_verdict_text(b));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_in_class_is_seen_at_both_ends),
		cmocka_unit_test(a_share_below_the_least_is_wrong_at_the_sender),
		cmocka_unit_test(another_priority_at_the_sender_is_named),
		cmocka_unit_test(the_map_without_a_lossless_priority_is_blamed),
		cmocka_unit_test(the_way_is_blamed_where_both_maps_are_right),
		cmocka_unit_test(a_priority_without_pfc_is_not_lossless),
		cmocka_unit_test(the_control_must_stay_out_of_lossless_priorities),
		cmocka_unit_test(bytes_that_do_not_arrive_are_lost),
		cmocka_unit_test(other_traffic_hides_the_verdict),
		cmocka_unit_test(a_port_that_does_not_count_is_no_fault),
		cmocka_unit_test(a_port_that_trusts_the_pcp_goes_by_the_tag),
		cmocka_unit_test(the_pcp_of_a_run_is_that_of_its_path),
		cmocka_unit_test(an_end_is_what_was_counted_on_its_side),
		cmocka_unit_test(an_end_that_invents_its_counts_does_not_count),
		cmocka_unit_test(counts_come_from_the_sample_of_a_port),
		cmocka_unit_test(every_verdict_has_a_text_of_its_own),
	};

	return cmocka_run_group_tests_name("probe verdict", tests, NULL, NULL);
}
