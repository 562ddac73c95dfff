/* Tests of recordings in files: missing, broken, planted, on a full disk, and without memory. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/host/cleanup.h"
#include "policy/util/oom.h"
#include "tests/support/recording_host.h"
#include "tests/support/scarce.h"
#include "tests/support/unit.h"

static char *text; /* a recording's document */

static bool load(unsigned number, struct err *err)
{
	_free_ struct flight_recording *r = calloc(1, sizeof(*r));
	json_auto_t *document = NULL;

	return recording_load(recording_h, number, r, &document, err);
}

static void no_directory_has_no_recordings(void **s)
{
	struct err err = { 0 };

	(void)s;
	begin_recordings();
	unlinkat(recording_h->root, RECORDINGS, AT_REMOVEDIR);
	assert_int_equal(seen_recordings().found, 0);
	assert_false(load(1, &err));
	assert_int_equal(err.kind, ERR_MISSING);
}

static void one_that_was_saved_is_found(void **s)
{
	struct err err = { 0 };
	struct stat there;

	(void)s;
	begin_recordings();
	unlinkat(recording_h->root, RECORDINGS, AT_REMOVEDIR);
	umask(0);
	assert_true(recording_save(recording_h, 3, text, &err));
	assert_int_equal(seen_recordings().found, 1);
	assert_int_equal(seen_recordings().last, 3);
	assert_int_equal(fstatat(recording_h->root, RECORDINGS "/3.json", &there, 0), 0);
	assert_int_equal(there.st_mode & 0777, 0600);
	assert_int_equal(fstatat(recording_h->root, RECORDINGS, &there, 0), 0);
	assert_int_equal(there.st_mode & 0022, 0);
}

static void files_of_other_numbers_are_none(void **s)
{
	(void)s;
	begin_recordings();
	put_recording(0, text, strlen(text));
	put_recording(RECORDINGS_MAX + 1, text, strlen(text));
	assert_int_equal(seen_recordings().found + seen_recordings().skipped, 0);
}

static void one_cut_anywhere_is_named_and_passed_over(void **s)
{
	size_t size = strlen(text), step = times(97, 1);

	(void)s;
	begin_recordings();
	put_recording(7, text, size);
	for (size_t n = 0; n < size - 1; n += step) { /* the last byte is a newline */
		struct seen_recordings seen;

		put_recording(2, text, n);
		seen = seen_recordings();
		assert_int_equal(seen.found, 1);
		assert_int_equal(seen.skipped, 1);
		assert_int_equal(seen.last_skipped, 2);
		assert_string_equal(seen.why.where, "/" RECORDINGS "/2.json");
		assert_non_null(strstr(seen.why.fix, "rm "));
	}
}

static void a_zero_byte_ends_no_document(void **s)
{
	size_t size = strlen(text);
	_free_ char *bytes = calloc(size + 8, 1);

	(void)s;
	begin_recordings();
	memcpy(bytes, text, size / 2);
	memcpy(bytes + size / 2 + 4, text + size / 2, size - size / 2);
	put_recording(2, bytes, size + 4);
	assert_int_equal(seen_recordings().skipped, 1);
}

static void a_file_that_is_too_long_is_passed_over(void **s)
{
	int fd;

	(void)s;
	begin_recordings();
	put_recording(2, text, strlen(text));
	fd = openat(recording_h->root, RECORDINGS "/2.json", O_WRONLY);
	assert_int_equal(ftruncate(fd, 1 << 30), 0);
	close(fd);
	assert_int_equal(seen_recordings().why.code, EFBIG);
}

static void a_link_a_fifo_and_a_directory_are_passed_over(void **s)
{
	(void)s;
	begin_recordings();
	put_recording(1, text, strlen(text));
	assert_int_equal(symlinkat("/dev/zero", recording_h->root, RECORDINGS "/2.json"), 0);
	assert_int_equal(symlinkat("1.json", recording_h->root, RECORDINGS "/3.json"), 0);
	assert_int_equal(mkfifoat(recording_h->root, RECORDINGS "/4.json", 0600), 0);
	assert_int_equal(mkdirat(recording_h->root, RECORDINGS "/5.json", 0700), 0);
	assert_int_equal(seen_recordings().found, 1);
	assert_int_equal(seen_recordings().skipped, 4);
}

static void a_directory_that_others_can_change_is_refused(void **s)
{
	struct recording_visitor v = counting_visitor;
	struct seen_recordings seen = { 0 };
	struct err err = { 0 }, saving = { 0 };

	(void)s;
	begin_recordings();
	put_recording(1, text, strlen(text));
	assert_int_equal(fchmodat(recording_h->root, RECORDINGS, 0777, 0), 0);
	v.arg = &seen;
	assert_false(recordings_each(recording_h, &v, &err));
	assert_int_equal(err.kind, ERR_REFUSED);
	assert_int_equal(seen.found, 0);
	assert_false(recording_save(recording_h, 2, text, &saving));
	assert_int_equal(saving.kind, ERR_REFUSED);
}

static bool full_disk(struct host *host, const char *path, const char *what, struct err *err)
{
	(void)host;
	(void)path;
	(void)what;
	return err_set(err, ERR_SYSTEM, ENOSPC, "write: no space");
}

static void a_full_disk_keeps_the_one_before(void **s)
{
	struct err err = { 0 };

	(void)s;
	begin_recordings();
	assert_true(recording_save(recording_h, 1, text, &err));
	recording_h->save_file = full_disk;
	assert_false(recording_save(recording_h, 1, "{}", &err));
	recording_h->save_file = host_linux_save_file;
	assert_int_equal(err.code, ENOSPC);
	assert_int_equal(seen_recordings().found, 1);
}

/* Fail each allocation alone, then with all later ones: the recording is found, or ENOMEM. */
static void memory_that_runs_out_hides_nothing(void **s)
{
	unsigned asked = 0, refused = 0;

	(void)s;
	begin_recordings();
	put_recording(1, text, strlen(text));
	for (unsigned n = 0; n / 2 <= asked; n++) {
		struct recording_visitor v = counting_visitor;
		struct seen_recordings seen = { 0 };
		struct err err = { 0 };
		bool ok;

		v.arg = &seen;
		scarce_begin(n / 2, n % 2);
		ok = recordings_each(recording_h, &v, &err);
		asked = n < 2 ? scarce_end() : asked;
		scarce_end();
		oom_reset();
		assert_true(ok ? seen.found == 1 && seen.skipped == 0 : err.code == ENOMEM);
		refused += !ok;
	}
	assert_true(refused >= 4 || !asked); /* no allocation fails under valgrind */
}

static void a_text_without_memory_is_none_at_all(void **s)
{
	struct flight_recording r = recording_of(3);
	unsigned asked = 0;

	(void)s;
	for (unsigned n = 0; n / 2 <= asked; n++) {
		json_t *head = json_pack("{s:s, s:s}", "schema", RECORDING_SCHEMA, "host", "node1");
		_free_ char *made = NULL;

		scarce_begin(n / 2, n % 2);
		made = recording_to_text(&r, head);
		asked = n < 2 ? scarce_end() : asked;
		scarce_end();
		assert_true(!made || oom_happened() || strlen(made) > 1000);
		oom_reset();
	}
}

int main(void)
{
	static struct suite s;
	struct flight_recording r = recording_of(5);
	int failed;

	if (!make_recording_root())
		return 1;
	text = text_of_recording(&r);
	SUITE_ADD(&s, no_directory_has_no_recordings);
	SUITE_ADD(&s, one_that_was_saved_is_found);
	SUITE_ADD(&s, files_of_other_numbers_are_none);
	SUITE_ADD(&s, one_cut_anywhere_is_named_and_passed_over);
	SUITE_ADD(&s, a_zero_byte_ends_no_document);
	SUITE_ADD(&s, a_file_that_is_too_long_is_passed_over);
	SUITE_ADD(&s, a_link_a_fifo_and_a_directory_are_passed_over);
	SUITE_ADD(&s, a_directory_that_others_can_change_is_refused);
	SUITE_ADD(&s, a_full_disk_keeps_the_one_before);
	SUITE_ADD(&s, memory_that_runs_out_hides_nothing);
	SUITE_ADD(&s, a_text_without_memory_is_none_at_all);
	failed = suite_run(&s, "recording_files");
	free(text);
	return remove_recording_root() || failed;
}
