/* Tests of runs whose files cannot be read or written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/engine/write/run.h"
#include "policy/model/setting.h"
#include "tests/integration/runs.h"
#include "tests/integration/port_state.h"

static void nothing_is_written_before_the_journal_is_on_disk(void **s)
{
	struct config desired = parsed(lossless);
	struct fake f = fresh_run();
	struct hardware before = f.hw;

	(void)s;
	f.only_writes = true;
	f.fail_at = 2; /* after the copy, which then goes */
	f.code = ENOSPC;
	assert_false(run_apply(&f, &desired));
	assert_int_equal(f.writes, 3);
	assert_memory_equal(&f.hw, &before, sizeof(before));
}

/* Counts the calls of restore_files(), for a feature whose writes persist across a boot. */
static unsigned unfiled;
static bool files_can_be_restored;
static uint8_t unfiled_priorities;

static bool restore_files(struct host *h, const char *port, const struct config *back,
			  struct err *err)
{
	struct fake *f = (struct fake *)h;

	assert_string_equal(port, f->port.id.name);
	/* Interrupted here, the next run repeats it. */
	assert_true(fake_file(f, PENDING, false) || fake_file(f, JOURNAL_OF_FILES, false));
	unfiled++;
	unfiled_priorities = back->pfc.priorities;
	return files_can_be_restored || err_set(err, ERR_SYSTEM, EIO, "no");
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
	struct config desired = parsed(lossless);
	struct fake f = fresh_run();

	(void)s;
	assert_true(run_apply(&f, &desired));
	desired = parsed(second_policy);
	assert_true(killed(&f, &desired, 3, true));
	next_run_with_files(&f);
	assert_int_equal(unfiled, 0);
	snprintf(fake_file(&f, "/proc/sys/kernel/random/boot_id", false)->text, FAKE_TEXT,
		 "other-boot");
	next_run_with_files(&f);
	assert_int_equal(unfiled, 1);
	assert_int_equal(unfiled_priorities, 8);
	assert_null(fake_file(&f, PENDING, false)); /* that run's journal would take its place */
	assert_non_null(fake_file(&f, JOURNAL_OF_FILES, false));
	files_can_be_restored = true; /* the next run tries again */
	next_run_with_files(&f);
	assert_int_equal(unfiled, 1);
	assert_int_equal(unfiled_priorities, 8);
	assert_null(fake_file(&f, PENDING, false));
	assert_null(fake_file(&f, JOURNAL_OF_FILES, false));
	next_run_with_files(&f);
	assert_int_equal(unfiled, 0);
}

static void a_damaged_journal_is_set_aside_by_an_apply_and_stops_a_rollback(void **s)
{
	struct config desired = parsed(lossless);
	struct fake f = fresh_run();

	(void)s;
	snprintf(fake_file(&f, PENDING, true)->text, FAKE_TEXT, "{\"boot_id\": \"this-b");
	assert_false(run_apply(&f, NULL));
	assert_int_equal(f.writes, 0);
	assert_true(run_apply(&f, &desired));
	assert_non_null(fake_file(&f, JOURNAL_DAMAGED, false));
	assert_null(fake_file(&f, PENDING, false));
	desired = parsed(second_policy);
	assert_true(killed(&f, &desired, 3, true));
	snprintf(fake_file(&f, "/proc/sys/kernel/random/boot_id", false)->text, FAKE_TEXT,
		 "other-boot");
	assert_true(run_apply(&f, &desired));
	assert_non_null(fake_file(&f, PENDING ".this-boot", false));
	assert_non_null(fake_file(&f, JOURNAL_DAMAGED, false)); /* a later crash does not take it */
}

/* The copy of a killed run restores the port, whatever became of its journal. */
static void either_copy_of_the_journal_is_enough(void **s)
{
	struct config desired = parsed(second_policy);
	struct fake f = fresh_run();
	struct hardware before = f.hw;

	(void)s;
	assert_true(killed(&f, &desired, 6, true));
	snprintf(fake_file(&f, PENDING, false)->text, FAKE_TEXT, "torn");
	assert_true(run_apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
	assert_null(fake_file(&f, PENDING, false));
	assert_null(fake_file(&f, JOURNAL_COPY, false));
}

static struct {
	const char *path;
	int code;
	struct host whole;
} disk;

static bool is_broken(const char *path, struct err *err)
{
	return disk.path && strstr(path, disk.path) &&
	       !err_set(err, ERR_SYSTEM, disk.code, "%s: %s", path, strerror(disk.code));
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

static bool list_or_fail(struct host *h, const char *path,
			 void (*each)(const char *name, void *arg), void *arg, struct err *err)
{
	return !is_broken(path, err) && disk.whole.list_dir(h, path, each, arg, err);
}

static bool make_or_fail(struct host *h, const char *path, struct err *err)
{
	return !is_broken(path, err) && disk.whole.make_dir(h, path, err);
}

enum disk_fault { READING, SAVING, MOVING, MAKING, LISTING };

static void break_disk(struct fake *f, enum disk_fault fault, const char *path)
{
	disk.path = path;
	disk.code = EIO;
	disk.whole = f->host;
	if (fault == READING)
		f->host.read_file = read_or_fail;
	if (fault == SAVING)
		f->host.save_file = save_or_fail;
	if (fault == MOVING)
		f->host.move_file = move_or_fail;
	if (fault == MAKING)
		f->host.make_dir = make_or_fail;
	if (fault == LISTING)
		f->host.list_dir = list_or_fail;
}

static void a_rollback_needs_no_journal_of_its_own(void **s)
{
	struct config desired = parsed(lossless);
	struct fake f = fresh_run();
	struct hardware before = f.hw;

	(void)s;
	assert_true(run_apply(&f, &desired));
	break_disk(&f, SAVING, PENDING);
	assert_true(run_apply(&f, NULL));
	assert_true(hardware_is(&f.hw, &before));
}

static void a_disk_that_fails_before_the_first_change_stops_a_run(void **s)
{
	static const struct {
		enum disk_fault fault;
		const char *path;
		bool rolling_back;
	} rows[] = {
		{ MAKING, "/var/lib/losslessctl", false },
		{ MAKING, "/run/losslessctl", false },
		{ READING, "/run/losslessctl/pending-confirm.json", false },
		{ READING, PENDING, false },
		{ SAVING, PENDING, false },
		{ READING, FIRST, true },
		{ READING, "boot_id", true },
	};
	struct config first = parsed(second_policy), desired = parsed(lossless);

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake f = fresh_run();
		struct hardware before;

		assert_true(run_apply(&f, &first));
		before = f.hw;
		break_disk(&f, rows[i].fault, rows[i].path);
		if (run_apply(&f, rows[i].rolling_back ? NULL : &desired))
			fail_msg("row %zu: it went well", i);
		if (!hardware_is(&f.hw, &before))
			fail_msg("row %zu: something was written", i);
		f.host = disk.whole;
		assert_true(run_apply(&f, &desired));
		assert_true(hardware_has(&f.hw, &desired));
	}
}

/* The copy of the journal is enough, and so is the lock of a file that is there. */
static void a_disk_that_fails_does_not_stop_a_rollback(void **s)
{
	static const struct {
		enum disk_fault fault;
		const char *path;
		bool ends; /* else a later rollback ends it */
	} rows[] = {
		{ MAKING, "/var/lib", true },
		{ MAKING, "/var/lib/losslessctl/journal", true },
		{ MAKING, "/run/losslessctl", true },
		{ READING, "/run/losslessctl/pending-confirm.json", true },
		{ READING, PENDING, true },
		{ SAVING, "/run/losslessctl", true },
		{ SAVING, JOURNAL_DIR, true },
		{ MOVING, "/run/losslessctl/pending-confirm.json", true },
		{ MOVING, JOURNAL_COPY, false },
		{ MOVING, PENDING, true }, /* it can still be removed */
		{ LISTING, JOURNAL_DIR, true },
	};
	struct config desired = parsed(lossless);

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake f = fresh_run();
		int watch = -1;
		struct hardware before = apply_unconfirmed(&f, &desired, &watch);

		break_disk(&f, rows[i].fault, rows[i].path);
		if (run_apply(&f, NULL) != rows[i].ends)
			fail_msg("row %zu: it says that it %s", i,
				 rows[i].ends ? "failed" : "went well");
		if (!hardware_is(&f.hw, &before))
			fail_msg("row %zu: not as before", i);
		f.host = disk.whole;
		assert_true(run_apply(&f, NULL));
		assert_true(hardware_is(&f.hw, &before));
		if (fake_file(&f, PENDING, false) || fake_file(&f, JOURNAL_COPY, false))
			fail_msg("row %zu: it did not end", i);
		close(watch);
	}
}

/* It is the one error of a state directory that stops a rollback: what it holds may be forged. */
static void a_directory_that_others_can_change_stops_a_rollback(void **s)
{
	struct config desired = parsed(lossless);
	struct fake f = fresh_run();
	int watch = -1;

	(void)s;
	apply_unconfirmed(&f, &desired, &watch);
	assert_int_equal(mkdirat(f.host.root, "var", 0755), 0);
	assert_int_equal(fchmodat(f.host.root, "var", 0777, 0), 0);
	break_disk(&f, MAKING, "/var");
	assert_false(run_apply(&f, NULL));
	assert_true(hardware_has(&f.hw, &desired));
	assert_int_equal(unlinkat(f.host.root, "var", AT_REMOVEDIR), 0);
	close(watch);
}

/* A directory, a FIFO or a huge file stops nothing for ever: no run of ours made it. */
static void what_cannot_be_a_state_file_stops_nothing(void **s)
{
	static const int codes[] = { EFBIG, EISDIR, EINVAL };
	struct config desired = parsed(lossless);

	(void)s;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct fake f = fresh_run();
		struct hardware before;
		int watch = -1;

		break_disk(&f, READING, "pending-confirm.json");
		disk.code = codes[i];
		assert_true(run_apply(&f, &desired));
		f.host = disk.whole;
		assert_true(run_apply(&f, NULL));
		before = apply_unconfirmed(&f, &desired, &watch);
		break_disk(&f, READING, "pending-confirm.json");
		disk.code = codes[i];
		assert_true(run_apply(&f, NULL));
		assert_true(hardware_is(&f.hw, &before));
		f.host = disk.whole;
		close(watch);
		snprintf(fake_file(&f, PENDING, true)->text, FAKE_TEXT, "not read");
		break_disk(&f, READING, PENDING);
		disk.code = codes[i];
		assert_false(run_apply(&f, NULL));
		assert_true(run_apply(&f, &desired));
		f.host = disk.whole;
		assert_non_null(fake_file(&f, JOURNAL_DAMAGED, false));
		assert_true(hardware_has(&f.hw, &desired));
	}
}

/*
 * A finished change stays, and the journal for the next run is there. The journal becomes the undo
 * without another byte, so only that step can fail.
 */
static void a_disk_that_fails_at_the_end_loses_nothing(void **s)
{
	static const struct {
		enum disk_fault fault;
		const char *path;
		bool ends;
	} rows[] = { { MOVING, PENDING, false }, { SAVING, FIRST, true } };
	struct config desired = parsed(lossless);

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake f = fresh_run();
		struct hardware before = f.hw;

		break_disk(&f, rows[i].fault, rows[i].path);
		assert_int_equal(run_apply(&f, &desired), rows[i].ends);
		assert_true(hardware_has(&f.hw, &desired));
		f.host = disk.whole;
		assert_non_null(fake_file(&f, rows[i].ends ? FIRST : PENDING, false));
		assert_null(fake_file(&f, rows[i].ends ? PENDING : FIRST, false));
		assert_int_equal(!fake_file(&f, JOURNAL_COPY, false), rows[i].ends);
		assert_true(run_apply(&f, NULL));
		assert_true(hardware_is(&f.hw, &before));
	}
}

/* Only the second port was applied: the run writes an undo for it alone before it ends. */
static void what_was_done_in_part_keeps_the_run_open_until_its_undo_is_on_disk(void **s)
{
	struct fake f = fresh_run();

	(void)s;
	break_disk(&f, SAVING, FIRST);
	assert_int_equal(second_of_two(&f, true), OUTCOME_APPLIED);
	assert_non_null(fake_file(&f, PENDING, false));
	assert_null(fake_file(&f, FIRST, false));
}

static void without_the_boot_nothing_says_what_waits(void **s)
{
	struct config desired = parsed(lossless);
	struct fake f = fresh_run();
	struct pending_confirm w;
	struct err err = { 0 }, more = { 0 };
	int watch = -1;

	(void)s;
	apply_unconfirmed(&f, &desired, &watch);
	break_disk(&f, READING, "boot_id");
	assert_false(pending_confirm_load(&f.host, &w, &err));
	assert_false(pending_confirm_save(&f.host, &w, &more));
	f.host = disk.whole;
	close(watch);
	assert_true(run_apply(&f, NULL));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_disk_that_fails_before_the_first_change_stops_a_run),
		cmocka_unit_test(a_rollback_needs_no_journal_of_its_own),
		cmocka_unit_test(a_disk_that_fails_at_the_end_loses_nothing),
		cmocka_unit_test(
			what_was_done_in_part_keeps_the_run_open_until_its_undo_is_on_disk),
		cmocka_unit_test(a_disk_that_fails_does_not_stop_a_rollback),
		cmocka_unit_test(what_cannot_be_a_state_file_stops_nothing),
		cmocka_unit_test(a_directory_that_others_can_change_stops_a_rollback),
		cmocka_unit_test(without_the_boot_nothing_says_what_waits),
		cmocka_unit_test(nothing_is_written_before_the_journal_is_on_disk),
		cmocka_unit_test(after_a_boot_a_run_that_did_not_end_leaves_no_files),
		cmocka_unit_test(a_damaged_journal_is_set_aside_by_an_apply_and_stops_a_rollback),
		cmocka_unit_test(either_copy_of_the_journal_is_enough),
	};

	return cmocka_run_group_tests(tests, make_run_root, remove_run_root);
}
