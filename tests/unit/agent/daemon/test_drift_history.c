/* The history of drift: what is added is found again, whatever else is in the file. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/daemon/drift_history.h"
#include "agent/host/host_linux.h"
#include "policy/document/config_json.h"
#include "policy/util/oom.h"
#include "tests/support/parse.h"
#include "tests/support/scarce.h"
#include "tests/support/unit.h"

#define FILE_NAME "var/lib/losslessctl/drift.jsonl"

#define LINE \
	"{\"schema\":\"losslessctl/drift/1\",\"when\":\"2026-05-01T12:00:03Z\",\"port\":\"ens1\"," \
	"\"pci\":\"0000:08:00.0\",\"knob\":\"mtu\",\"event\":\"drifted\",\"from\":9000," \
	"\"to\":1500,\"writer\":\"unknown\",\"first_seen\":\"2026-05-01T12:00:03Z\"," \
	"\"lasted_s\":0}\n"

static struct host_linux outside;
static struct host *const h = &outside.host;
static char root[] = "/tmp/losslessctl-history-XXXXXX";

/* What history_each() found. */
struct found {
	size_t count;
	struct drift_record first, last;
};

static void note(const struct drift_record *r, void *arg)
{
	struct found *f = arg;

	if (f->count++ == 0)
		f->first = *r;
	f->last = *r;
}

static struct found found(void)
{
	struct found f = { 0 };
	struct err err = { 0 };

	if (!history_each(h, note, &f, &err))
		fail_msg("%s", err.text);
	return f;
}

static bool add_one(const struct drift_record *r, struct err *err)
{
	json_auto_t *records = json_pack("[o]", history_narrow(r));

	return history_add(h, records, err);
}

static void add(const struct drift_record *r)
{
	struct err err = { 0 };

	if (!add_one(r, &err))
		fail_msg("%s", err.text);
}

/* Puts these bytes in the file's place. */
static void put(const char *bytes, size_t size)
{
	int fd = openat(h->root, FILE_NAME, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	close(fd);
}

static off_t file_size(void)
{
	struct stat s;

	assert_int_equal(fstatat(h->root, FILE_NAME, &s, 0), 0);
	return s.st_size;
}

static struct drift_record a_record(const char *from, const char *to, enum setting_id setting)
{
	return (struct drift_record){
		.when_s = 1777636803,
		.first_seen_s = 1777636800,
		.lasted_s = 3,
		.port = "ens1f0np0",
		.pci = "0000:3b:00.0",
		.setting = setting,
		.event = HISTORY_REPAIRED,
		.from = config_of(from),
		.to = config_of(to),
		.writer = "lldpad (pid 42)",
	};
}

static struct drift_record pfc(void)
{
	return a_record("{'pfc': {'priorities': []}}", "{'pfc': {'priorities': [3]}}",
			SETTING_PFC_PRIORITIES);
}

static int begin(void **s)
{
	(void)s;
	unlinkat(h->root, FILE_NAME, 0);
	unlinkat(h->root, FILE_NAME ".damaged", 0);
	return 0;
}

static void without_a_file_there_is_no_record(void **s)
{
	begin(s);
	assert_int_equal(found().count, 0);
}

static void what_is_added_is_found(void **s)
{
	struct drift_record r = pfc();
	struct found f;

	begin(s);
	add(&r);
	f = found();
	assert_int_equal(f.count, 1);
	assert_int_equal(f.last.when_s, r.when_s);
	assert_int_equal(f.last.first_seen_s, r.first_seen_s);
	assert_int_equal(f.last.lasted_s, 3);
	assert_string_equal(f.last.port, r.port);
	assert_string_equal(f.last.pci, r.pci);
	assert_string_equal(f.last.writer, r.writer);
	assert_int_equal(f.last.setting, SETTING_PFC_PRIORITIES);
	assert_int_equal(f.last.event, HISTORY_REPAIRED);
	assert_int_equal(f.last.from.pfc.priorities, 0);
	assert_int_equal(f.last.to.pfc.priorities, 8);
	assert_true(f.last.from.has & SETTING(SETTING_PFC_PRIORITIES));
}

static void every_line_is_an_object_with_its_schema_first(void **s)
{
	static const char begins[] =
		"{\"schema\":\"losslessctl/drift/1\",\"when\":\"2026-05-01T12:00:03Z\",";
	struct drift_record r = pfc();
	struct err err = { 0 };
	char text[4096];

	begin(s);
	add(&r);
	assert_true(host_read_file(h, text, sizeof(text), &err, FILE_NAME));
	assert_memory_equal(text, begins, sizeof(begins) - 1);
	assert_non_null(strstr(text, "\"knob\":\"pfc.priorities\",\"event\":\"repaired\","
				     "\"from\":[],\"to\":[3],\"writer\":\"lldpad (pid 42)\","
				     "\"first_seen\":\"2026-05-01T12:00:00Z\",\"lasted_s\":3}"));
}

static void what_is_unknown_stays_unknown(void **s)
{
	struct drift_record r = pfc();
	struct found f;

	begin(s);
	r.from.has = 0;
	add(&r);
	f = found();
	assert_int_equal(f.count, 1);
	assert_true(f.last.from.has == 0);
	assert_true(f.last.to.has == SETTING(SETTING_PFC_PRIORITIES));
}

static void beside_what_is_unknown_all_is_kept(void **s)
{
	struct drift_record r = a_record("{'dscp': {'prio': {'26': 0}}}",
					 "{'dscp': {'prio': {'26': 0}}}", SETTING_DSCP_PRIO);
	struct found f;

	begin(s);
	r.from.has = 0;
	add(&r);
	f = found();
	assert_int_equal(f.last.to.dscp.prio[26], 0);
}

static void every_event_is_found_again(void **s)
{
	struct drift_record r = pfc();

	begin(s);
	for (r.event = 0; r.event < HISTORY_EVENT_COUNT; r.event++) {
		add(&r);
		assert_int_equal(found().last.event, r.event);
	}
}

static const struct setting_row {
	const char *sentence;
	enum setting_id setting;
	const char *from, *to;
} setting_rows[] = {
	{ "a number", SETTING_MTU, "{'mtu': 9000}", "{'mtu': 1500}" },
	{ "a switch", SETTING_PAUSE_RX, "{'pause': {'rx': true}}", "{'pause': {'rx': false}}" },
	{ "a word", SETTING_TRUST, "{'trust': 'dscp'}", "{'trust': 'pcp'}" },
	{ "a word or a number", SETTING_PFC_STORM_TIMEOUT_MS,
	  "{'pfc': {'storm_timeout_ms': 'auto'}}", "{'pfc': {'storm_timeout_ms': 100}}" },
	{ "a list", SETTING_ETS_TSA,
	  "{'ets': {'tsa': ['ets','ets','ets','ets','ets','ets','strict','ets']}}",
	  "{'ets': {'tsa': ['ets','ets','ets','ets','ets','ets','ets','ets']}}" },
	{ "a map of devices", SETTING_VLAN_EGRESS, "{'vlan': {'egress': {'v100': {'3': 3}}}}",
	  "{'vlan': {'egress': {'v100': {'3': 4}}}}" },
	{ "a list of entries", SETTING_APP_ENTRIES,
	  "{'app': {'entries': [{'selector': 'ethertype', 'protocol': 34525, 'priority': 3}]}}",
	  "{'app': {'entries': []}}" },
	{ "a DSCP map", SETTING_DSCP_PRIO, "{'dscp': {'prio': {'26': 3, '48': 6}}}",
	  "{'dscp': {'prio': {'26': 4, '48': 6}}}" },
};

static void is_found_again(void **s)
{
	const struct setting_row *row = *s;
	struct drift_record r = a_record(row->from, row->to, row->setting);
	const struct setting *k = &settings[row->setting];
	struct found f;

	begin(NULL);
	add(&r);
	f = found();
	assert_int_equal(f.count, 1);
	setting_drop_equal(k, &r.from, &r.to);
	assert_true(setting_bytes_equal(k, &f.last.from, &r.from));
	assert_true(setting_bytes_equal(k, &f.last.to, &r.to));
	assert_true(f.last.from.has == SETTING(row->setting));
}

static void of_a_map_only_what_differs_is_kept(void **s)
{
	struct drift_record r =
		a_record("{'dscp': {'prio': {'26': 3, '48': 6}}}",
			 "{'dscp': {'prio': {'26': 4, '48': 6}}}", SETTING_DSCP_PRIO);
	struct found f;

	begin(s);
	add(&r);
	f = found();
	assert_int_equal(f.last.from.dscp.prio[26], 3);
	assert_int_equal(f.last.to.dscp.prio[26], 4);
	assert_int_equal(f.last.to.dscp.prio[48], DSCP_KEEP);
}

static void an_entry_that_is_missing_stays_missing(void **s)
{
	struct drift_record r = a_record("{'dscp': {'prio': {'26': 3}}}",
					 "{'dscp': {'prio': {'26': 3}}}", SETTING_DSCP_PRIO);
	struct found f;

	begin(s);
	r.to.dscp.prio[26] = DSCP_NONE;
	add(&r);
	f = found();
	assert_int_equal(f.count, 1);
	assert_int_equal(f.last.from.dscp.prio[26], 3);
	assert_int_equal(f.last.to.dscp.prio[26], DSCP_NONE);
	assert_int_equal(f.last.to.dscp.prio[25], DSCP_KEEP);
}

static void the_oldest_record_goes_first(void **s)
{
	struct drift_record r = pfc();
	struct found f;

	begin(s);
	for (r.lasted_s = 0; r.lasted_s < HISTORY_MAX + 5; r.lasted_s++)
		add(&r);
	f = found();
	assert_int_equal(f.count, HISTORY_MAX);
	assert_int_equal(f.first.lasted_s, 5);
	assert_int_equal(f.last.lasted_s, HISTORY_MAX + 4);
}

/* 2000 bytes a record: the bytes run out before the records do. */
static void the_file_stays_below_its_size(void **s)
{
	struct drift_record r = pfc();
	char line[2000];
	struct found f;

	begin(s);
	for (int i = 0; i < 100; i++) {
		int fd = openat(h->root, FILE_NAME, O_WRONLY | O_CREAT | O_APPEND, 0600);

		memset(line, ' ', sizeof(line));
		memcpy(line, LINE, sizeof(LINE) - 2);
		line[sizeof(line) - 1] = '\n';
		assert_int_equal(write(fd, line, sizeof(line)), sizeof(line));
		close(fd);
	}
	assert_int_equal(found().count, 100);
	add(&r);
	assert_true(file_size() <= HISTORY_BYTES_MAX);
	assert_true(file_size() > HISTORY_BYTES_MAX - 2000);
	f = found();
	assert_int_equal(f.count, 66);
	assert_int_equal(f.last.event, HISTORY_REPAIRED);
}

static const struct broken_row {
	const char *sentence, *find, *replace;
} broken_rows[] = {
	{ "another version is passed over", "drift/1", "drift/2" },
	{ "no schema is passed over", "\"schema\":\"losslessctl/drift/1\",", "" },
	{ "a schema that is no text is passed over", "\"losslessctl/drift/1\"", "1" },
	{ "no JSON is passed over", "{", "" },
	{ "a line cut short is passed over", ",\"lasted_s\":0}", "" },
	{ "two of one key are passed over", "\"port\"", "\"port\":\"x\",\"port\"" },
	{ "a knob of another version is passed over", "\"mtu\"", "\"warp\"" },
	{ "a knob that is no text is passed over", "\"mtu\"", "{}" },
	{ "an unknown event is passed over", "\"drifted\"", "\"exploded\"" },
	{ "no event is passed over", "\"event\":\"drifted\",", "" },
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
	{ "no writer is passed over", "\"writer\":\"unknown\",", "" },
	{ "a time below zero is passed over", "\"lasted_s\":0", "\"lasted_s\":-1" },
	{ "a broken number is passed over", "\"lasted_s\":0", "\"lasted_s\":0.5" },
	{ "a text that ends early is passed over", "ens1", "ens1\\u0000" },
	{ "a list is passed over", "{", "[{" },
	{ "an empty line is passed over", LINE, "\n" },
};

static void broken(void **s)
{
	const struct broken_row *row = *s;
	const char *at = strstr(LINE, row->find);
	char text[4 * sizeof(LINE)];
	struct drift_record r = pfc();

	assert_non_null(at);
	snprintf(text, sizeof(text), "%s%.*s%s%s%s", LINE, (int)(at - LINE), LINE, row->replace,
		 at + strlen(row->find), LINE);
	begin(NULL);
	put(text, strlen(text));
	assert_int_equal(found().count, 2);
	add(&r);
	assert_int_equal(found().count, 3);
}

static void a_dscp_that_there_is_not_is_passed_over(void **s)
{
	static const char *const maps[] = { "{\"64\":null}",   "{\"-1\":null}", "{\"x\":null}",
					    "{\"26\":[null]}", "[null]",	"null" };
	char text[1024];

	for (size_t i = 0; i < COUNT(maps); i++) {
		begin(s);
		snprintf(text, sizeof(text),
			 "{\"schema\":\"losslessctl/drift/1\",\"when\":\"2026-05-01T12:00:03Z\","
			 "\"port\":\"ens1\",\"pci\":\"\",\"knob\":\"dscp.prio\","
			 "\"event\":\"drifted\",\"from\":{},\"to\":%s,\"writer\":\"\","
			 "\"first_seen\":\"2026-05-01T12:00:03Z\",\"lasted_s\":0}",
			 maps[i]);
		put(text, strlen(text));
		assert_int_equal(found().count, strcmp(maps[i], "null") == 0);
	}
}

static void a_file_cut_anywhere_keeps_its_whole_lines(void **s)
{
	static const char lines[] = LINE LINE;
	struct drift_record r = pfc();

	for (size_t size = 0; size < sizeof(lines); size++) {
		size_t whole = (size + 1) / (sizeof(LINE) - 1); /* the line's end is not needed */

		begin(s);
		put(lines, size);
		assert_int_equal(found().count, whole);
		add(&r);
		assert_int_equal(found().count, whole + 1);
	}
}

static void any_bytes_do_no_harm(void **s)
{
	unsigned seed = 1;
	char bytes[3 * sizeof(LINE)] = "";
	struct drift_record r = pfc();

	for (int i = 0; i < 200; i++) {
		begin(s);
		snprintf(bytes, sizeof(bytes), LINE LINE LINE);
		for (size_t n = 0; n < 10; n++)
			bytes[(unsigned)rand_r(&seed) % sizeof(bytes)] = (char)rand_r(&seed);
		put(bytes, sizeof(bytes));
		found();
		add(&r);
		assert_int_equal(found().last.event, HISTORY_REPAIRED);
	}
}

static void a_file_that_is_too_long_is_put_aside(void **s)
{
	struct drift_record r = pfc();
	struct found f = { 0 };
	struct err err = { 0 };
	struct stat there;
	int fd;

	begin(s);
	fd = openat(h->root, FILE_NAME, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(ftruncate(fd, 64 << 20), 0);
	close(fd);
	assert_false(history_each(h, note, &f, &err));
	assert_int_equal(err.code, EFBIG);
	add(&r);
	assert_int_equal(found().count, 1);
	assert_int_equal(fstatat(h->root, FILE_NAME ".damaged", &there, 0), 0);
}

static void a_million_empty_lines_make_room(void **s)
{
	static char lines[1000000];
	struct drift_record r = pfc();

	begin(s);
	memset(lines, '\n', sizeof(lines));
	put(lines, sizeof(lines));
	add(&r);
	assert_int_equal(found().count, 1);
	assert_true(file_size() < 1000);
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
	struct drift_record r = pfc();
	json_auto_t *records = json_array();
	struct err err = { 0 };

	begin(s);
	add(&r);
	for (unsigned i = 0; i < 40; i++)
		json_array_append_new(records, history_narrow(&r));
	saves = 0;
	h->save_file = count_save;
	assert_true(history_add(h, records, &err));
	h->save_file = host_linux_save_file;
	assert_int_equal(saves, 1);
	assert_int_equal(found().count, 41);
}

static void a_full_disk_is_told_and_loses_nothing(void **s)
{
	struct drift_record r = pfc();
	struct err err = { 0 };

	begin(s);
	add(&r);
	h->save_file = full_disk;
	assert_false(add_one(&r, &err));
	h->save_file = host_linux_save_file;
	assert_int_equal(err.code, ENOSPC);
	assert_int_equal(found().count, 1);
}

static void a_host_that_only_reads_adds_nothing(void **s)
{
	struct drift_record r = pfc();
	struct err err = { 0 };

	begin(s);
	add(&r);
	h->may_write = false;
	assert_false(add_one(&r, &err));
	assert_int_equal(found().count, 1);
	h->may_write = true;
	assert_int_equal(err.kind, ERR_REFUSED);
}

static void words_from_outside_are_made_json(void **s)
{
	struct drift_record r = pfc();
	struct found f;

	begin(s);
	snprintf(r.writer, sizeof(r.writer), "a\"b\n\x01\xff\\");
	add(&r);
	f = found();
	assert_int_equal(f.count, 1);
	assert_string_equal(f.last.writer, "a\"b\n\x01?\\");
}

/* Each allocation in turn, and all from it on: what was there stays, and nothing is half there. */
static void memory_that_runs_out_loses_nothing(void **s)
{
	struct drift_record r = pfc();
	json_auto_t *records = json_pack("[o, o]", history_narrow(&r), history_narrow(&r));
	unsigned asked = 0, refused = 0;

	begin(s);
	add(&r);
	/* The first two find all that they ask for. */
	for (unsigned n = 0; n / 2 <= asked; n++) {
		size_t before = found().count;
		struct err err = { 0 };
		bool ok;

		scarce_begin(n / 2, n % 2);
		ok = history_add(h, records, &err);
		asked = n < 2 ? scarce_end() : asked;
		scarce_end();
		oom_reset();
		assert_int_equal(found().count, before + (ok ? 2 : 0));
		refused += !ok && err.code == ENOMEM;
	}
	assert_true(refused >= 4 || !asked); /* valgrind's memory does not run out */
}

/* What is not told is not passed over. */
static void memory_that_runs_out_tells_no_less(void **s)
{
	struct drift_record r = pfc();
	unsigned asked = 0, refused = 0;

	begin(s);
	add(&r);
	add(&r);
	for (unsigned n = 0; n / 2 <= asked; n++) {
		struct found f = { 0 };
		struct err err = { 0 };
		bool ok;

		scarce_begin(n / 2, n % 2);
		ok = history_each(h, note, &f, &err);
		asked = n < 2 ? scarce_end() : asked;
		scarce_end();
		oom_reset();
		assert_true(ok ? f.count == 2 : err.code == ENOMEM);
		refused += !ok;
	}
	assert_true(refused >= 4 || !asked); /* valgrind's memory does not run out */
}

static int remove_root(void)
{
	begin(NULL);
	unlinkat(h->root, "var/lib/losslessctl", AT_REMOVEDIR);
	unlinkat(h->root, "var/lib", AT_REMOVEDIR);
	unlinkat(h->root, "var", AT_REMOVEDIR);
	host_linux_close(&outside);
	return rmdir(root);
}

int main(void)
{
	static struct suite s;
	struct err err = { 0 };
	int failed;

	oom_watch_jansson();
	if (!mkdtemp(root) || !host_linux_open(&outside, root, true, &err)) {
		fprintf(stderr, "%s: %s\n", root, err.text);
		return 1;
	}
	SUITE_ADD(&s, without_a_file_there_is_no_record);
	SUITE_ADD(&s, what_is_added_is_found);
	SUITE_ADD(&s, every_line_is_an_object_with_its_schema_first);
	SUITE_ADD(&s, what_is_unknown_stays_unknown);
	SUITE_ADD(&s, beside_what_is_unknown_all_is_kept);
	SUITE_ADD(&s, every_event_is_found_again);
	SUITE_ADD_ROWS(&s, setting_rows, is_found_again);
	SUITE_ADD(&s, of_a_map_only_what_differs_is_kept);
	SUITE_ADD(&s, an_entry_that_is_missing_stays_missing);
	SUITE_ADD(&s, the_oldest_record_goes_first);
	SUITE_ADD(&s, the_file_stays_below_its_size);
	SUITE_ADD_ROWS(&s, broken_rows, broken);
	SUITE_ADD(&s, a_dscp_that_there_is_not_is_passed_over);
	SUITE_ADD(&s, a_file_cut_anywhere_keeps_its_whole_lines);
	SUITE_ADD(&s, any_bytes_do_no_harm);
	SUITE_ADD(&s, a_file_that_is_too_long_is_put_aside);
	SUITE_ADD(&s, a_million_empty_lines_make_room);
	SUITE_ADD(&s, many_records_are_one_write);
	SUITE_ADD(&s, a_full_disk_is_told_and_loses_nothing);
	SUITE_ADD(&s, a_host_that_only_reads_adds_nothing);
	SUITE_ADD(&s, words_from_outside_are_made_json);
	SUITE_ADD(&s, memory_that_runs_out_loses_nothing);
	SUITE_ADD(&s, memory_that_runs_out_tells_no_less);
	failed = suite_run(&s, "history");
	return remove_root() || failed;
}
