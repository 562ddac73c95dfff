/* Runs that write: the journal, the lock, being killed at any write, and taking back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/engine/journal/lock.h"
#include "agent/engine/transaction.h"
#include "policy/model/setting.h"
#include "wish.h"

#define FIRST	"/var/lib/losslessctl/journal/apply-1.json"
#define PENDING "/var/lib/losslessctl/journal/pending.json"

static int root = -1;

static int make_root(void **s)
{
	char name[] = "/tmp/losslessctl-test-XXXXXX";

	(void)s;
	if (!mkdtemp(name))
		return -1;
	root = open(name, O_PATH | O_DIRECTORY);
	return mkdirat(root, "run", 0755) || mkdirat(root, "run/losslessctl", 0755);
}

static int remove_root(void **s)
{
	char path[64], name[128];
	ssize_t n;

	(void)s;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", root);
	n = readlink(path, name, sizeof(name) - 1);
	unlinkat(root, "run/losslessctl/lock", 0);
	unlinkat(root, "run/losslessctl/watch", 0);
	unlinkat(root, "run/losslessctl", AT_REMOVEDIR);
	unlinkat(root, "run", AT_REMOVEDIR);
	name[n > 0 ? n : 0] = '\0';
	close(root);
	return rmdir(name);
}

static struct fake fresh(void)
{
	struct fake f;

	fake_init(&f);
	f.has_rdma_cm = true;
	f.host.root = root;
	return f;
}

/* Rolls back to before this apply; 0: the last one. */
static unsigned back_to;

/* The state that a rollback wants of the one port; false: there is nothing to do, or *err. */
static bool take_undo(const struct run *r, struct task *t, struct err *err)
{
	_journal_ struct journal undo = { .entries = NULL };
	const struct journal *from = r->recovering ? &r->pending : &undo;
	const struct applied *last = applies_newest(&r->applies);
	unsigned number = back_to ? back_to : last ? last->number : 0;

	if (!r->recovering && number && !applies_before(&r->applies, number, &undo, err))
		return false;
	if (!from->count)
		return false;
	t->desired = from->entries[0].back;
	t->before_apply = from->entries[0].before_apply;
	return true;
}

/* One run over the one port: apply a policy, or take back (want NULL). */
static bool carry_out(struct fake *f, struct run *r, const struct config *desired, struct err *err)
{
	struct task t = { .port = f->port }, *tasks[] = { &t };
	struct observation seen;

	*r = (struct run){
		.h = &f->host, .all = fake_features, .rolling_back = !desired, .lock = -1
	};
	if (!run_open(r, 0, err))
		return false;
	if (desired)
		t.desired = *desired;
	else if (!take_undo(r, &t, err))
		return !err->kind;
	if (!observe(&f->host, fake_features, &f->port, &seen, err))
		return false;
	run_plan(r, &t, &seen);
	return run_tasks(r, tasks, 1, "test", "2026-01-01T00:00:00Z", err);
}

static bool apply(struct fake *f, const struct config *desired)
{
	struct err err = { 0 };
	struct run r;
	bool ok = carry_out(f, &r, desired, &err);

	run_close(&r);
	return ok;
}

/* The same in a process that is killed at its n-th write; false: it ended before that. */
static bool killed(struct fake *f, const struct config *desired, unsigned n, bool after)
{
	struct fake *shared =
		mmap(NULL, sizeof(*f), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = 0;
	pid_t pid;

	assert_ptr_not_equal(shared, MAP_FAILED);
	*shared = *f;
	shared->kill_at = f->writes + n;
	shared->kill_after = after;
	pid = fork();
	if (pid == 0) {
		struct err err = { 0 };
		struct run r;

		carry_out(shared, &r, desired, &err);
		_exit(1);
	}
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	*f = *shared;
	munmap(shared, sizeof(*f));
	f->kill_at = 0;
	f->now += f->carrier_ms; /* the link comes back without us */
	return WEXITSTATUS(status) == 0;
}

static const char second[] = "{\"mtu\": 4200, \"pfc\": {\"priorities\": [4]}}";

static void taking_back_restores_what_was(void **s)
{
	struct fake f = fresh();
	struct hardware before = f.hw;
	struct config desired = wish(lossless);

	(void)s;
	assert_true(apply(&f, &desired));
	assert_true(hardware_has(&f.hw, &desired));
	assert_true(apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
	assert_non_null(strstr(fake_file(&f, FIRST, false)->text, "\"rolled_back\": true"));
	assert_null(fake_file(&f, PENDING, false));
}

static void an_apply_that_changed_nothing_keeps_the_undo(void **s)
{
	struct fake f = fresh();
	struct hardware before = f.hw;
	struct config desired = wish(lossless);

	(void)s;
	assert_true(apply(&f, &desired));
	assert_true(apply(&f, &desired));
	assert_true(apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
}

static void taking_back_touches_only_what_the_apply_changed(void **s)
{
	struct fake f = fresh();
	struct config desired = wish(second);

	(void)s;
	assert_true(apply(&f, &desired));
	f.hw.roce_tos = 77; /* somebody else's, meanwhile */
	assert_true(apply(&f, NULL));
	assert_int_equal(f.hw.roce_tos, 77);
	assert_int_equal(f.hw.mtu, 1500);
}

static void killed_at_any_write_another_apply_leaves_no_between(void **s)
{
	struct config first = wish(lossless), desired = wish(second);
	unsigned n = 1;

	(void)s;
	for (int after = 0; after < 2; after++)
		for (n = 1;; n++) {
			struct fake f = fresh();
			struct hardware before = f.hw, expected = f.hw;

			if (!killed(&f, &first, n, after))
				break;
			assert_true(apply(&f, &desired));
			expected.mtu = 4200;
			expected.pfc = 1 << 4;
			expected.pause_rx = expected.pause_tx = false; /* our own PFC does that */
			if (!hardware_is(&f.hw, &expected))
				fail_msg("killed at write %u: between", n);
			assert_true(apply(&f, NULL));
			if (!hardware_is(&f.hw, &before))
				fail_msg("killed at write %u: not as before after taking back", n);
		}
	assert_true(n > 9);
}

static void a_killed_apply_does_not_leave_its_side_effects(void **s)
{
	struct config first = wish(lossless), none = wish("{\"pfc\": {\"priorities\": []}}");

	(void)s;
	for (unsigned n = 1;; n++) {
		struct fake f = fresh();
		struct hardware before = f.hw;

		if (!killed(&f, &first, n, true))
			break;
		assert_true(apply(&f, &none));
		if (!hardware_is(&f.hw,
				 &before)) /* with pause on, though the policy is silent on it */
			fail_msg("killed at write %u: not as before", n);
	}
}

static void killed_at_any_write_taking_back_restores_what_was(void **s)
{
	struct config first = wish(lossless);

	(void)s;
	for (int after = 0; after < 2; after++)
		for (unsigned n = 1;; n++) {
			struct fake f = fresh();
			struct hardware before = f.hw;

			if (!killed(&f, &first, n, after))
				break;
			if (!apply(&f, NULL) || !hardware_is(&f.hw, &before))
				fail_msg("killed at write %u: not as before", n);
		}
}

static void killed_while_taking_back_it_goes_on_with_that(void **s)
{
	struct config first = wish(lossless);

	(void)s;
	for (int after = 0; after < 2; after++)
		for (unsigned n = 1;; n++) {
			struct fake f = fresh();
			struct hardware before = f.hw;

			assert_true(apply(&f, &first));
			if (!killed(&f, NULL, n, after))
				break;
			assert_true(apply(&f, NULL));
			if (!hardware_is(&f.hw, &before))
				fail_msg("killed at write %u: not as before", n);
		}
}

static void nothing_is_written_before_the_journal_is_on_disk(void **s)
{
	struct config desired = wish(lossless);
	struct fake f = fresh();
	struct hardware before = f.hw;

	(void)s;
	f.only_writes = true;
	f.fail_at = 1;
	f.code = ENOSPC;
	assert_false(apply(&f, &desired));
	assert_int_equal(f.writes, 1);
	assert_memory_equal(&f.hw, &before, sizeof(before));
}

static void an_apply_of_another_boot_is_kept_and_not_rolled_back(void **s)
{
	struct config desired = wish(lossless);
	struct fake f = fresh();
	struct hardware after;
	struct journal seen;
	struct err err = { 0 };

	(void)s;
	assert_true(apply(&f, &desired));
	after = f.hw;
	snprintf(fake_file(&f, "/proc/sys/kernel/random/boot_id", false)->text, FAKE_TEXT,
		 "other-boot");
	assert_true(journal_read(&f.host, FIRST, &seen, &err));
	assert_true(seen.of_other_boot);
	journal_free(&seen);
	assert_true(apply(&f, NULL));
	assert_memory_equal(&f.hw, &after, sizeof(after));
	assert_non_null(fake_file(&f, FIRST, false));
}

/* A feature whose writes outlive a boot; *unfiled counts what was asked of it. */
static unsigned unfiled;
static uint8_t unfiled_priorities;

static bool restore_files(struct host *h, const char *port, const struct config *back,
			  struct err *err)
{
	struct fake *f = (struct fake *)h;

	assert_string_equal(port, f->port.id.name);
	assert_non_null(
		fake_file(f, PENDING, false)); /* cut short here, the next run does it again */
	unfiled++;
	unfiled_priorities = back->pfc.priorities;
	return err_set(err, ERR_SYSTEM, EIO, "no");
}

static void next_run_with_files(struct fake *f)
{
	const struct feature filed = { .name = "filed",
				       .owns = SETTING(SETTING_PFC_PRIORITIES),
				       .restore_files = restore_files };
	const struct feature *const list[] = { &filed };
	struct run r = { .h = &f->host, .all = { list, 1 }, .lock = -1 };
	struct err err = { 0 };

	unfiled = 0;
	assert_true(run_open(&r, 0, &err));
	run_close(&r);
}

static void after_a_boot_a_run_that_did_not_end_leaves_no_files(void **s)
{
	struct config desired = wish(lossless);
	struct fake f = fresh();

	(void)s;
	assert_true(apply(&f, &desired));
	desired = wish(second);
	assert_true(killed(&f, &desired, 3, true));
	next_run_with_files(&f);
	assert_int_equal(unfiled, 0);
	snprintf(fake_file(&f, "/proc/sys/kernel/random/boot_id", false)->text, FAKE_TEXT,
		 "other-boot");
	next_run_with_files(&f);
	assert_int_equal(unfiled, 1);
	assert_int_equal(unfiled_priorities, 8);
	assert_null(fake_file(&f, PENDING, false));
	next_run_with_files(&f);
	assert_int_equal(unfiled, 0);
}

static void a_damaged_journal_stops_a_run_before_it_writes(void **s)
{
	struct config desired = wish(lossless);
	struct fake f = fresh();

	(void)s;
	snprintf(fake_file(&f, PENDING, true)->text, FAKE_TEXT, "{\"boot_id\": \"this-b");
	assert_false(apply(&f, &desired));
	assert_int_equal(f.writes, 0);
}

static void a_second_run_finds_the_lock_taken(void **s)
{
	struct fake f = fresh();
	struct run first = { .h = &f.host, .all = fake_features, .lock = -1 }, other = first;
	struct err err = { 0 };
	uint64_t start = f.now;

	(void)s;
	assert_true(run_open(&first, 0, &err));
	assert_false(run_open(&other, 5, &err));
	assert_int_equal(err_exit_code(&err), 75);
	assert_true(f.now - start >= 5000);
	run_close(&other);
	run_close(&first);
	err = (struct err){ 0 };
	assert_true(run_open(&other, 0, &err));
	run_close(&other);
}

static void a_failed_port_keeps_no_journal_and_the_earlier_undo(void **s)
{
	struct config desired = wish(lossless), next = wish(second);
	struct fake f = fresh();
	struct hardware before = f.hw;

	(void)s;
	assert_true(apply(&f, &desired));
	f.only_writes = true;
	f.fail_at = f.writes + 3; /* the journal, room in reserve, then the first setting */
	assert_false(apply(&f, &next));
	assert_null(fake_file(&f, PENDING, false));
	f.fail_at = 0;
	assert_true(apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
}

static unsigned mtus_set;

static bool set_mtu_once(struct host *h, unsigned ifindex, uint32_t mtu, struct err *err)
{
	(void)ifindex;
	if (mtus_set++)
		return err_set(err, ERR_SYSTEM, EBUSY, "busy");
	((struct fake *)h)->hw.mtu = mtu;
	return true;
}

static void a_stranded_port_keeps_its_journal(void **s)
{
	struct config desired = wish("{\"mtu\": 4200, \"roce\": {\"tos\": 106}}");
	struct fake f = fresh();
	struct hardware before = f.hw;
	struct host whole = f.host;

	(void)s;
	mtus_set = 0;
	f.host.set_mtu = set_mtu_once; /* it goes, and cannot go back */
	f.only_writes = true;
	f.fail_at = f.writes + 3; /* the journal, room in reserve, then the ToS */
	f.code = EIO;
	assert_false(apply(&f, &desired));
	f.host = whole;
	assert_int_equal(f.hw.mtu, 4200);
	assert_non_null(fake_file(&f, PENDING, false));
	assert_true(apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
	assert_null(fake_file(&f, PENDING, false));
}

/* A run that did not end has left the port and one that is gone. */
static void leave_two(struct fake *f)
{
	struct config back = { .has = SETTING(SETTING_MTU), .mtu = 4200 };
	struct journal_entry here = { .back = back }, gone = { .name = "gone", .back = back };
	struct journal j = { .run = { "p", "then", "apply", "alice", false } };
	struct err err = { 0 };

	snprintf(here.name, sizeof(here.name), "%.15s", f->port.id.name);
	snprintf(here.pci, sizeof(here.pci), "%s", f->port.id.pci);
	snprintf(gone.pci, sizeof(gone.pci), "0000:99:00.0");
	assert_true(journal_prepare(&f->host, &err));
	assert_true(journal_add(&j, &here, &err) && journal_add(&j, &gone, &err));
	assert_true(journal_save(&f->host, PENDING, &j, &err));
	journal_free(&j);
}

/* Only the port that is gone is left, and it is the earlier run's. */
static void is_left_by_earlier_run(struct fake *f)
{
	_journal_ struct journal j = { .entries = NULL };
	const struct journal_run *left;
	struct err err = { 0 };

	assert_true(journal_load(&f->host, PENDING, &j, &err));
	assert_int_equal(j.count, 1);
	assert_string_equal(j.entries[0].name, "gone");
	left = journal_run_of(&j, &j.entries[0]);
	assert_string_equal(left->policy, "p");
	assert_string_equal(left->time, "then");
	assert_string_equal(left->verb, "apply");
	assert_string_equal(left->user, "alice");
}

static void ports_that_are_not_recovered_keep_the_name_of_their_run(void **s)
{
	struct config desired = wish(second);
	_journal_ struct journal applied = { .entries = NULL };
	struct fake f = fresh();
	struct err err = { 0 };

	(void)s;
	leave_two(&f);
	assert_true(apply(&f, NULL));
	is_left_by_earlier_run(&f);
	assert_true(apply(&f, &desired));
	is_left_by_earlier_run(&f);
	assert_true(journal_load(&f.host, FIRST, &applied, &err));
	assert_int_equal(applied.count, 1);
	assert_string_equal(applied.run.policy, "test");
	assert_string_equal(applied.run.time, "2026-01-01T00:00:00Z");
}

/* Two ports, of which the first one's setting is refused; returns what became of the second. */
static enum outcome second_of_two(struct fake *f, bool keep_going)
{
	struct config desired = wish(second);
	struct task t[2] = { { .port = f->port, .desired = desired },
			     { .port = f->port, .desired = desired } };
	struct task *tasks[] = { &t[0], &t[1] };
	struct run r = {
		.h = &f->host, .all = fake_features, .keep_going = keep_going, .lock = -1
	};
	struct observation seen;
	struct err err = { 0 };

	snprintf(t[1].port.id.pci, sizeof(t[1].port.id.pci), "0000:01:00.1");
	assert_true(run_open(&r, 0, &err));
	assert_true(observe(&f->host, fake_features, &f->port, &seen, &err));
	run_plan(&r, &t[0], &seen);
	run_plan(&r, &t[1], &seen);
	f->only_writes = true;
	f->fail_at = f->writes + 3; /* the journal, room in reserve, then the first setting */
	f->code = EIO;
	assert_false(run_tasks(&r, tasks, 2, "test", "2026-01-01T00:00:00Z", &err));
	assert_int_equal(t[0].result.outcome, OUTCOME_ROLLED_BACK);
	assert_int_equal(err.code, EIO);
	run_close(&r);
	return t[1].result.outcome;
}

static void a_run_stops_at_the_first_failure_unless_it_is_to_go_on(void **s)
{
	struct fake f = fresh(), g = fresh();

	(void)s;
	assert_int_equal(second_of_two(&f, false), OUTCOME_NOT_ATTEMPTED);
	assert_int_equal(second_of_two(&g, true), OUTCOME_APPLIED);
}

#define UNTIL_MS 60000

/* An apply that waits for confirmation, as the command line makes one; *watch is who watches. */
static struct hardware apply_unconfirmed(struct fake *f, const struct config *desired, int *watch)
{
	struct pending_confirm w = {
		.pid = 7, .started_at = "then", .until = "later", .until_ms = UNTIL_MS
	};
	struct task t = { .port = f->port }, *tasks[] = { &t };
	struct run r = { .h = &f->host, .all = fake_features, .unconfirmed = true, .lock = -1 };
	struct hardware before = f->hw;
	struct observation seen;
	struct err err = { 0 };

	assert_true(run_open(&r, 0, &err));
	assert_true(lock_watch(&f->host, 0, watch, &err));
	assert_true(pending_confirm_save(&f->host, &w, &err));
	assert_true(observe(&f->host, fake_features, &f->port, &seen, &err));
	t.desired = *desired;
	run_plan(&r, &t, &seen);
	assert_true(run_tasks(&r, tasks, 1, "test", "2026-01-01T00:00:00Z", &err));
	assert_int_equal(journal_own_count(&r.pending), 1);
	run_close(&r);
	return before;
}

static void an_unconfirmed_apply_stays_under_way(void **s)
{
	struct config first = wish(second), desired = wish(lossless);
	struct fake f = fresh();
	struct hardware before = f.hw, between;
	int watch = -1;

	(void)s;
	assert_true(apply(&f, &first));
	between = apply_unconfirmed(&f, &desired, &watch);
	assert_non_null(fake_file(&f, PENDING, false));
	assert_true(apply(&f, NULL)); /* takes back what waits... */
	assert_true(hardware_is(&f.hw, &between));
	assert_null(fake_file(&f, PENDING, false));
	assert_true(apply(&f, NULL)); /* ...and then what the earlier one did */
	assert_true(hardware_is(&f.hw, &before));
	close(watch);
}

static void while_an_apply_waits_nothing_else_writes(void **s)
{
	struct config desired = wish(lossless);
	struct fake f = fresh();
	struct run r = { .h = &f.host, .all = fake_features, .repairing = true, .lock = -1 };
	struct err err = { 0 };
	int watch = -1;

	(void)s;
	apply_unconfirmed(&f, &desired, &watch);
	assert_false(run_open(&r, 0, &err));
	assert_int_equal(err_exit_code(&err), 75);
	run_close(&r);
	close(watch);
}

static void confirmed_it_is_the_last_apply(void **s)
{
	struct config desired = wish(lossless);
	struct fake f = fresh();
	struct hardware before;
	struct err err = { 0 };
	int watch = -1;

	(void)s;
	before = apply_unconfirmed(&f, &desired, &watch);
	assert_true(applies_keep(&f.host, &err) && pending_confirm_end(&f.host, &err));
	close(watch);
	assert_non_null(fake_file(&f, FIRST, false));
	assert_true(apply(&f, &desired)); /* changes nothing: the undo is kept */
	assert_true(apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
}

/* What an earlier run left is not confirmed with it. */
static void confirmed_beside_an_earlier_run_it_is_that_run_alone(void **s)
{
	struct config desired = wish(lossless);
	_journal_ struct journal pending = { .entries = NULL }, applied = { .entries = NULL };
	struct fake f = fresh();
	struct err err = { 0 };
	int watch = -1;

	(void)s;
	leave_two(&f);
	apply_unconfirmed(&f, &desired, &watch);
	assert_true(journal_load(&f.host, PENDING, &pending, &err));
	assert_int_equal(pending.count, 2);
	assert_string_equal(pending.run.policy, "test");
	assert_true(applies_keep_own(&f.host, &pending, &err) &&
		    pending_confirm_end(&f.host, &err));
	close(watch);
	is_left_by_earlier_run(&f);
	assert_true(journal_load(&f.host, FIRST, &applied, &err));
	assert_int_equal(applied.count, 1);
	assert_string_equal(applied.run.policy, "test");
	assert_string_equal(applied.entries[0].name, f.port.id.name);
}

static bool no_room(struct host *h, const char *path, const char *text, struct err *err)
{
	(void)h;
	(void)text;
	return err_set(err, ERR_SYSTEM, ENOSPC, "write %s: no space", path);
}

static void taking_back_what_waits_needs_no_room(void **s)
{
	struct config desired = wish(lossless);
	struct fake f = fresh();
	struct hardware before;
	int watch = -1;

	(void)s;
	before = apply_unconfirmed(&f, &desired, &watch);
	f.host.save_file = f.host.publish_file = no_room;
	assert_true(apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
	assert_null(fake_file(&f, PENDING, false));
	close(watch);
}

static void with_nobody_watching_it_is_a_run_that_did_not_end(void **s)
{
	struct config desired = wish(lossless), next = wish(second);
	struct fake f = fresh();
	struct hardware before;
	struct pending_confirm w;
	struct err err = { 0 };
	int watch = -1;

	(void)s;
	before = apply_unconfirmed(&f, &desired, &watch);
	close(watch);
	assert_true(pending_confirm_load(&f.host, &w, &err) && w.there && !w.watched);
	assert_true(apply(&f, &next));
	assert_true(pending_confirm_load(&f.host, &w, &err) && !w.there);
	assert_true(apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
}

static void killed_while_taking_back_what_waits_nobody_can_confirm(void **s)
{
	struct config desired = wish(lossless);

	(void)s;
	for (unsigned n = 1;; n++) {
		struct fake f = fresh();
		struct hardware before;
		struct pending_confirm w;
		struct err err = { 0 };
		int watch = -1;

		before = apply_unconfirmed(&f, &desired, &watch);
		close(watch);
		if (!killed(&f, NULL, n, true))
			break;
		assert_true(pending_confirm_load(&f.host, &w, &err));
		if (w.there)
			fail_msg("killed at write %u: it still waits", n);
		assert_true(apply(&f, NULL));
		if (!hardware_is(&f.hw, &before))
			fail_msg("killed at write %u: not as before", n);
	}
}

static void what_waits_is_known_for_this_boot_only(void **s)
{
	struct config desired = wish(lossless);
	struct fake f = fresh();
	struct pending_confirm w;
	struct err err = { 0 };
	int watch = -1;

	(void)s;
	apply_unconfirmed(&f, &desired, &watch);
	assert_true(pending_confirm_load(&f.host, &w, &err) && w.there && w.watched);
	assert_int_equal(w.pid, 7);
	assert_string_equal(w.until, "later");
	f.now = UNTIL_MS - 1;
	assert_false(pending_confirm_is_over(&f.host, &w));
	f.now = UNTIL_MS;
	assert_true(pending_confirm_is_over(&f.host, &w));
	snprintf(fake_file(&f, "/proc/sys/kernel/random/boot_id", false)->text, FAKE_TEXT,
		 "other-boot");
	assert_true(pending_confirm_load(&f.host, &w, &err) && !w.there);
	close(watch);
}

static void a_run_is_as_bad_as_its_worst_port(void **s)
{
	struct task a = { .result.outcome = OUTCOME_APPLIED }, b = a, c = a;
	struct task *tasks[] = { &a, &b, &c };

	(void)s;
	assert_int_equal(run_outcome(tasks, 0), OUTCOME_UNCHANGED);
	assert_int_equal(run_outcome(tasks, 3), OUTCOME_APPLIED);
	b.result.outcome = OUTCOME_ROLLBACK_FAILED;
	c.result.outcome = OUTCOME_ROLLED_BACK;
	assert_int_equal(run_outcome(tasks, 3), OUTCOME_ROLLBACK_FAILED);
}

/* ---- a disk that fails at one path ---- */

static struct {
	const char *path;
	struct host whole;
} disk;

static bool is_broken(const char *path, struct err *err)
{
	return disk.path && strstr(path, disk.path) &&
	       !err_set(err, ERR_SYSTEM, EIO, "%s: %s", path, strerror(EIO));
}

static bool read_or_fail(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	return !is_broken(path, err) && disk.whole.read_file(h, path, buf, size, err);
}

static bool save_or_fail(struct host *h, const char *path, const char *text, struct err *err)
{
	return !is_broken(path, err) && disk.whole.save_file(h, path, text, err);
}

static bool move_or_fail(struct host *h, const char *from, const char *to, struct err *err)
{
	return !is_broken(from, err) && disk.whole.move_file(h, from, to, err);
}

static bool make_or_fail(struct host *h, const char *path, struct err *err)
{
	return !is_broken(path, err) && disk.whole.make_dir(h, path, err);
}

enum door { READING, SAVING, MOVING, MAKING };

static void break_disk(struct fake *f, enum door door, const char *path)
{
	disk.path = path;
	disk.whole = f->host;
	if (door == READING)
		f->host.read_file = read_or_fail;
	if (door == SAVING)
		f->host.save_file = save_or_fail;
	if (door == MOVING)
		f->host.move_file = move_or_fail;
	if (door == MAKING)
		f->host.make_dir = make_or_fail;
}

static void a_disk_that_fails_before_the_first_change_stops_a_run(void **s)
{
	static const struct {
		enum door door;
		const char *path;
		bool rolling_back;
	} rows[] = {
		{ MAKING, "/var/lib/losslessctl", false },
		{ MAKING, "/run/losslessctl", false },
		{ READING, "/run/losslessctl/waiting.json", false },
		{ READING, PENDING, false },
		{ SAVING, PENDING, false },
		{ READING, FIRST, true },
		{ READING, "boot_id", true },
		{ SAVING, PENDING, true },
	};
	struct config first = wish(second), desired = wish(lossless);

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake f = fresh();
		struct hardware before;

		assert_true(apply(&f, &first));
		before = f.hw;
		break_disk(&f, rows[i].door, rows[i].path);
		if (apply(&f, rows[i].rolling_back ? NULL : &desired))
			fail_msg("row %zu: it went well", i);
		if (!hardware_is(&f.hw, &before))
			fail_msg("row %zu: something was written", i);
		f.host = disk.whole;
		assert_true(apply(&f, &desired));
		assert_true(hardware_has(&f.hw, &desired));
	}
}

/*
 * What is done is told to be done, and what the next run needs is there. The journal becomes the
 * undo, with no byte more, so only that step can fail.
 */
static void a_disk_that_fails_at_the_end_loses_nothing(void **s)
{
	static const struct {
		enum door door;
		const char *path;
		bool ends;
	} rows[] = { { MOVING, PENDING, false }, { SAVING, FIRST, true } };
	struct config desired = wish(lossless);

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake f = fresh();
		struct hardware before = f.hw;

		break_disk(&f, rows[i].door, rows[i].path);
		assert_int_equal(apply(&f, &desired), rows[i].ends);
		assert_true(hardware_has(&f.hw, &desired));
		f.host = disk.whole;
		assert_non_null(fake_file(&f, rows[i].ends ? FIRST : PENDING, false));
		assert_null(fake_file(&f, rows[i].ends ? PENDING : FIRST, false));
		assert_true(apply(&f, NULL));
		assert_true(hardware_is(&f.hw, &before));
	}
}

/* Only the second port was done: a list of its own is written, before the run ends. */
static void what_was_done_in_part_keeps_the_run_open_until_its_undo_is_on_disk(void **s)
{
	struct fake f = fresh();

	(void)s;
	break_disk(&f, SAVING, FIRST);
	assert_int_equal(second_of_two(&f, true), OUTCOME_APPLIED);
	assert_non_null(fake_file(&f, PENDING, false));
	assert_null(fake_file(&f, FIRST, false));
}

static void what_waits_and_cannot_be_read_or_ended_stops_a_run(void **s)
{
	struct config desired = wish(lossless);
	struct fake f = fresh();
	struct hardware between;
	struct pending_confirm w;
	struct err err = { 0 }, more = { 0 };
	int watch = -1;

	(void)s;
	apply_unconfirmed(&f, &desired, &watch);
	between = f.hw;
	break_disk(&f, MOVING, "waiting.json");
	assert_false(apply(&f, NULL)); /* it could be confirmed meanwhile */
	assert_true(hardware_is(&f.hw, &between));
	f.host = disk.whole;
	break_disk(&f, READING, "boot_id");
	assert_false(pending_confirm_load(&f.host, &w, &err));
	assert_false(pending_confirm_save(&f.host, &w, &more));
	f.host = disk.whole;
	close(watch);
	assert_true(apply(&f, NULL));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_is_as_bad_as_its_worst_port),
		cmocka_unit_test(a_disk_that_fails_before_the_first_change_stops_a_run),
		cmocka_unit_test(a_disk_that_fails_at_the_end_loses_nothing),
		cmocka_unit_test(
			what_was_done_in_part_keeps_the_run_open_until_its_undo_is_on_disk),
		cmocka_unit_test(what_waits_and_cannot_be_read_or_ended_stops_a_run),
		cmocka_unit_test(taking_back_restores_what_was),
		cmocka_unit_test(an_apply_that_changed_nothing_keeps_the_undo),
		cmocka_unit_test(taking_back_touches_only_what_the_apply_changed),
		cmocka_unit_test(killed_at_any_write_another_apply_leaves_no_between),
		cmocka_unit_test(a_killed_apply_does_not_leave_its_side_effects),
		cmocka_unit_test(killed_at_any_write_taking_back_restores_what_was),
		cmocka_unit_test(killed_while_taking_back_it_goes_on_with_that),
		cmocka_unit_test(nothing_is_written_before_the_journal_is_on_disk),
		cmocka_unit_test(an_apply_of_another_boot_is_kept_and_not_rolled_back),
		cmocka_unit_test(after_a_boot_a_run_that_did_not_end_leaves_no_files),
		cmocka_unit_test(a_damaged_journal_stops_a_run_before_it_writes),
		cmocka_unit_test(a_second_run_finds_the_lock_taken),
		cmocka_unit_test(a_failed_port_keeps_no_journal_and_the_earlier_undo),
		cmocka_unit_test(a_stranded_port_keeps_its_journal),
		cmocka_unit_test(ports_that_are_not_recovered_keep_the_name_of_their_run),
		cmocka_unit_test(a_run_stops_at_the_first_failure_unless_it_is_to_go_on),
		cmocka_unit_test(an_unconfirmed_apply_stays_under_way),
		cmocka_unit_test(while_an_apply_waits_nothing_else_writes),
		cmocka_unit_test(confirmed_it_is_the_last_apply),
		cmocka_unit_test(confirmed_beside_an_earlier_run_it_is_that_run_alone),
		cmocka_unit_test(taking_back_what_waits_needs_no_room),
		cmocka_unit_test(with_nobody_watching_it_is_a_run_that_did_not_end),
		cmocka_unit_test(killed_while_taking_back_what_waits_nobody_can_confirm),
		cmocka_unit_test(what_waits_is_known_for_this_boot_only),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
