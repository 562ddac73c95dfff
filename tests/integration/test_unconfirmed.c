/*
 * Tests of unconfirmed applies, confirmations and rollbacks: the verbs and the watchdog on a fake
 * kernel on which any call may fail.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "tests/support/unit.h"
#include "whole.h"
#include "port_state.h"

#define WANT \
	"{\"mtu\": 9000, \"pause\": {\"rx\": false, \"tx\": false}, \"pfc\": {\"priorities\": " \
	"[3]}, \"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}"
#define POLICY \
	"{\"version\": 1, \"profiles\": {\"p\": " WANT "}, \"rules\": [{\"match\": {\"name\": " \
	"\"ens*\"}, \"profile\": \"p\"}]}"

#define PENDING "/var/lib/losslessctl/journal/pending.json"
#define WAITING "/run/losslessctl/pending-confirm.json"

static struct config desired;

/* The verbs. */
static const struct call apply = { .input = POLICY,
				   .words = { "apply", "--allow-other-netns", "-" } };
static const struct call try_apply = {
	.input = POLICY, .words = { "apply", "--allow-other-netns", "--confirm-within", "9", "-" }
};
static const struct call try_for_long = { .input = POLICY,
					  .words = { "apply", "--allow-other-netns",
						     "--confirm-within", "86400", "-" } };
static const struct call confirm = { .input = "", .words = { "confirm" } };
static const struct call roll_back = { .input = "", .words = { "rollback" } };

static struct end end;

/* Lets the watchdog's time pass, and waits for its end. */
static void let_watchdog_end(void)
{
	int fd = openat(whole->fake.host.root, "run/losslessctl/confirm.lock", O_RDWR | O_CREAT,
			0600);

	whole->holds = false;
	assert_true(fd >= 0 && flock(fd, LOCK_EX) == 0);
	close(fd);
	whole->holds = true;
}

static bool is_left(const char *path)
{
	return fake_file(&whole->fake, path, false) != NULL;
}

/*
 * An apply that waits has started a watchdog: its first calls would be counted with those of what
 * the test runs next, and a fault strike it.
 */
static int run(const struct call *c)
{
	const struct fake *f = &whole->fake;
	bool waits = (c == &try_apply || c == &try_for_long) && !f->fail_at && !f->fail_from &&
		     !f->kill_at;

	whole->is_held = false;
	whole_run(c, &end);
	for (int tries = 0; waits && whole->holds && !whole->is_held; tries++)
		assert_true(tries < 30000 && usleep(1000) == 0);
	return end.code;
}

/* Makes the n-th call or write from now fail, or all from it on. */
static void break_from_now(unsigned n, bool for_good, bool writes, int code)
{
	struct fake *f = &whole->fake;

	f->only_writes = writes;
	f->code = code;
	n += writes ? f->writes : f->calls;
	f->fail_at = for_good ? 0 : n;
	f->fail_from = for_good ? n : 0;
}

static void heal(void)
{
	whole->fake.fail_at = whole->fake.fail_from = whole->fake.kill_at = 0;
}

/* ---- settings that change while an apply waits ---- */

static void reset_driver(struct fake *f)
{
	f->hw.mtu = 1500;
	f->hw.trusts_dscp = false;
	memset(f->hw.entry, DSCP_NONE, sizeof(f->hw.entry));
}

static void forget_pfc(struct fake *f)
{
	f->hw.pfc = 0;
}

static bool no_links(struct host *h, struct link_list *ret, struct err *err)
{
	(void)h;
	(void)err;
	*ret = (struct link_list){ .links = NULL };
	return true;
}

static void unplug(struct fake *f)
{
	f->host.links = no_links;
}

static void what_is_confirmed_stays(void **s)
{
	const struct fake first = whole->fake;

	(void)s;
	assert_int_equal(run(&try_apply), 0);
	assert_true(is_left(WAITING));
	assert_int_equal(run(&confirm), 0);
	let_watchdog_end();
	assert_true(hardware_has(&whole->fake.hw, &desired));
	assert_false(is_left(PENDING) || is_left(WAITING));
	assert_int_equal(run(&roll_back), 0);
	assert_true(hardware_is(&whole->fake.hw, &first.hw));
	whole->fake = first;
}

static const struct change {
	const char *sentence;
	void (*happens)(struct fake *f);
	int code;
	const char *says;
} changes[] = {
	{ "what a restart of the driver has reset is not confirmed", reset_driver, 1,
	  "ens1f0np0: changed since the apply: mtu (applied 9000, reads 1500)" },
	{ "what somebody has changed is not confirmed", forget_pfc, 1,
	  "ens1f0np0: changed since the apply: pfc.priorities (applied 3, reads none)" },
	{ "a port that is gone is not confirmed", unplug, 3,
	  "ens1f0np0 (0000:01:00.0) is not present" },
};

static void it_is_not_confirmed(void **state)
{
	const struct change *x = *state;
	const struct fake first = whole->fake;
	struct fake applied;

	for (int confirms = 0; confirms < 2; confirms++) {
		assert_int_equal(run(&try_apply), 0);
		applied = whole->fake;
		x->happens(&whole->fake);
		if (run(&confirm) != x->code || !strstr(end.err, x->says))
			fail_msg("code %d: %s", end.code, end.err);
		assert_true(is_left(PENDING) && is_left(WAITING));
		whole->fake = applied;
		if (confirms)
			assert_int_equal(run(&confirm), 0);
		let_watchdog_end();
		assert_true(confirms ? hardware_has(&whole->fake.hw, &desired)
				     : hardware_is(&whole->fake.hw, &first.hw));
		whole->fake = first;
	}
}

static void what_is_not_confirmed_is_rolled_back(void **s)
{
	const struct fake first = whole->fake;

	(void)s;
	assert_int_equal(run(&try_apply), 0);
	let_watchdog_end();
	assert_true(hardware_is(&whole->fake.hw, &first.hw));
	assert_false(is_left(PENDING) || is_left(WAITING));
	assert_int_equal(run(&confirm), 1);
	whole->fake = first;
}

static void an_apply_that_dies_at_any_write_is_rolled_back(void **s)
{
	const struct fake first = whole->fake;
	bool died = true;
	unsigned n;

	(void)s;
	for (n = 1; died; n++) {
		whole->fake.kill_at = whole->fake.writes + n;
		run(&try_apply);
		died = whole->fake.kill_at && whole->fake.writes >= whole->fake.kill_at;
		heal();
		let_watchdog_end();
		if (!hardware_is(&whole->fake.hw, &first.hw) || is_left(PENDING))
			fail_msg("killed at write %u: partially configured", n);
		whole->fake = first;
	}
	assert_true(n > 9);
}

static void a_watchdogs_rollback_is_tried_again(void **s)
{
	const struct fake first = whole->fake;
	bool struck = true;

	(void)s;
	for (unsigned n = 1; struck; n += (unsigned)times(3, 1)) {
		assert_int_equal(run(&try_apply), 0);
		break_from_now(n, false, false, n % 2 ? EIO : EBUSY);
		let_watchdog_end();
		struck = whole->fake.calls >= whole->fake.fail_at;
		heal();
		if (!hardware_is(&whole->fake.hw, &first.hw))
			fail_msg("call %u of the watchdog failed: not rolled back", n);
		whole->fake = first;
	}
}

static void what_a_watchdog_cannot_roll_back_is_left_to_the_verb(void **s)
{
	const struct fake first = whole->fake;
	bool struck = true;

	(void)s;
	for (unsigned n = 1; struck; n += (unsigned)times(3, 1)) {
		assert_int_equal(run(&try_apply), 0);
		break_from_now(n, true, true, EIO);
		let_watchdog_end();
		struck = whole->fake.writes >= whole->fake.fail_from;
		heal();
		if (run(&roll_back) || !hardware_is(&whole->fake.hw, &first.hw) || is_left(PENDING))
			fail_msg("from write %u on: not rolled back: %s", n, end.err);
		whole->fake = first;
	}
}

/* Another rollback ends the wait, and the next apply dies: it is not the watchdog's. */
static void a_watchdog_rolls_back_no_later_apply(void **s)
{
	const struct fake first = whole->fake;
	struct hardware died;

	(void)s;
	assert_int_equal(run(&try_apply), 0);
	break_from_now(1, true, true, EIO);
	whole->holds_retry = true;
	whole->holds = false;
	while (!whole->waits_to_retry)
		usleep(1000);
	heal();
	assert_int_equal(run(&roll_back), 0);
	whole->fake.kill_at = whole->fake.writes + 8;
	run(&apply);
	heal();
	died = whole->fake.hw;
	assert_true(is_left(PENDING) && !hardware_is(&died, &first.hw));
	whole->holds_retry = false;
	let_watchdog_end();
	assert_true(hardware_is(&whole->fake.hw, &died));
	assert_true(is_left(PENDING));
	whole->fake = first;
}

/* ---- a device of another VLAN may have the name by then ---- */

#define MAP_POLICY \
	"{\"version\": 1, \"profiles\": {\"p\": {\"mtu\": 9000, \"vlan\": {\"egress\": " \
	"{\"v100\": {\"3\": 4}}}}}, \"rules\": [{\"match\": {\"name\": \"ens*\"}, " \
	"\"profile\": \"p\"}]}"

static const struct vlan_row {
	const char *sentence;
	uint16_t before, after;
	bool is_left;
} vlan_rows[] = {
	{ "the map of the same VLAN device is rolled back", 100, 100, false },
	{ "the map of a device of another VLAN is left alone", 100, 200, true },
	{ "a device whose VLAN is unknown is known by its name", 0, 200, false },
};

static void only_the_same_vlan_is_rolled_back(void **state)
{
	static const struct call apply_map = { .input = MAP_POLICY,
					       .words = { "apply", "--allow-other-netns", "-" } };
	const struct vlan_row *row = *state;
	const struct fake first = whole->fake;

	whole->fake.vlan_id = row->before;
	assert_int_equal(run(&apply_map), 0);
	assert_int_equal(whole->fake.hw.egress[3], 4);
	whole->fake.vlan_id = row->after;
	whole->fake.hw.egress[3] = 5;
	assert_int_equal(run(&roll_back), 0);
	assert_int_equal(whole->fake.hw.mtu, first.hw.mtu);
	assert_int_equal(whole->fake.hw.egress[3], row->is_left ? 5 : first.hw.egress[3]);
	assert_int_equal(strstr(end.err, "or is of another VLAN") != NULL, row->is_left);
	whole->fake = first;
}

/* ---- the file of the wait may be lost ---- */

static const struct loss {
	const char *sentence, *text; /* NULL: the file is gone */
} losses[] = {
	{ "a watchdog whose file is gone watches on", NULL },
	{ "a watchdog whose file is empty watches on", "" },
	{ "a watchdog whose file is torn watches on", "{\"schema\": \"losslessctl/pe" },
	{ "a watchdog whose file is of another boot watches on", "{\"boot_id\": \"other\"}" },
};

static void lose_file(const char *path, const struct loss *l)
{
	struct fake_file *file = fake_file(&whole->fake, path, false);

	assert_non_null(file);
	snprintf(file->text, sizeof(file->text), "%s", l->text ? l->text : "");
	if (!l->text)
		file->path[0] = '\0';
}

static bool is_whole(void)
{
	const struct fake_file *file = fake_file(&whole->fake, WAITING, false);

	return file && strstr(file->text, "expires_boottime_ms");
}

static void a_watchdog_watches_on(void **state)
{
	const struct fake first = whole->fake;

	assert_int_equal(run(&try_apply), 0);
	lose_file(WAITING, *state);
	let_watchdog_end();
	assert_true(hardware_is(&whole->fake.hw, &first.hw));
	assert_false(is_left(PENDING) || is_left(WAITING));
	whole->fake = first;
	assert_int_equal(run(&try_for_long), 0);
	lose_file(WAITING, *state);
	whole->holds = false;
	for (int tries = 0; !is_whole(); tries++)
		assert_true(tries < 10000 && usleep(1000) == 0);
	whole->holds = true;
	assert_int_equal(run(&confirm), 0);
	let_watchdog_end();
	assert_true(hardware_has(&whole->fake.hw, &desired));
	whole->fake = first;
}

/*
 * The watchdog makes no file again that a rollback took away: half of it could be confirmed. It
 * completes that rollback.
 */
static void a_rollback_that_dies_leaves_nothing_to_confirm(void **s)
{
	const struct fake first = whole->fake;

	(void)s;
	for (unsigned n = 1; n <= 4; n++) {
		assert_int_equal(run(&try_apply), 0);
		whole->fake.kill_at = whole->fake.writes + n;
		whole->fake.kill_after = true;
		run(&roll_back);
		heal();
		let_watchdog_end();
		if (!hardware_is(&whole->fake.hw, &first.hw))
			fail_msg("killed at write %u: it was left", n);
		if (run(&confirm) == 0)
			fail_msg("killed at write %u: it was confirmed", n);
		assert_int_equal(run(&roll_back), 0);
		assert_true(hardware_is(&whole->fake.hw, &first.hw));
		whole->fake = first;
	}
}

/* The journal of a killed apply is not that of the one that is refused: nobody may confirm it. */
static void a_refused_apply_waits_for_nothing(void **s)
{
	static const struct call refused = { .input = POLICY,
					     .words = { "apply", "--allow-other-netns",
							"--no-link-flap", "--confirm-within", "9",
							"-" } };
	const struct fake first = whole->fake;

	(void)s;
	for (unsigned n = 1; !is_left(PENDING) && n < 20; n++) {
		whole->fake.kill_at = whole->fake.writes + n;
		whole->fake.kill_after = true;
		run(&apply);
		heal();
	}
	assert_true(is_left(PENDING));
	assert_int_equal(run(&refused), 1);
	assert_null(strstr(end.out, "confirm"));
	assert_false(is_left(WAITING));
	run(&confirm);
	assert_true(is_left(PENDING));
	assert_int_equal(run(&roll_back), 0);
	assert_true(hardware_is(&whole->fake.hw, &first.hw));
	whole->fake = first;
}

/* The port may be the way to the disk: a look at it would wait for ever. */
static void a_watchdog_asks_no_disk_before_the_port_is_back(void **s)
{
	const struct fake first = whole->fake;
	unsigned writes;

	(void)s;
	assert_int_equal(run(&try_apply), 0);
	lose_file(WAITING, &losses[0]); /* it then asks the journal as well */
	writes = whole->fake.writes;
	whole->fake.asked_disk = 0;
	let_watchdog_end();
	assert_true(hardware_is(&whole->fake.hw, &first.hw));
	assert_true(whole->fake.asked_disk > writes + 3);
	whole->fake = first;
}

/* ---- the journal of the wait may be lost, and its copy is left ---- */

static const struct loss journal_losses[] = {
	{ "what is confirmed without its journal can be rolled back", NULL },
	{ "what is confirmed with a torn journal can be rolled back", "{\"boot_id\": \"this-" },
	{ "what is confirmed with an empty journal can be rolled back", "" },
};

static void what_is_confirmed_can_be_rolled_back(void **state)
{
	const struct fake first = whole->fake;

	assert_int_equal(run(&try_apply), 0);
	lose_file(PENDING, *state);
	assert_int_equal(run(&confirm), 0);
	let_watchdog_end();
	assert_true(hardware_has(&whole->fake.hw, &desired));
	assert_false(is_left(PENDING));
	assert_int_equal(run(&roll_back), 0);
	assert_true(hardware_is(&whole->fake.hw, &first.hw));
	whole->fake = first;
}

/* ---- any call of a verb may fail ---- */

static int prepare_nothing(void)
{
	return 0;
}

static int prepare_applied(void)
{
	return run(&apply);
}

static int prepare_waiting(void)
{
	return run(&try_apply);
}

static const struct verb_row {
	const char *sentence;
	const struct call *verb;
	int (*prepare)(void);
	bool stays; /* the settings must be in place in the end */
} verbs[] = {
	{ "any call of an apply may fail", &apply, prepare_nothing, true },
	{ "any call of an unconfirmed apply may fail", &try_apply, prepare_nothing, false },
	{ "any call of a confirmation may fail", &confirm, prepare_waiting, true },
	{ "any call of a rollback may fail", &roll_back, prepare_applied, false },
	{ "any call of a rollback before a confirmation may fail", &roll_back, prepare_waiting,
	  false },
};

/* With one fault the port is in sync or in one of its earlier states, never in between. */
static const char *false_end(const struct verb_row *r, const struct hardware *was,
			     const struct hardware *before)
{
	const struct hardware *now = &whole->fake.hw;
	bool stays = r->prepare == prepare_applied || r->prepare == prepare_waiting;

	if (end.code == 4)
		return "one fault must not leave a port partially configured";
	if (end.code < 0)
		return "it crashed";
	if (end.code && !end.err[0] && !end.out[0])
		return "it does not say what failed";
	if (end.code == 0 && r->stays != hardware_has(now, &desired) && r->verb != &try_apply)
		return "it says that it is done, and it is not";
	if (!hardware_has(now, &desired) && !hardware_is(now, was) && !hardware_is(now, before))
		return stays ? "half of it is rolled back" : "half of it is applied";
	return NULL;
}

/* Repeats the verb without the fault; the watchdog rolls back an unconfirmed apply. */
static const char *false_repeat(const struct verb_row *r, const struct hardware *before)
{
	heal();
	if (r->verb == &apply && run(&apply))
		return "an apply after it fails";
	if (r->verb == &roll_back && run(&roll_back))
		return "a rollback after it fails";
	if (r->verb == &confirm && is_left(PENDING) && run(&confirm))
		return "a confirmation after it fails";
	let_watchdog_end();
	if (r->stays ? !hardware_has(&whole->fake.hw, &desired)
		     : !hardware_is(&whole->fake.hw, before))
		return r->stays ? "the settings are lost" : "the settings stay";
	return is_left(PENDING) ? "a run is left that did not end" : NULL;
}

static void any_call_may_fail(void **state)
{
	static const int codes[] = { EIO, ENOSPC, EBUSY };
	const struct verb_row *r = *state;
	const struct fake first = whole->fake;
	bool struck = true;

	for (unsigned n = 1; struck; n += (unsigned)times(3, 1)) {
		struct hardware was;
		const char *lie;

		assert_int_equal(r->prepare(), 0);
		was = whole->fake.hw;
		break_from_now(n, false, false, codes[n % COUNT(codes)]);
		run(r->verb);
		struck = whole->fake.calls >= whole->fake.fail_at;
		lie = false_end(r, &was, &first.hw);
		if (!lie)
			lie = false_repeat(r, &first.hw);
		let_watchdog_end();
		whole->fake = first;
		if (lie)
			fail_msg("call %u: %s: code %d: %s%s", n, lie, end.code, end.err, end.out);
	}
}

static int remember(void **s)
{
	(void)s;
	desired = parsed(WANT);
	whole->holds = true;
	return 0;
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, what_is_confirmed_stays);
	SUITE_ADD_ROWS(&s, changes, it_is_not_confirmed);
	SUITE_ADD(&s, what_is_not_confirmed_is_rolled_back);
	SUITE_ADD(&s, an_apply_that_dies_at_any_write_is_rolled_back);
	SUITE_ADD(&s, a_watchdogs_rollback_is_tried_again);
	SUITE_ADD(&s, what_a_watchdog_cannot_roll_back_is_left_to_the_verb);
	SUITE_ADD(&s, a_watchdog_rolls_back_no_later_apply);
	SUITE_ADD_ROWS(&s, vlan_rows, only_the_same_vlan_is_rolled_back);
	SUITE_ADD_ROWS(&s, losses, a_watchdog_watches_on);
	SUITE_ADD(&s, a_watchdog_asks_no_disk_before_the_port_is_back);
	SUITE_ADD_ROWS(&s, journal_losses, what_is_confirmed_can_be_rolled_back);
	SUITE_ADD(&s, a_refused_apply_waits_for_nothing);
	SUITE_ADD(&s, a_rollback_that_dies_leaves_nothing_to_confirm);
	SUITE_ADD_ROWS(&s, verbs, any_call_may_fail);
	s.tests[0].setup_func = remember;
	return whole_tests("unconfirmed", &s, NULL);
}
