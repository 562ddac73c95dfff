/* Tests of database rows: the newest report wins in any order, and a known row changes nothing. */
#include "cli/fleet/database.h"
#include "cli/fleet/flatten/fields.h"
#include "tests/support/fleet_base.h"
#include "tests/support/unit.h"

static struct store store;
static sqlite3 *db;

static int begin(void **state)
{
	struct err err = { 0 };

	(void)state;
	db = fleet_base("");
	return store_open(&store, db, &err) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	store_close(&store);
	database_close(&db);
	return 0;
}

static int64_t number(const char *sql)
{
	return fleet_base_number(db, sql);
}

struct sent {
	const char *at, *kind, *host;
};

/* Store a report of one host's state. */
static bool send_report(const struct sent *sent, struct err *err)
{
	int64_t before = number("SELECT COUNT(*) FROM reports");

	if (!STORE_RUN(&store, STORE_REPORT, err, CELL_TEXT("id"), CELL_TEXT(sent->kind),
		       CELL_TEXT(sent->at), CELL_TEXT("state"), CELL_TEXT(sent->host),
		       CELL_TEXT(NULL), CELL_TEXT("1"), CELL_TEXT(NULL), CELL_TEXT(NULL),
		       CELL_TEXT(NULL), CELL_TEXT(NULL), CELL_TEXT(NULL), CELL_NUMBER(1),
		       CELL_NUMBER(0), CELL_NUMBER(0)))
		return false;
	if (number("SELECT COUNT(*) FROM reports") == before)
		return true;
	return STORE_RUN(&store, STORE_LATEST, err, CELL_TEXT("id"), CELL_TEXT("state"),
			 CELL_NUMBER(sqlite3_last_insert_rowid(db)), CELL_TEXT(sent->at),
			 CELL_TEXT(sent->kind), CELL_TEXT(sent->host));
}

#define EARLY "2026-11-24T09:00:00Z"
#define LATE  "2026-11-24T10:00:00Z"

static const struct latest_row {
	const char *sentence;
	struct sent loser, winner;
} latest[] = {
	{ "the later report wins", { EARLY, "verify", "h" }, { LATE, "verify", "h" } },
	{ "the later one wins, whatever its kind",
	  { EARLY, "verify", "h" },
	  { LATE, "status", "h" } },
	{ "of equal times the kind decides", { LATE, "status", "z" }, { LATE, "verify", "a" } },
	{ "of equal kinds the name decides", { LATE, "verify", "a" }, { LATE, "verify", "b" } },
};

static void wins_in_any_order(void **state)
{
	const struct latest_row *row = *state;
	const struct sent *orders[][3] = {
		{ &row->loser, &row->winner, &row->loser },
		{ &row->winner, &row->loser, &row->winner },
	};

	for (size_t i = 0; i < COUNT(orders); i++) {
		_statement_ sqlite3_stmt *stmt = NULL;
		struct err err = { 0 };
		bool any;

		begin(NULL);
		for (size_t k = 0; k < 3; k++)
			if (!send_report(orders[i][k], &err))
				fail_msg("%s", err.text);
		assert_int_equal(number("SELECT COUNT(*) FROM reports"), 2);
		assert_int_equal(number("SELECT COUNT(*) FROM latest_reports"), 1);
		assert_true(
			database_prepare(db,
					 "SELECT r.kind, r.host, l.observed_at FROM "
					 "latest_reports AS l JOIN reports AS r USING (report_id)",
					 &stmt, &err));
		assert_true(database_step(stmt, &any, &err) && any);
		assert_string_equal(sqlite3_column_text(stmt, 0), row->winner.kind);
		assert_string_equal(sqlite3_column_text(stmt, 1), row->winner.host);
		assert_string_equal(sqlite3_column_text(stmt, 2), row->winner.at);
		statement_finalize(&stmt);
		end(NULL);
	}
}

static void equal_states_keep_the_most_ports(void **state)
{
	static const json_int_t ports[] = { 2, 8, 4 };
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; i < COUNT(ports); i++)
		assert_true(STORE_RUN(&store, STORE_STATE_VALUE, &err, CELL_TEXT("hash"),
				      CELL_TEXT("mtu"), CELL_TEXT("9000"), CELL_NUMBER(ports[i])));
	assert_int_equal(number("SELECT SUM(port_count) FROM state_values"), 8);
}

static void a_document_set_aside_twice_has_the_first_source(void **state)
{
	static const char *const sources[] = { "b:1", "a:1", "c:1" };
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; i < COUNT(sources); i++)
		assert_true(STORE_RUN(&store, STORE_REJECTED, &err, CELL_TEXT("sha"),
				      CELL_TEXT(sources[i]), CELL_TEXT("reason"), CELL_TEXT("x")));
	assert_int_equal(number("SELECT COUNT(*) FROM rejected_documents"), 1);
	assert_int_equal(number("SELECT COUNT(*) FROM rejected_documents WHERE source = 'a:1'"), 1);
}

static void a_record_of_drift_is_stored_once(void **state)
{
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; i < 2; i++)
		assert_true(STORE_RUN(&store, STORE_DRIFT, &err, CELL_TEXT("id"), CELL_TEXT("p"),
				      CELL_TEXT("mtu"), CELL_TEXT("detected"), CELL_TEXT(LATE),
				      CELL_TEXT(EARLY), CELL_TEXT(NULL)));
	assert_int_equal(number("SELECT COUNT(*) FROM drift_records"), 1);
}

static void a_row_that_is_refused_leaves_the_statement_usable(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_false(STORE_RUN(&store, STORE_SYMPTOM, &err, CELL_NUMBER(1), CELL_TEXT("p"),
			       CELL_TEXT(NULL), CELL_TEXT("info")));
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_string_equal(err.text, "NOT NULL constraint failed: symptom_reports.symptom");
	err = (struct err){ 0 };
	assert_true(STORE_RUN(&store, STORE_SYMPTOM, &err, CELL_NUMBER(1), CELL_TEXT("p"),
			      CELL_TEXT("lossless-drops"), CELL_TEXT("info")));
	assert_int_equal(number("SELECT COUNT(*) FROM symptom_reports"), 1);
}

static void a_database_without_its_tables_is_not_opened(void **state)
{
	struct store other;
	struct err err = { 0 };

	(void)state;
	assert_true(database_run(db, "DROP VIEW current_drift; DROP TABLE setting_reports", &err));
	assert_false(store_open(&other, db, &err));
	assert_string_equal(err.text, "no such table: setting_reports");
	store_close(&other);
}

static const struct value_row {
	const char *sentence, *json;
	bool plain;
	const char *text;
} values[] = {
	{ "null is NULL", "null", false, NULL },
	{ "a plain text is as it is", "\"a\\\"b\"", true, "a\"b" },
	{ "a text is JSON where it is not plain", "\"a\\\"b\"", false, "\"a\\\"b\"" },
	{ "a number is JSON though plain", "3", true, "3" },
	{ "equal objects are equal texts", "{\"b\": [1, 2], \"a\": true}", false,
	  "{\"a\":true,\"b\":[1,2]}" },
};

static void is_a_cell(void **state)
{
	const struct value_row *row = *state;
	json_t *value = json_loads(row->json, JSON_DECODE_ANY, NULL);
	struct err err = { 0 };
	char *text = NULL;
	struct cell cell;

	assert_true(value_cell(value, row->plain, NULL, &text, &cell, &err));
	assert_false(cell.is_number);
	if (row->text)
		assert_string_equal(cell.text, row->text);
	else
		assert_null(cell.text);
	free(text);
	json_decref(value);
}

static void a_value_has_a_bound(void **state)
{
	const struct json_path at = { NULL, "actual", 0 };
	char *long_text = calloc(1, FIELD_TEXT_MAX + 2), *text = NULL;
	json_t *value;
	struct err err = { 0 };
	struct cell cell;

	(void)state;
	memset(long_text, 'x', FIELD_TEXT_MAX);
	value = json_string(long_text);
	assert_true(value_cell(value, true, &at, &text, &cell, &err));
	assert_false(value_cell(value, false, &at, &text, &cell, &err)); /* longer by its quotes */
	assert_int_equal(err.kind, ERR_POLICY);
	assert_string_equal(err.text, "a value is longer than 65536 bytes");
	assert_string_equal(err.at.pointer, "/actual");
	free(text);
	json_decref(value);
	free(long_text);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, equal_states_keep_the_most_ports);
	SUITE_ADD(&s, a_document_set_aside_twice_has_the_first_source);
	SUITE_ADD(&s, a_record_of_drift_is_stored_once);
	SUITE_ADD(&s, a_row_that_is_refused_leaves_the_statement_usable);
	SUITE_ADD(&s, a_database_without_its_tables_is_not_opened);
	for (size_t i = 0; i < s.count; i++) {
		s.tests[i].setup_func = begin;
		s.tests[i].teardown_func = end;
	}
	SUITE_ADD_ROWS(&s, latest, wins_in_any_order);
	SUITE_ADD_ROWS(&s, values, is_a_cell);
	SUITE_ADD(&s, a_value_has_a_bound);
	return suite_run(&s, "store");
}
