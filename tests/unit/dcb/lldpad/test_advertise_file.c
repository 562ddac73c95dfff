/* Tests of configuring an lldpad that only advertises, by its file. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "tests/support/file_scene.h"
#include "tests/support/unit.h"

static void a_port_is_advertised_and_restored_to_the_byte(void **state)
{
	struct file_scene s = file_scene();
	struct err err = { 0 };

	(void)state;
	assert_true(write_by_file(&s, true, &err));
	assert_non_null(strstr(s.conf, "tlvid0080c20b"));
	assert_non_null(strstr(s.conf, "ens1f1np1"));
	assert_int_equal(s.signal, SIGHUP);
	assert_true(write_by_file(&s, true, &err));
	assert_true(write_by_file(&s, false, &err));
	assert_string_equal(s.conf, before);
	assert_false(s.has_kept);
}

static void a_file_that_is_not_there_is_made(void **state)
{
	struct file_scene s = file_scene();
	struct err err = { 0 };

	(void)state;
	s.has_conf = false;
	assert_true(write_by_file(&s, true, &err));
	assert_non_null(strstr(s.conf, "tlvid0080c20b"));
	assert_true(write_by_file(&s, false, &err));
	assert_null(strstr(s.conf, "ens1f0np0"));
}

/* A process of uid 0 that calls itself lldpad chooses no file that root writes to. */
static const struct strange_row {
	const char *sentence, *command, *mounts, *uids, *conf, *text;
} strange[] = {
	{ "another file system at the root is another file", NULL, "30 1 0:42 / / rw\n", NULL, NULL,
	  "runs in another mount or user namespace" },
	{ "so is one at the directory", NULL, "22 1 8:1 / / rw\n31 22 0:42 / /var/lib/lldpad rw\n",
	  NULL, NULL, "runs in another mount or user namespace" },
	{ "so is another directory of the same file system", NULL, "22 1 8:1 /container / rw\n",
	  NULL, NULL, "runs in another mount or user namespace" },
	{ "so is a file, where no mount says what it is", NULL, "", NULL, NULL,
	  "runs in another mount or user namespace" },
	{ "uid 0 of another user namespace is not root", NULL, NULL, "0 100000 65536", NULL,
	  "runs in another mount or user namespace" },
	{ "a file that it names exists", "-f/etc/new", NULL, NULL, NULL,
	  "it is not its configuration" },
	{ "the file is lldpad's", NULL, NULL, NULL, "common : { users = 1; };\n",
	  "it is not its configuration" },
};

static void is_not_written_to(void **state)
{
	const struct strange_row *row = *state;

	for (enum work w = ADVERTISE; w <= AFTER_A_BOOT; w++) {
		struct file_scene s = file_scene();
		struct err err = { 0 }, none = { 0 };
		unsigned changes;

		if (row->command && w != ADVERTISE)
			continue;
		if (w != ADVERTISE)
			assert_true(write_by_file(&s, true, &none));
		changes = s.changes;
		s.command = row->command;
		s.mounts = row->mounts;
		s.uids = row->uids;
		if (row->conf)
			snprintf(s.conf, sizeof(s.conf), "%s", row->conf);
		assert_false(carry_out(&s, w, &err));
		assert_int_equal(err.kind, ERR_REFUSED);
		assert_non_null(strstr(err.text, row->text));
		assert_int_equal(s.changes, changes);
	}
}

static void the_same_file_through_another_mount_is_written_to(void **state)
{
	struct file_scene s = file_scene();
	struct err err = { 0 };

	(void)state;
	s.mounts = "40 1 8:1 / / ro\n41 40 8:1 /var /var rw\n"
		   "42 41 8:1 /var/lib/lldpad /var/lib/lldpad rw\n43 41 0:9 / /var/lib/lld rw\n";
	assert_true(write_by_file(&s, true, &err));
}

/* Nothing is lost: after any failure, rolling back restores the file. */
static void whatever_fails_the_way_back_is_there(void **state)
{
	unsigned n = 0, failed;

	(void)state;
	do {
		struct file_scene s = file_scene();
		struct err err = { 0 }, none = { 0 };

		s.fail_at = ++n;
		failed = !write_by_file(&s, true, &err);
		assert_int_equal(failed, err.kind != ERR_NONE);
		s.fail_at = 0;
		if (failed && !s.has_kept)
			assert_string_equal(s.conf, before);
		else
			assert_true(write_by_file(&s, false, &none));
		assert_string_equal(s.conf, before);
	} while (failed);
	assert_in_range(n, 4, 20);
}

/* Writing needs every read to succeed, and so does the proof that follows it. */
#define READS_BEFORE 3
#define READS	     5

static const struct unread_row {
	const char *sentence;
	enum work work;
} unread[] = {
	{ "to advertise, read the file first, then write", ADVERTISE },
	{ "so does who is to fall silent", STOP_ADVERTISING },
	{ "so is it after a boot", AFTER_A_BOOT },
};

static void reads_first(void **state)
{
	const struct unread_row *row = *state;

	for (unsigned n = 1; n <= READS + 1; n++) {
		struct file_scene s = file_scene();
		struct err err = { 0 }, none = { 0 };
		bool writes = n > READS_BEFORE;
		unsigned changes;

		if (row->work != ADVERTISE)
			assert_true(write_by_file(&s, true, &none));
		changes = s.changes;
		s.unread_at = s.reads + n;
		if (carry_out(&s, row->work, &err)) {
			assert_int_equal(n, READS + 1);
			continue;
		}
		assert_int_equal(err.code, EIO);
		assert_int_equal(s.changes != changes, writes);
		assert_int_equal(s.has_kept, row->work != ADVERTISE || writes);
	}
}

static void a_file_that_is_never_whole_is_not_written(void **state)
{
	(void)state;
	for (enum work w = ADVERTISE; w <= AFTER_A_BOOT; w++) {
		struct file_scene s = file_scene();
		struct err err = { 0 }, none = { 0 };
		unsigned changes;

		if (w != ADVERTISE)
			assert_true(write_by_file(&s, true, &none));
		changes = s.changes;
		s.reads = 0;
		s.never_whole = true;
		assert_false(carry_out(&s, w, &err));
		assert_int_equal(err.code, EBUSY);
		assert_string_equal(err.text, "lldpad does not stop writing " CONF);
		assert_int_equal(s.changes, changes);
	}
}

static void a_file_in_the_making_is_waited_for(void **state)
{
	struct file_scene s = file_scene();
	struct err err = { 0 };

	(void)state;
	s.rewrites = 3;
	assert_true(write_by_file(&s, true, &err));
	assert_non_null(strstr(s.conf, "ens1f1np1"));
}

static void a_file_that_is_none_of_lldpads_is_not_written(void **state)
{
	struct file_scene s = file_scene();
	struct err err = { 0 };

	(void)state;
	snprintf(s.conf, sizeof(s.conf), "lldp : {{{");
	assert_false(write_by_file(&s, true, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_int_equal(s.changes, 0);
}

static void without_an_lldpad_nothing_is_written(void **state)
{
	struct file_scene s = file_scene();
	struct err err = { 0 };

	(void)state;
	s.has_lldpad = false;
	assert_false(write_by_file(&s, true, &err));
	assert_int_equal(err.kind, ERR_MISSING);
	assert_int_equal(s.changes, 0);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_port_is_advertised_and_restored_to_the_byte);
	SUITE_ADD(&s, a_file_that_is_not_there_is_made);
	SUITE_ADD_ROWS(&s, strange, is_not_written_to);
	SUITE_ADD(&s, the_same_file_through_another_mount_is_written_to);
	SUITE_ADD(&s, whatever_fails_the_way_back_is_there);
	SUITE_ADD_ROWS(&s, unread, reads_first);
	SUITE_ADD(&s, a_file_that_is_never_whole_is_not_written);
	SUITE_ADD(&s, a_file_in_the_making_is_waited_for);
	SUITE_ADD(&s, a_file_that_is_none_of_lldpads_is_not_written);
	SUITE_ADD(&s, without_an_lldpad_nothing_is_written);
	return suite_run(&s, "advertise_file");
}
