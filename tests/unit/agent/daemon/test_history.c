/* Tests of the drift history: each added record is found again. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/daemon/history.h"
#include "agent/host/host_linux.h"
#include "policy/util/oom.h"
#include "tests/support/history_host.h"
#include "tests/support/unit.h"

static void without_a_file_there_is_no_record(void **s)
{
	history_begin(s);
	assert_int_equal(found_records().count, 0);
}

static void what_is_added_is_found(void **s)
{
	struct drift_record r = pfc_drift();
	struct found_records f;

	history_begin(s);
	add_record(&r);
	f = found_records();
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
	static const char begins[] = "{\"schema\":\"losslessctl/drift-record/1\","
				     "\"recorded_at\":\"2026-05-01T12:00:03Z\",";
	struct drift_record r = pfc_drift();
	struct err err = { 0 };
	char text[4096];

	history_begin(s);
	add_record(&r);
	assert_true(host_read_file(history_h, text, sizeof(text), &err, FILE_NAME));
	assert_memory_equal(text, begins, sizeof(begins) - 1);
	assert_non_null(strstr(text,
			       "\"setting\":\"pfc.priorities\",\"event\":\"repaired\","
			       "\"from\":[],\"to\":[3],\"likely_writer\":\"lldpad (pid 42)\","
			       "\"first_seen_at\":\"2026-05-01T12:00:00Z\",\"duration_s\":3}"));
}

static void what_is_unknown_stays_unknown(void **s)
{
	struct drift_record r = pfc_drift();
	struct found_records f;

	history_begin(s);
	r.from.has = 0;
	add_record(&r);
	f = found_records();
	assert_int_equal(f.count, 1);
	assert_true(f.last.from.has == 0);
	assert_true(f.last.to.has == SETTING(SETTING_PFC_PRIORITIES));
}

static void beside_what_is_unknown_all_is_kept(void **s)
{
	struct drift_record r = drift_record("{'dscp': {'prio': {'26': 0}}}",
					     "{'dscp': {'prio': {'26': 0}}}", SETTING_DSCP_PRIO);
	struct found_records f;

	history_begin(s);
	r.from.has = 0;
	add_record(&r);
	f = found_records();
	assert_int_equal(f.last.to.dscp.prio[26], 0);
}

static void every_event_is_found_again(void **s)
{
	struct drift_record r = pfc_drift();

	history_begin(s);
	for (r.event = 0; r.event < HISTORY_EVENT_COUNT; r.event++) {
		add_record(&r);
		assert_int_equal(found_records().last.event, r.event);
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
	struct drift_record r = drift_record(row->from, row->to, row->setting);
	const struct setting *k = &settings[row->setting];
	struct found_records f;

	history_begin(NULL);
	add_record(&r);
	f = found_records();
	assert_int_equal(f.count, 1);
	setting_drop_equal(k, &r.from, &r.to);
	assert_true(setting_bytes_equal(k, &f.last.from, &r.from));
	assert_true(setting_bytes_equal(k, &f.last.to, &r.to));
	assert_true(f.last.from.has == SETTING(row->setting));
}

static void of_a_map_only_what_differs_is_kept(void **s)
{
	struct drift_record r =
		drift_record("{'dscp': {'prio': {'26': 3, '48': 6}}}",
			     "{'dscp': {'prio': {'26': 4, '48': 6}}}", SETTING_DSCP_PRIO);
	struct found_records f;

	history_begin(s);
	add_record(&r);
	f = found_records();
	assert_int_equal(f.last.from.dscp.prio[26], 3);
	assert_int_equal(f.last.to.dscp.prio[26], 4);
	assert_int_equal(f.last.to.dscp.prio[48], DSCP_KEEP);
}

static void an_entry_that_is_missing_stays_missing(void **s)
{
	struct drift_record r = drift_record("{'dscp': {'prio': {'26': 3}}}",
					     "{'dscp': {'prio': {'26': 3}}}", SETTING_DSCP_PRIO);
	struct found_records f;

	history_begin(s);
	r.to.dscp.prio[26] = DSCP_NONE;
	add_record(&r);
	f = found_records();
	assert_int_equal(f.count, 1);
	assert_int_equal(f.last.from.dscp.prio[26], 3);
	assert_int_equal(f.last.to.dscp.prio[26], DSCP_NONE);
	assert_int_equal(f.last.to.dscp.prio[25], DSCP_KEEP);
}

static uint64_t dropped(void)
{
	struct err err = { 0 };
	uint64_t n;

	assert_true(history_dropped(history_h, &n, &err));
	return n;
}

static void the_oldest_record_goes_first(void **s)
{
	struct drift_record r = pfc_drift();
	struct found_records f;

	history_begin(s);
	assert_int_equal(dropped(), 0);
	for (r.lasted_s = 0; r.lasted_s < HISTORY_MAX + 5; r.lasted_s++)
		add_record(&r);
	f = found_records();
	assert_int_equal(f.count, HISTORY_MAX);
	assert_int_equal(f.first.lasted_s, 5);
	assert_int_equal(f.last.lasted_s, HISTORY_MAX + 4);
	assert_int_equal(dropped(), 5);
}

/* Records of 2000 bytes reach the limit on bytes before the limit on records. */
static void the_file_stays_below_its_size(void **s)
{
	struct drift_record r = pfc_drift();
	char line[2000];
	struct found_records f;

	history_begin(s);
	for (int i = 0; i < 100; i++) {
		int fd = openat(history_h->root, FILE_NAME, O_WRONLY | O_CREAT | O_APPEND, 0600);

		memset(line, ' ', sizeof(line));
		memcpy(line, LINE, sizeof(LINE) - 2);
		line[sizeof(line) - 1] = '\n';
		assert_int_equal(write(fd, line, sizeof(line)), sizeof(line));
		close(fd);
	}
	assert_int_equal(found_records().count, 100);
	add_record(&r);
	assert_true(history_size() <= HISTORY_BYTES_MAX);
	assert_true(history_size() > HISTORY_BYTES_MAX - 2000);
	f = found_records();
	assert_int_equal(f.count, 66);
	assert_int_equal(dropped(), 35);
	assert_int_equal(f.last.event, HISTORY_REPAIRED);
}

static void words_from_outside_are_made_json(void **s)
{
	struct drift_record r = pfc_drift();
	struct found_records f;

	history_begin(s);
	snprintf(r.writer, sizeof(r.writer), "a\"b\n\x01\xff\\");
	add_record(&r);
	f = found_records();
	assert_int_equal(f.count, 1);
	assert_string_equal(f.last.writer, "a\"b\n\x01?\\");
}

int main(void)
{
	static struct suite s;
	int failed;

	if (!make_history_root())
		return 1;
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
	SUITE_ADD(&s, words_from_outside_are_made_json);
	failed = suite_run(&s, "history");
	return remove_history_root() || failed;
}
