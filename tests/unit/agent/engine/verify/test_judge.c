/* Tests of the status of a setting, a finding or a symptom, which verify and the agent share. */
#include "agent/engine/verify/judge.h"
#include "policy/lint/lint.h"
#include "tests/support/unit.h"

#define MTU  SETTING(SETTING_MTU)
#define RX   SETTING(SETTING_PAUSE_RX)
#define TX   SETTING(SETTING_PAUSE_TX)
#define BOTH (MTU | RX)

static const struct feature mtu = { "mtu", .owns = MTU };
static const struct feature pause = { "pause", .owns = RX | TX };
static const struct feature advice = { "advice", .owns = MTU, .is_advice = true };
static const struct feature *const writers[] = { &mtu, &pause };
static const struct feature *const advisers[] = { &advice, &pause };

/* The policy desires an MTU of 9000 and no pause; each row is an actual state of a port. */
static const struct row {
	const char *sentence;
	struct config actual;
	setting_set unsupported, skipped;
	bool is_advice;
	struct judgement expected;
	enum status of_mtu;
} rows[] = {
	{ "equal settings are in sync",
	  { .has = BOTH, .mtu = 9000 },
	  .expected = { .in_sync = BOTH },
	  .of_mtu = STATUS_OK },
	{ "another value is drift",
	  { .has = BOTH, .mtu = 1500 },
	  .expected = { .in_sync = RX, .differing = MTU },
	  .of_mtu = STATUS_DRIFT },
	{ "another value of an advised setting is advice",
	  { .has = BOTH, .mtu = 1500 },
	  .is_advice = true,
	  .expected = { .in_sync = RX, .differing = MTU, .advised = MTU },
	  .of_mtu = STATUS_ADVICE },
	{ "an equal advised setting is in sync",
	  { .has = BOTH, .mtu = 9000 },
	  .is_advice = true,
	  .expected = { .in_sync = BOTH, .advised = MTU },
	  .of_mtu = STATUS_OK },
	{ "an advised setting without a value is unknown",
	  { .has = RX },
	  .is_advice = true,
	  .expected = { .in_sync = RX, .unknown = MTU },
	  .of_mtu = STATUS_UNKNOWN },
	{ "a setting that cannot be read is unknown",
	  { .has = RX },
	  .expected = { .in_sync = RX, .unknown = MTU },
	  .of_mtu = STATUS_UNKNOWN },
	{ "a setting that the port lacks is unsupported",
	  { .has = RX },
	  .unsupported = MTU,
	  .expected = { .in_sync = RX, .unsupported = MTU },
	  .of_mtu = STATUS_UNSUPPORTED },
	{ "an unsupported setting is not compared",
	  { .has = BOTH, .mtu = 1500 },
	  .unsupported = MTU,
	  .expected = { .in_sync = RX, .unsupported = MTU },
	  .of_mtu = STATUS_UNSUPPORTED },
	{ "a setting that the policy does not ask for is not judged",
	  { .has = BOTH | TX, .mtu = 9000, .pause.tx = true },
	  .unsupported = TX,
	  .expected = { .in_sync = BOTH },
	  .of_mtu = STATUS_OK },
	{ "a skipped setting is only skipped",
	  { .has = RX },
	  .skipped = MTU,
	  .expected = { .in_sync = RX, .skipped = MTU },
	  .of_mtu = STATUS_SKIPPED },
	{ "a skipped setting is not drift",
	  { .has = BOTH, .mtu = 1500 },
	  .skipped = MTU,
	  .expected = { .in_sync = RX, .skipped = MTU },
	  .of_mtu = STATUS_SKIPPED },
};

static void it_is_judged_so(void **s)
{
	const struct row *r = *s;
	const struct features all = { r->is_advice ? advisers : writers, COUNT(writers) };
	const struct target t = {
		.task.desired = { .has = BOTH, .mtu = 9000 },
		.seen = { .actual = r->actual, .unsupported = r->unsupported },
		.skipped = r->skipped,
	};
	struct judgement j = judge_settings(all, &t);

	assert_int_equal(j.in_sync, r->expected.in_sync);
	assert_int_equal(j.differing, r->expected.differing);
	assert_int_equal(j.unsupported, r->expected.unsupported);
	assert_int_equal(j.unknown, r->expected.unknown);
	assert_int_equal(j.skipped, r->expected.skipped);
	assert_int_equal(j.advised, r->expected.advised);
	assert_int_equal(judge_status(&j, SETTING_MTU), r->of_mtu);
	assert_int_equal(judge_status(&j, SETTING_PAUSE_RX), STATUS_OK);
}

/* If two back ends own a setting, the one that was read decides whether it is advice. */
static void the_feature_that_was_read_decides_what_is_advice(void **s)
{
	static const struct feature *const two[] = { &advice, &mtu };
	struct target t = {
		.task.desired = { .has = MTU, .mtu = 9000 },
		.seen = { .actual = { .has = MTU, .mtu = 1500 },
			  .active = { &mtu },
			  .active_count = 1 },
	};
	struct judgement j;

	(void)s;
	j = judge_settings((struct features){ two, COUNT(two) }, &t);
	assert_int_equal(judge_status(&j, SETTING_MTU), STATUS_DRIFT);
	t.seen.active[0] = &advice;
	j = judge_settings((struct features){ two, COUNT(two) }, &t);
	assert_int_equal(judge_status(&j, SETTING_MTU), STATUS_ADVICE);
}

/* Return the first lint with this default severity. */
static lint_set one_of(enum severity severity)
{
	size_t i = 0;

	while (lint_at(i) && severity_of_lint(NULL, i) != severity)
		i++;
	assert_non_null(lint_at(i));
	return LINT(i);
}

static void an_error_counts_like_drift_and_outranks_a_warning(void **s)
{
	lint_set error = one_of(SEVERITY_CRITICAL), warning = one_of(SEVERITY_WARNING);

	(void)s;
	assert_int_equal(judge_findings(0, NULL), STATUS_OK);
	assert_int_equal(judge_findings(warning, NULL), STATUS_WARNING);
	assert_int_equal(judge_findings(error, NULL), STATUS_DRIFT);
	assert_int_equal(judge_findings(error | warning, NULL), STATUS_DRIFT);
}

static void a_critical_symptom_outranks_unknown_but_not_drift(void **s)
{
	(void)s;
	assert_int_equal(judge_symptom(SEVERITY_IGNORE), STATUS_OK);
	assert_int_equal(judge_symptom(SEVERITY_INFO), STATUS_ADVICE);
	assert_int_equal(judge_symptom(SEVERITY_WARNING), STATUS_WARNING);
	assert_int_equal(judge_symptom(SEVERITY_CRITICAL), STATUS_SYMPTOM);
	assert_int_equal(worse_status(STATUS_SYMPTOM, STATUS_UNKNOWN), STATUS_SYMPTOM);
	assert_int_equal(worse_status(STATUS_DRIFT, STATUS_SYMPTOM), STATUS_DRIFT);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, it_is_judged_so);
	SUITE_ADD(&s, the_feature_that_was_read_decides_what_is_advice);
	SUITE_ADD(&s, an_error_counts_like_drift_and_outranks_a_warning);
	SUITE_ADD(&s, a_critical_symptom_outranks_unknown_but_not_drift);
	return suite_run(&s, "judge");
}
