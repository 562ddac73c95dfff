/* Tests of restoring the file of an lldpad that only advertises. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "dcb/lldpad/advertise.h"
#include "tests/support/file_scene.h"
#include "tests/support/unit.h"

/* Roll back in one of two ways: as a change, or after a boot that ended the run. */
static void whatever_fails_is_done_the_next_time(bool (*go_back)(struct file_scene *, struct err *))
{
	unsigned n = 0, failed;

	do {
		struct file_scene s = file_scene();
		struct err err = { 0 }, none = { 0 };

		assert_true(write_by_file(&s, true, &none));
		s.fail_at = s.changes + ++n;
		failed = !go_back(&s, &err);
		assert_int_equal(failed, err.kind != ERR_NONE);
		assert_int_equal(s.has_kept, failed);
		s.fail_at = 0;
		assert_true(!failed || go_back(&s, &none));
		assert_string_equal(s.conf, before);
		assert_false(s.has_kept);
	} while (failed);
	assert_int_equal(n, 4); /* file, signal, kept section, and a run without failure */
}

static bool fall_silent(struct file_scene *s, struct err *err)
{
	return write_by_file(s, false, err);
}

static bool stop_advertising(struct file_scene *s, struct err *err)
{
	return restore_advertise_file(&s->host, "ens1f0np0", err);
}

static void whatever_fails_on_the_way_back_is_done_the_next_time(void **state)
{
	(void)state;
	whatever_fails_is_done_the_next_time(fall_silent);
}

static void whatever_fails_after_a_boot_is_done_the_next_time(void **state)
{
	(void)state;
	whatever_fails_is_done_the_next_time(stop_advertising);
}

static void a_port_that_never_spoke_falls_silent(void **state)
{
	struct file_scene s = file_scene();
	struct err err = { 0 };

	(void)state;
	assert_true(write_by_file(&s, false, &err));
	assert_false(s.has_kept);
	assert_int_equal(s.signal, SIGHUP);
	assert_non_null(strstr(s.conf, "adminStatus = 2;"));
	assert_non_null(strstr(s.conf, "enableTx = false;"));
	assert_null(strstr(s.conf, "enableTx = true;"));
}

static void a_file_that_was_broken_meanwhile_keeps_what_was_kept(void **state)
{
	struct file_scene s = file_scene();
	struct err err = { 0 };
	unsigned changes;

	(void)state;
	assert_true(write_by_file(&s, true, &err));
	snprintf(s.conf, sizeof(s.conf), "lldp : {{{");
	changes = s.changes;
	assert_false(restore_advertise_file(&s.host, "ens1f0np0", &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_int_equal(s.changes, changes);
	assert_true(s.has_kept);
}

/* No section is kept, and restoring it leaves the port without a section. */
static void a_port_without_a_part_of_its_own_gets_none_back(void **state)
{
	static const char others[] = "lldp : \n{\n  ens1f1np1 : \n  {\n    adminStatus = 3;\n  };\n"
				     "};\n";

	(void)state;
	for (enum work w = STOP_ADVERTISING; w <= AFTER_A_BOOT; w++) {
		struct file_scene s = file_scene();
		struct err err = { 0 };

		memcpy(s.conf, others, sizeof(others));
		assert_true(write_by_file(&s, true, &err));
		assert_true(s.has_kept);
		assert_string_equal(s.kept, "# " CONF "\n");
		assert_true(carry_out(&s, w, &err));
		assert_string_equal(s.conf, others);
		assert_false(s.has_kept);
	}
}

/* After a boot: lldpad does not run yet, or rereads its file. */
static void the_kept_section_is_restored(void **state)
{
	(void)state;
	for (int has_lldpad = 0; has_lldpad < 2; has_lldpad++) {
		struct file_scene s = file_scene();
		struct err err = { 0 };

		assert_true(write_by_file(&s, true, &err));
		s.has_lldpad = has_lldpad;
		s.signal = 0;
		assert_true(restore_advertise_file(&s.host, "ens1f0np0", &err));
		assert_string_equal(s.conf, before);
		assert_false(s.has_kept);
		assert_int_equal(s.signal, has_lldpad ? SIGHUP : 0);
	}
}

/* When a link comes up, lldpad writes all that it remembers over its file. */
static void what_lldpad_overwrites_is_written_again(void **state)
{
	(void)state;
	for (enum work w = ADVERTISE; w <= AFTER_A_BOOT; w++) {
		struct file_scene s = file_scene();
		struct err err = { 0 };

		assert_true(w == ADVERTISE || write_by_file(&s, true, &err));
		s.overwrites = 2;
		assert_true(carry_out(&s, w, &err));
		assert_int_equal(s.overwrites, 0);
		if (w == ADVERTISE)
			assert_non_null(strstr(s.conf, "tlvid0080c20b"));
		else
			assert_string_equal(s.conf, before);
		assert_int_equal(s.has_kept, w == ADVERTISE);
	}
}

/* Its TLVs are the same, and its port may only receive. */
static void an_overwritten_status_is_noticed(void **state)
{
	struct file_scene s = file_scene();
	struct err err = { 0 };
	char *status;

	(void)state;
	assert_true(write_by_file(&s, true, &err));
	status = strstr(s.conf, "adminStatus = 3;");
	assert_non_null(status);
	status[14] = '2';
	s.overwrites = 1;
	assert_true(write_by_file(&s, true, &err));
	assert_non_null(strstr(s.conf, "adminStatus = 3;\n    tlvid"));
}

/* It truncates the file before it writes it. */
static void a_file_that_lldpad_emptied_is_written_again(void **state)
{
	struct file_scene s = file_scene();
	struct err err = { 0 };

	(void)state;
	assert_true(write_by_file(&s, true, &err));
	s.empties = true;
	assert_true(carry_out(&s, AFTER_A_BOOT, &err));
	assert_false(s.empties);
	assert_string_equal(s.conf, before);
}

/* The saved section stays: lldpad may not have handled the signal, and write over the file yet. */
static void an_lldpad_that_does_not_answer_is_an_error(void **state)
{
	struct file_scene s = file_scene();
	struct err err = { 0 };

	(void)state;
	assert_true(write_by_file(&s, true, &err));
	s.hangs = true;
	assert_false(carry_out(&s, AFTER_A_BOOT, &err));
	assert_int_equal(err.code, ETIMEDOUT);
	assert_true(s.has_kept);
}

static void an_lldpad_that_always_overwrites_it_is_an_error(void **state)
{
	struct file_scene s = file_scene();
	struct err err = { 0 };

	(void)state;
	assert_true(write_by_file(&s, true, &err));
	s.overwrites = 1000;
	assert_false(carry_out(&s, AFTER_A_BOOT, &err));
	assert_int_equal(err.kind, ERR_VERIFY);
	assert_non_null(strstr(err.text, "lldpad keeps writing its earlier settings over " CONF));
	assert_true(s.has_kept);
	assert_in_range(s.now, 10000, 12000);
}

static void an_lldpad_that_ended_left_the_path_of_its_file(void **state)
{
	struct file_scene s = file_scene();
	struct err err = { 0 };

	(void)state;
	s.path = "/etc/here.conf";
	s.command = "-f/etc/here.conf";
	assert_true(write_by_file(&s, true, &err));
	s.has_lldpad = false;
	assert_true(restore_advertise_file(&s.host, "ens1f0np0", &err));
	assert_string_equal(s.conf, before);
	assert_false(s.has_kept);
}

static void where_nothing_is_kept_nothing_is_written(void **state)
{
	struct file_scene s = file_scene();
	struct err err = { 0 };

	(void)state;
	assert_true(restore_advertise_file(&s.host, "ens1f0np0", &err));
	assert_int_equal(s.changes, 0);
}

static void without_a_file_what_is_kept_is_forgotten(void **state)
{
	struct file_scene s = file_scene();
	struct err err = { 0 };

	(void)state;
	assert_true(write_by_file(&s, true, &err));
	s.has_conf = false;
	assert_true(restore_advertise_file(&s.host, "ens1f0np0", &err));
	assert_false(s.has_conf);
	assert_false(s.has_kept);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, whatever_fails_on_the_way_back_is_done_the_next_time);
	SUITE_ADD(&s, a_port_that_never_spoke_falls_silent);
	SUITE_ADD(&s, a_file_that_was_broken_meanwhile_keeps_what_was_kept);
	SUITE_ADD(&s, a_port_without_a_part_of_its_own_gets_none_back);
	SUITE_ADD(&s, the_kept_section_is_restored);
	SUITE_ADD(&s, what_lldpad_overwrites_is_written_again);
	SUITE_ADD(&s, an_lldpad_that_always_overwrites_it_is_an_error);
	SUITE_ADD(&s, an_overwritten_status_is_noticed);
	SUITE_ADD(&s, a_file_that_lldpad_emptied_is_written_again);
	SUITE_ADD(&s, an_lldpad_that_does_not_answer_is_an_error);
	SUITE_ADD(&s, an_lldpad_that_ended_left_the_path_of_its_file);
	SUITE_ADD(&s, where_nothing_is_kept_nothing_is_written);
	SUITE_ADD(&s, without_a_file_what_is_kept_is_forgotten);
	SUITE_ADD(&s, whatever_fails_after_a_boot_is_done_the_next_time);
	return suite_run(&s, "advertise_file_restore");
}
