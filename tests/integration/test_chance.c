/*
 * Tests with random policies, ports and faults: the report of an apply is always true. Without
 * faults a second apply writes nothing, and an earlier policy leaves no trace. The seed determines
 * the case.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/dcbnl.h>

#include "policy/model/setting.h"
#include "tests/support/draw.h"
#include "tests/support/unit.h"
#include "port_state.h"

static const char *const vlans[] = { "v100", NULL };

static struct config draw_config(uint64_t seed)
{
	struct draw d = { .vlans = vlans };

	assert_true(draw_setup(&d, seed));
	return d.c;
}

/* Starts with a port at its defaults, or with the setup of another policy. */
static void begin(struct fake *f, struct draw *d)
{
	struct config other;

	fake_init(f);
	f->has_rdma_cm = true;
	if (draw_chance(d, 30))
		return;
	other = draw_config(draw_between(d, 0, UINT32_MAX));
	f->hw = f->previous = hardware_of(&other);
}

static void draw_fault(struct draw *d, enum fault *fault, int *code)
{
	static const int codes[] = { EINVAL,  EIO,   EPERM,  ENODEV,	 EBUSY,
				     ENOBUFS, EINTR, ENOMEM, EOPNOTSUPP, ETIMEDOUT };

	*fault = (enum fault)draw_between(d, 0, FAULT_COUNT - 1);
	*code = codes[draw_between(d, 0, COUNT(codes) - 1)];
}

/* Draws an attribute for which the driver has no callback. */
static unsigned draw_attribute(struct draw *d)
{
	static const unsigned attributes[] = { DCB_ATTR_IEEE_PFC, DCB_ATTR_IEEE_ETS,
					       DCB_ATTR_DCB_BUFFER, DCB_ATTR_IEEE_MAXRATE,
					       DCB_ATTR_IEEE_APP_TABLE };

	return attributes[draw_between(d, 0, COUNT(attributes) - 1)];
}

#define CALLS_USUAL 150

static void go_wrong(struct fake *f, struct draw *d)
{
	unsigned at = draw_between(d, 1, CALLS_USUAL);

	draw_fault(d, &f->fault, &f->code);
	if (draw_chance(d, 30))
		f->fail_from = at;
	else
		f->fail_at = at;
	if (draw_chance(d, 30)) {
		f->second.at = draw_between(d, at + 1, at + CALLS_USUAL);
		draw_fault(d, &f->second.fault, &f->second.code);
	}
	if (draw_chance(d, 15))
		f->no_setter = 1u << draw_attribute(d);
	if (draw_chance(d, 5))
		f->signal_at = draw_between(d, 1, 20);
	f->carrier_stuck = draw_chance(d, 3);
}

static enum outcome try(uint64_t seed)
{
	struct draw d = { .state = seed };
	struct config desired = draw_config(seed);
	struct hardware before;
	struct result r;
	const char *lie;
	struct fake f;

	begin(&f, &d);
	go_wrong(&f, &d);
	before = f.hw;
	go(&f, &desired, &r);
	lie = false_claim(&f.hw, &before, &desired, &r);
	if (lie)
		fail_msg("seed %" PRIu64 ": %s (%s; %s)", seed, lie, r.err.text, r.err.fix);
	return r.outcome;
}

static void whatever_goes_wrong_nothing_is_said_that_is_not_so(void **s)
{
	static const enum outcome all[] = { OUTCOME_APPLIED, OUTCOME_NOT_ATTEMPTED, OUTCOME_FAILED,
					    OUTCOME_ROLLBACK_FAILED };
	uint64_t seen[OUTCOME_ROLLBACK_FAILED + 1] = { 0 }, cases = times(2000, 100000);

	(void)s;
	for (uint64_t seed = 1; seed <= cases; seed++)
		seen[try(seed)]++;
	for (size_t i = 0; i < COUNT(all); i++) {
		print_message("# %" PRIu64 " of %" PRIu64 " %s\n", seen[all[i]], cases,
			      outcome_name(all[i]));
		assert_true(seen[all[i]] * 100 > cases); /* each outcome occurred */
	}
}

/* Applies without faults; false: the port refuses the policy, and is unchanged. */
static bool goes(struct fake *f, const struct config *desired)
{
	struct hardware before = f->hw;
	struct result r;
	const char *lie;

	go(f, desired, &r);
	lie = false_claim(&f->hw, &before, desired, &r);
	if (lie || r.outcome == OUTCOME_ROLLBACK_FAILED)
		fail_msg("%s (%s; %s)", lie ? lie : "stranded", r.err.text, r.err.fix);
	return r.outcome <= OUTCOME_APPLIED;
}

static void a_second_apply_writes_nothing(void **s)
{
	uint64_t cases = times(300, 10000), refused = 0;

	(void)s;
	for (uint64_t seed = 1; seed <= cases; seed++) {
		struct draw d = { .state = seed };
		struct config desired = draw_config(seed);
		unsigned writes;
		struct fake f;

		begin(&f, &d);
		if (!goes(&f, &desired)) {
			refused++;
			continue;
		}
		writes = f.writes;
		if (!goes(&f, &desired) || f.writes != writes)
			fail_msg("seed %" PRIu64 ": %u writes", seed, f.writes - writes);
	}
	print_message("# %" PRIu64 " of %" PRIu64 " refused\n", refused, cases);
	assert_true(refused * 10 < cases);
}

/* The priority and the mode of CNPs change together. */
static setting_set stated(const struct config *c)
{
	setting_set pair = SETTING(SETTING_CNP_PRIORITY) | SETTING(SETTING_CNP_PRIORITY_MODE);

	return c->has | (c->has & pair ? pair : 0);
}

/* Settings that only the other policy states are not compared. */
static void another_policy_between_leaves_nothing_behind(void **s)
{
	uint64_t cases = times(300, 10000);

	(void)s;
	for (uint64_t seed = 1; seed <= cases; seed++) {
		struct draw d = { .state = seed };
		struct config first = draw_config(seed), other = draw_config(seed + cases);
		struct hardware alone;
		setting_set judged = first.has | ~stated(&other), left;
		struct fake f;

		begin(&f, &d);
		if (!goes(&f, &first))
			continue;
		alone = f.hw;
		goes(&f, &other);
		if (!goes(&f, &first))
			fail_msg("seed %" PRIu64 ": there is no way back", seed);
		left = hardware_differs(&f.hw, &alone) & judged;
		if (left)
			fail_msg("seed %" PRIu64 ": left behind: %" PRIx64, seed, left);
	}
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, whatever_goes_wrong_nothing_is_said_that_is_not_so);
	SUITE_ADD(&s, a_second_apply_writes_nothing);
	SUITE_ADD(&s, another_policy_between_leaves_nothing_behind);
	return suite_run(&s, "chance");
}
