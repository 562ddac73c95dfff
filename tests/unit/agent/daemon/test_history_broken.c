/* Tests of the drift history: a broken file, a full disk, and failing allocations. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/daemon/history.h"
#include "agent/host/host_linux.h"
#include "policy/util/oom.h"
#include "tests/support/history_host.h"
#include "tests/support/scarce.h"
#include "tests/support/unit.h"

/* Replace the history file by these bytes. */
static void put_history(const char *bytes, size_t size)
{
	static const char *const dirs[] = { "var", "var/lib", "var/lib/losslessctl" };
	int fd;

	for (size_t i = 0; i < COUNT(dirs); i++)
		mkdirat(history_h->root, dirs[i], 0700);
	fd = openat(history_h->root, FILE_NAME, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	close(fd);
}

static const struct broken_row {
	const char *sentence, *find, *replace;
} broken_rows[] = {
	{ "another version is passed over", "drift-record/1", "drift-record/2" },
	{ "no schema is passed over", "\"schema\":\"losslessctl/drift-record/1\",", "" },
	{ "a schema that is no text is passed over", "\"losslessctl/drift-record/1\"", "1" },
	{ "no JSON is passed over", "{", "" },
	{ "a line cut short is passed over", ",\"duration_s\":0}", "" },
	{ "two of one key are passed over", "\"port\"", "\"port\":\"x\",\"port\"" },
	{ "a setting of another version is ignored", "\"mtu\"", "\"warp\"" },
	{ "a setting that is no text is ignored", "\"mtu\"", "{}" },
	{ "an unknown event is passed over", "\"detected\"", "\"exploded\"" },
	{ "no event is passed over", "\"event\":\"detected\",", "" },
	{ "a value of the wrong kind is passed over", "9000", "\"big\"" },
	{ "a number that does not fit is passed over", "9000", "99999999999" },
	{ "no value is passed over", "\"to\":1500,", "" },
	{ "a time without a zone is passed over", "03Z\",\"port\"", "03\",\"port\"" },
	{ "a time with more behind it is passed over", "03Z\",\"port\"", "03Z!\",\"port\"" },
	{ "a day that there is not is passed over", "2026-05-01", "2026-02-31" },
	{ "a blank before the time is passed over", "\"2026", "\" 2026" },
	{ "a time that is no text is passed over", "\"2026-05-01T12:00:03Z\",\"port\"",
	  "0,\"port\"" },
	{ "a name that is too long is passed over", "\"ens1\"", "\"ens1ens1ens1ens1\"" },
	{ "a name that is no text is passed over", "\"ens1\"", "[]" },
	{ "no writer is passed over", "\"likely_writer\":\"unknown\",", "" },
	{ "a time below zero is passed over", "\"duration_s\":0", "\"duration_s\":-1" },
	{ "a broken number is passed over", "\"duration_s\":0", "\"duration_s\":0.5" },
	{ "a text that ends early is passed over", "ens1", "ens1\\u0000" },
	{ "a list is passed over", "{", "[{" },
	{ "an empty line is passed over", LINE, "\n" },
};

static void broken(void **s)
{
	const struct broken_row *row = *s;
	const char *at = strstr(LINE, row->find);
	char text[4 * sizeof(LINE)];
	struct drift_record r = pfc_drift();

	assert_non_null(at);
	snprintf(text, sizeof(text), "%s%.*s%s%s%s", LINE, (int)(at - LINE), LINE, row->replace,
		 at + strlen(row->find), LINE);
	history_begin(NULL);
	put_history(text, strlen(text));
	assert_int_equal(found_records().count, 2);
	assert_int_equal(found_records().unread, row->replace[0] != '\n');
	add_record(&r);
	assert_int_equal(found_records().count, 3);
}

static void a_dscp_that_there_is_not_is_passed_over(void **s)
{
	static const char *const maps[] = { "{\"64\":null}",   "{\"-1\":null}", "{\"x\":null}",
					    "{\"26\":[null]}", "[null]",	"null" };
	char text[1024];

	for (size_t i = 0; i < COUNT(maps); i++) {
		history_begin(s);
		snprintf(text, sizeof(text),
			 "{\"schema\":\"losslessctl/drift-record/1\","
			 "\"recorded_at\":\"2026-05-01T12:00:03Z\","
			 "\"port\":\"ens1\",\"pci\":\"\",\"setting\":\"dscp.prio\","
			 "\"event\":\"detected\",\"from\":{},\"to\":%s,\"likely_writer\":\"\","
			 "\"first_seen_at\":\"2026-05-01T12:00:03Z\",\"duration_s\":0}",
			 maps[i]);
		put_history(text, strlen(text));
		assert_int_equal(found_records().count, strcmp(maps[i], "null") == 0);
	}
}

static void a_file_cut_anywhere_keeps_its_whole_lines(void **s)
{
	static const char lines[] = LINE LINE;
	struct drift_record r = pfc_drift();

	for (size_t size = 0; size < sizeof(lines); size++) {
		size_t whole = (size + 1) / (sizeof(LINE) - 1); /* the last newline is optional */

		history_begin(s);
		put_history(lines, size);
		assert_int_equal(found_records().count, whole);
		add_record(&r);
		assert_int_equal(found_records().count, whole + 1);
	}
}

static void any_bytes_do_no_harm(void **s)
{
	unsigned seed = 1;
	char bytes[3 * sizeof(LINE)] = "";
	struct drift_record r = pfc_drift();

	for (int i = 0; i < 200; i++) {
		history_begin(s);
		snprintf(bytes, sizeof(bytes), LINE LINE LINE);
		for (size_t n = 0; n < 10; n++)
			bytes[(unsigned)rand_r(&seed) % sizeof(bytes)] = (char)rand_r(&seed);
		put_history(bytes, sizeof(bytes));
		found_records();
		add_record(&r);
		assert_int_equal(found_records().last.event, HISTORY_REPAIRED);
	}
}

static void a_file_that_is_too_long_is_put_aside(void **s)
{
	struct drift_record r = pfc_drift();
	struct found_records f = { 0 };
	struct err err = { 0 };
	struct stat there;
	int fd;

	history_begin(s);
	fd = openat(history_h->root, FILE_NAME, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(ftruncate(fd, 64 << 20), 0);
	close(fd);
	assert_false(history_each(history_h, note_record, &f, NULL, &err));
	assert_int_equal(err.code, EFBIG);
	add_record(&r);
	assert_int_equal(found_records().count, 1);
	assert_int_equal(fstatat(history_h->root, FILE_NAME ".damaged", &there, 0), 0);
}

static void a_million_empty_lines_make_room(void **s)
{
	static char lines[1000000];
	struct drift_record r = pfc_drift();

	history_begin(s);
	memset(lines, '\n', sizeof(lines));
	put_history(lines, sizeof(lines));
	add_record(&r);
	assert_int_equal(found_records().count, 1);
	assert_true(history_size() < 1000);
}

static bool full_disk(struct host *host, const char *path, const char *text, struct err *err)
{
	(void)host;
	(void)path;
	(void)text;
	return err_set(err, ERR_SYSTEM, ENOSPC, "write: no space");
}

static unsigned saves;

static bool count_save(struct host *self, const char *path, const char *text, struct err *err)
{
	saves++;
	return host_linux_save_file(self, path, text, err);
}

static void many_records_are_one_write(void **s)
{
	struct drift_record r = pfc_drift();
	json_auto_t *records = json_array();
	struct err err = { 0 };

	history_begin(s);
	add_record(&r);
	for (unsigned i = 0; i < 40; i++)
		json_array_append_new(records, history_narrow(&r));
	saves = 0;
	history_h->save_file = count_save;
	assert_true(history_add(history_h, records, &err));
	history_h->save_file = host_linux_save_file;
	assert_int_equal(saves, 1);
	assert_int_equal(found_records().count, 41);
}

static void a_full_disk_is_reported_and_loses_nothing(void **s)
{
	struct drift_record r = pfc_drift();
	struct err err = { 0 };

	history_begin(s);
	add_record(&r);
	history_h->save_file = full_disk;
	assert_false(try_add(&r, &err));
	history_h->save_file = host_linux_save_file;
	assert_int_equal(err.code, ENOSPC);
	assert_int_equal(found_records().count, 1);
}

static void a_host_that_only_reads_adds_nothing(void **s)
{
	struct drift_record r = pfc_drift();
	struct err err = { 0 };

	history_begin(s);
	add_record(&r);
	history_h->may_write = false;
	assert_false(try_add(&r, &err));
	assert_int_equal(found_records().count, 1);
	history_h->may_write = true;
	assert_int_equal(err.kind, ERR_REFUSED);
}

/* Fail each allocation alone, then with all later ones: old records stay, new ones are whole. */
static void memory_that_runs_out_loses_nothing(void **s)
{
	struct drift_record r = pfc_drift();
	json_auto_t *records = json_pack("[o, o]", history_narrow(&r), history_narrow(&r));
	unsigned asked = 0, refused = 0;

	history_begin(s);
	add_record(&r);
	/* The first two runs count the allocations; none fails. */
	for (unsigned n = 0; n / 2 <= asked; n++) {
		size_t before = found_records().count;
		struct err err = { 0 };
		bool ok;

		scarce_begin(n / 2, n % 2);
		ok = history_add(history_h, records, &err);
		asked = n < 2 ? scarce_end() : asked;
		scarce_end();
		oom_reset();
		assert_int_equal(found_records().count, before + (ok ? 2 : 0));
		refused += !ok && err.code == ENOMEM;
	}
	assert_true(refused >= 4 || !asked); /* no allocation fails under valgrind */
}

/* A read without memory fails instead of skipping a record. */
static void memory_that_runs_out_hides_nothing(void **s)
{
	struct drift_record r = pfc_drift();
	unsigned asked = 0, refused = 0;

	history_begin(s);
	add_record(&r);
	add_record(&r);
	for (unsigned n = 0; n / 2 <= asked; n++) {
		struct found_records f = { 0 };
		struct err err = { 0 };
		bool ok;

		scarce_begin(n / 2, n % 2);
		ok = history_each(history_h, note_record, &f, NULL, &err);
		asked = n < 2 ? scarce_end() : asked;
		scarce_end();
		oom_reset();
		assert_true(ok ? f.count == 2 : err.code == ENOMEM);
		refused += !ok;
	}
	assert_true(refused >= 4 || !asked); /* no allocation fails under valgrind */
}

int main(void)
{
	static struct suite s;
	int failed;

	if (!make_history_root())
		return 1;
	SUITE_ADD_ROWS(&s, broken_rows, broken);
	SUITE_ADD(&s, a_dscp_that_there_is_not_is_passed_over);
	SUITE_ADD(&s, a_file_cut_anywhere_keeps_its_whole_lines);
	SUITE_ADD(&s, any_bytes_do_no_harm);
	SUITE_ADD(&s, a_file_that_is_too_long_is_put_aside);
	SUITE_ADD(&s, a_million_empty_lines_make_room);
	SUITE_ADD(&s, many_records_are_one_write);
	SUITE_ADD(&s, a_full_disk_is_reported_and_loses_nothing);
	SUITE_ADD(&s, a_host_that_only_reads_adds_nothing);
	SUITE_ADD(&s, memory_that_runs_out_loses_nothing);
	SUITE_ADD(&s, memory_that_runs_out_hides_nothing);
	failed = suite_run(&s, "history");
	return remove_history_root() || failed;
}
