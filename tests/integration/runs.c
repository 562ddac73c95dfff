#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/engine/journal/lock.h"
#include "policy/model/setting.h"
#include "tests/integration/runs.h"
#include "tests/integration/port_state.h"

static int run_root = -1;

int make_run_root(void **s)
{
	char name[] = "/tmp/losslessctl-test-XXXXXX";

	(void)s;
	if (!mkdtemp(name))
		return -1;
	run_root = open(name, O_PATH | O_DIRECTORY);
	return mkdirat(run_root, "run", 0755) || mkdirat(run_root, "run/losslessctl", 0755);
}

int remove_run_root(void **s)
{
	char path[64], name[128];
	ssize_t n;

	(void)s;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", run_root);
	n = readlink(path, name, sizeof(name) - 1);
	unlinkat(run_root, "run/losslessctl/lock", 0);
	unlinkat(run_root, "run/losslessctl/confirm.lock", 0);
	unlinkat(run_root, "run/losslessctl", AT_REMOVEDIR);
	unlinkat(run_root, "run", AT_REMOVEDIR);
	name[n > 0 ? n : 0] = '\0';
	close(run_root);
	return rmdir(name);
}

struct fake fresh_run(void)
{
	struct fake f;

	fake_init(&f);
	f.has_rdma_cm = true;
	f.host.root = run_root;
	return f;
}

/* A rollback returns to before this apply; 0: before the last one. */
static unsigned back_to;

/* Fills the task of a rollback of the one port; false: there is nothing to do, or *err. */
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

/* Runs once over the one port: applies `desired`, or rolls back if it is NULL. */
static bool carry_out(struct fake *f, struct run *r, const struct config *desired, struct err *err)
{
	struct task t = { .port = f->port }, *tasks[] = { &t };
	struct observation seen;

	r->h = &f->host;
	r->all = fake_features;
	r->rolling_back = !desired;
	r->lock = -1;
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

bool run_apply(struct fake *f, const struct config *desired)
{
	struct err err = { 0 };
	struct run r = { .repairing = false };
	bool ok = carry_out(f, &r, desired, &err);

	run_close(&r);
	return ok;
}

bool run_repair(struct fake *f, const struct config *desired)
{
	struct err err = { 0 };
	struct run r = { .repairing = true };
	bool ok = carry_out(f, &r, desired, &err);

	run_close(&r);
	return ok;
}

bool killed(struct fake *f, const struct config *desired, unsigned n, bool after)
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
		struct run r = { .repairing = false };

		carry_out(shared, &r, desired, &err);
		_exit(1);
	}
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	*f = *shared;
	munmap(shared, sizeof(*f));
	f->kill_at = 0;
	f->now += f->carrier_ms; /* the link returns without the run */
	return WEXITSTATUS(status) == 0;
}

const char second_policy[] = "{\"mtu\": 4200, \"pfc\": {\"priorities\": [4]}}";

void leave_two(struct fake *f)
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

void is_left_by_earlier_run(struct fake *f)
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

enum outcome second_of_two(struct fake *f, bool keep_going)
{
	struct config desired = parsed(second_policy);
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
	f->fail_at = f->writes + 4; /* the journal and its copy, the room, then the first setting */
	f->code = EIO;
	assert_false(run_tasks(&r, tasks, 2, "test", "2026-01-01T00:00:00Z", &err));
	assert_int_equal(t[0].result.outcome, OUTCOME_FAILED);
	assert_int_equal(err.code, EIO);
	run_close(&r);
	return t[1].result.outcome;
}

struct hardware apply_unconfirmed(struct fake *f, const struct config *desired, int *watch)
{
	struct pending_confirm w = {
		.pid = 7,
		.started_at = "2026-01-01T00:00:00Z",
		.expires_at = "later",
		.expires_ms = UNTIL_MS,
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
	assert_true(run_tasks(&r, tasks, 1, "test", w.started_at, &err));
	assert_int_equal(journal_own_count(&r.pending), 1);
	run_close(&r);
	return before;
}
