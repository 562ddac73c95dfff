/* Tests of one document: the rows that it becomes, and that a refused one leaves none. */
#include "cli/fleet/database.h"
#include "cli/fleet/store_document.h"
#include "policy/util/sha256.h"
#include "tests/support/fleet_base.h"
#include "tests/support/unit.h"

#define HEAD(kind, time) \
	"{\"schema\":\"losslessctl/" kind \
	"/1\",\"host\":\"h\",\"host_id\":\"i\",\"boot_id\":\"b\"," \
	"\"losslessctl_version\":\"1\",\"observed_at\":\"2026-11-24T" time "Z\""
#define VERIFY(settings) \
	HEAD("verify", "10:00:00") \
	",\"policy\":{\"name\":\"p\",\"sha256\":\"s\",\"generation\":7}," \
	"\"verdict\":\"drift\",\"state_hash\":\"x\",\"ports\":[{\"port\":\"p0\",\"verdict\":" \
	"\"drift\"," \
	"\"settings\":[" settings "],\"symptoms\":[]}]}"
#define DRIFTED "{\"setting\":\"mtu\",\"status\":\"drift\",\"desired\":9000,\"actual\":1500}"

static struct store store;
static struct parsed parsed;

static int open_store(void **state)
{
	struct err err = { 0 };

	(void)state;
	arena_serve_jansson();
	assert_true(store_open(&store, fleet_base(""), &err));
	return 0;
}

static int close_store(void **state)
{
	(void)state;
	store_close(&store);
	database_close(&store.db);
	parsed_free(&parsed);
	parsed = (struct parsed){ 0 };
	return 0;
}

static enum document_outcome ingest(const char *text)
{
	const struct err none = { 0 };
	struct err err = { 0 };
	enum document_outcome outcome = DOCUMENT_OUTCOMES;

	assert_true(parsed_fill(&parsed, text, strlen(text), "file:1", &none, &err));
	parsed_parse(&parsed);
	if (!document_ingest(&store, &parsed, &outcome, &err))
		fail_msg("%s", err.text);
	return outcome;
}

static void holds(const char *sql)
{
	if (fleet_base_number(store.db, sql) != 1)
		fail_msg("not so: %s", sql);
}

static void verify_becomes_a_report_and_its_settings(void **state)
{
	(void)state;
	assert_int_equal(ingest(VERIFY(DRIFTED ",{\"setting\":\"trust\",\"status\":\"in_sync\"}")),
			 DOCUMENT_NEW);
	holds("SELECT host = 'h' AND host_id = 'i' AND kind = 'verify' AND aspect = 'state' AND "
	      "policy_name = 'p' AND policy_generation = 7 AND verdict = 'drift' AND port_count = "
	      "1 "
	      "AND drifted_port_count = 1 AND unknown_port_count = 0 FROM reports");
	holds("SELECT COUNT(*) = 1 AND MAX(setting = 'mtu' AND port = 'p0' AND desired = '9000' "
	      "AND "
	      "actual = '1500' AND contested = 0) FROM setting_reports");
}

static void a_second_copy_changes_nothing(void **state)
{
	(void)state;
	assert_int_equal(ingest(VERIFY(DRIFTED)), DOCUMENT_NEW);
	assert_int_equal(ingest(VERIFY(DRIFTED)), DOCUMENT_KNOWN);
	holds("SELECT COUNT(*) FROM reports");
	holds("SELECT COUNT(*) FROM setting_reports");
}

static void the_newest_report_counts_in_any_order(void **state)
{
	(void)state;
	assert_int_equal(ingest(HEAD("verify",
				     "11:00:00") ",\"verdict\":\"in_sync\",\"ports\":[]}"),
			 DOCUMENT_NEW);
	assert_int_equal(ingest(VERIFY(DRIFTED)), DOCUMENT_NEW);
	holds("SELECT verdict = 'in_sync' AND last_seen_at = '2026-11-24T11:00:00Z' FROM hosts");
}

static void a_host_without_an_id_goes_by_its_name(void **state)
{
	(void)state;
	assert_int_equal(ingest("{\"schema\":\"losslessctl/verify/1\",\"host\":\"h\","
				"\"losslessctl_version\":\"1\",\"observed_at\":"
				"\"2026-11-24T10:00:00Z\",\"ports\":[]}"),
			 DOCUMENT_NEW);
	holds("SELECT host_id = 'name:h' FROM reports");
}

static void a_part_of_a_bundle_is_a_document(void **state)
{
	(void)state;
	assert_int_equal(
		ingest("{\"schema\":\"losslessctl/bundle/1\",\"peer\":null,\"verify\":" VERIFY(
			DRIFTED) "}"),
		DOCUMENT_NEW);
	holds("SELECT COUNT(*) FROM setting_reports");
}

static void a_kind_that_says_nothing_about_a_fleet_is_ignored(void **state)
{
	(void)state;
	assert_int_equal(ingest("{\"schema\":\"losslessctl/plan/1\"}"), DOCUMENT_IGNORED);
	holds("SELECT COUNT(*) = 0 FROM rejected_documents");
}

static const struct refused {
	const char *sentence, *text, *reason;
} refused[] = {
	{ "what is no JSON is set aside", "{\"host\":", "not JSON: " },
	{ "a document of others is set aside", "{\"schema\":\"x/verify/1\"}", "it is no document" },
	{ "a newer version is set aside", "{\"schema\":\"losslessctl/verify/2\"}", "of a version" },
	{ "nothing is left of a document whose end is wrong",
	  VERIFY(DRIFTED ",{\"setting\":7,\"status\":\"drift\"}"),
	  "/ports/0/settings/1/setting: " },
};

static void is_set_aside(void **state)
{
	const struct refused *row =
		&refused[((const char *)*state - (const char *)refused) / sizeof(refused[0])];

	assert_int_equal(ingest(row->text), DOCUMENT_REJECTED);
	holds("SELECT COUNT(*) = 0 FROM reports");
	holds("SELECT COUNT(*) = 0 FROM setting_reports");
	holds("SELECT COUNT(*) = 1 AND MAX(source = 'file:1') FROM rejected_documents");
	if (!strstr(parsed.reason.text, row->reason) &&
	    !strstr(row->reason, parsed.reason.at.pointer))
		fail_msg("another reason: %s", parsed.reason.text);
}

static void set_aside_once(const char *text)
{
	char sha[SHA256_HEX];
	struct err err = { 0 };

	sha256_hex(text, strlen(text), sha);
	assert_true(STORE_RUN(&store, STORE_REJECTED, &err, CELL_TEXT(sha), CELL_TEXT("file:1"),
			      CELL_TEXT("the time is in the future"), CELL_TEXT("{")));
}

static void a_document_that_is_stored_is_no_longer_set_aside(void **state)
{
	sqlite3 *db = store.db;
	struct err err = { 0 };

	(void)state;
	set_aside_once(VERIFY(DRIFTED));
	set_aside_once("another");
	store_close(&store);
	assert_true(store_open(&store, db, &err));
	assert_int_equal(ingest(VERIFY(DRIFTED)), DOCUMENT_NEW);
	holds("SELECT COUNT(*) FROM rejected_documents");
	assert_int_equal(ingest(VERIFY(DRIFTED)), DOCUMENT_KNOWN);
	holds("SELECT COUNT(*) FROM rejected_documents");
}

static void nor_is_one_that_was_set_aside_since_the_store_is_open(void **state)
{
	(void)state;
	assert_int_equal(ingest("{\"host\":"), DOCUMENT_REJECTED);
	set_aside_once(VERIFY(DRIFTED));
	assert_int_equal(ingest(VERIFY(DRIFTED)), DOCUMENT_NEW);
	holds("SELECT COUNT(*) FROM rejected_documents");
}

#define PAST  "2026-11-24T09:00:00Z"
#define AHEAD "2099-11-24T09:00:00Z"
#define RECORD(recorded, first_seen) \
	"{\"port\":\"p\",\"setting\":\"mtu\",\"event\":\"detected\",\"recorded_at\":\"" recorded \
	"\",\"first_seen_at\":\"" first_seen "\"}"

static void a_record_of_a_time_to_come_is_left_out_alone(void **state)
{
	static const char history[] = HEAD("history", "10:00:00") ",\"records\":[" RECORD(
		AHEAD, PAST) "," RECORD(PAST, AHEAD) "," RECORD(PAST, PAST) "]}";

	(void)state;
	assert_int_equal(ingest(history), DOCUMENT_NEW);
	holds("SELECT COUNT(*) = 1 AND MAX(first_seen_at) = '" PAST "' FROM drift_records");
}

static const struct reason {
	const char *sentence, *document, *expected;
} reasons[] = {
	{ "a critical finding of verify is drift",
	  HEAD("verify",
	       "10:00:00") ",\"ports\":[{\"port\":\"p0\",\"settings\":[],\"findings\":["
			   "{\"lint\":\"a\",\"severity\":\"critical\",\"message\":\"m\"},"
			   "{\"lint\":\"b\",\"severity\":\"warning\",\"message\":\"m\"}]}]}",
	  "port = 'p0' AND setting = 'a' AND status = 'drift' AND actual = '\"m\"'" },
	{ "so is one of the agent's",
	  HEAD("status",
	       "10:00:00") ",\"ports\":[{\"port\":\"p0\",\"drifted_settings\":[],"
			   "\"unknown_settings\":[],\"present\":true,\"findings\":"
			   "[{\"lint\":\"a\",\"severity\":\"critical\",\"message\":\"m\"}]}]}",
	  "port = 'p0' AND setting = 'a' AND status = 'drift'" },
	{ "a port that is gone is unknown",
	  HEAD("status", "10:00:00") ",\"ports\":[{\"port\":\"p0\",\"drifted_settings\":[],"
				     "\"unknown_settings\":[],\"present\":false}]}",
	  "port = 'p0' AND setting = 'present' AND status = 'unknown' AND actual = 'false'" },
	{ "so is a host whose policy has a rule without ports",
	  HEAD("verify", "10:00:00") ",\"unmet_message\":\"m\",\"ports\":[]}",
	  "port = '-' AND setting = 'rules' AND status = 'unknown' AND actual = '\"m\"'" },
	{ "the agent says so, too",
	  HEAD("status", "10:00:00") ",\"unmet_message\":\"m\",\"ports\":[]}",
	  "port = '-' AND setting = 'rules' AND status = 'unknown' AND actual = '\"m\"'" },
};

static void is_a_row_of_settings(void **state)
{
	const struct reason *row =
		&reasons[((const char *)*state - (const char *)reasons) / sizeof(reasons[0])];
	char sql[256];

	assert_int_equal(ingest(row->document), DOCUMENT_NEW);
	snprintf(sql, sizeof(sql), "SELECT COUNT(*) = 1 AND MIN(%s) FROM setting_reports",
		 row->expected);
	holds(sql);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, verify_becomes_a_report_and_its_settings);
	SUITE_ADD(&s, a_second_copy_changes_nothing);
	SUITE_ADD(&s, the_newest_report_counts_in_any_order);
	SUITE_ADD(&s, a_host_without_an_id_goes_by_its_name);
	SUITE_ADD(&s, a_part_of_a_bundle_is_a_document);
	SUITE_ADD(&s, a_kind_that_says_nothing_about_a_fleet_is_ignored);
	SUITE_ADD(&s, a_document_that_is_stored_is_no_longer_set_aside);
	SUITE_ADD(&s, nor_is_one_that_was_set_aside_since_the_store_is_open);
	SUITE_ADD(&s, a_record_of_a_time_to_come_is_left_out_alone);
	SUITE_ADD_ROWS(&s, reasons, is_a_row_of_settings);
	SUITE_ADD_ROWS(&s, refused, is_set_aside);
	for (size_t i = 0; i < s.count; i++) {
		s.tests[i].setup_func = open_store;
		s.tests[i].teardown_func = close_store;
	}
	return suite_run(&s, "document");
}
