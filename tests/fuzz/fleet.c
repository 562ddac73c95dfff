/*
 * Fuzz target: a document for losslessctl-fleet is stored whole, or not at all. Ingesting it again
 * changes nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "../../cli/fleet/database.h"
#include "../../cli/fleet/store_document.h"
#include "fuzz.h"

static sqlite3 *open_in_memory(void)
{
	sqlite3 *db = NULL;
	struct err err = { 0 };

	arena_serve_jansson();
	MUST(database_open(":memory:", DATABASE_WRITE, &db, &err));
	return db;
}

static int64_t count(sqlite3 *db, const char *table)
{
	sqlite3_stmt *stmt = NULL;
	struct err err = { 0 };
	char query[64];
	int64_t n;
	bool row;

	snprintf(query, sizeof(query), "SELECT COUNT(*) FROM %s", table);
	MUST(database_prepare(db, query, &stmt, &err) && database_step(stmt, &row, &err));
	n = sqlite3_column_int64(stmt, 0);
	statement_finalize(&stmt);
	return n;
}

static enum document_outcome ingest(struct store *s, struct parsed *p, const uint8_t *data,
				    size_t size)
{
	const struct err none = { 0 };
	enum document_outcome outcome = DOCUMENT_OUTCOMES;
	struct err err = { 0 };

	MUST(parsed_fill(p, (const char *)data, size, "fuzz:1", &none, &err));
	parsed_parse(p);
	MUST(document_ingest(s, p, &outcome, &err));
	return outcome;
}

static struct store s; /* open until the process exits */

static void close_store(void)
{
	sqlite3 *db = s.db;

	store_close(&s);
	database_close(&db);
}

static void open_store(void)
{
	struct err err = { 0 };

	MUST(store_open(&s, open_in_memory(), &err));
	atexit(close_store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct parsed p;
	enum document_outcome first, second;
	struct err err = { 0 };

	if (!s.db)
		open_store();
	memset(s.states_seen, 0, sizeof(s.states_seen));
	MUST(database_run(s.db, "BEGIN", &err));
	first = ingest(&s, &p, data, size);
	if (first != DOCUMENT_NEW)
		MUST(count(s.db, "reports") == 0 && count(s.db, "setting_reports") == 0);
	MUST((count(s.db, "rejected_documents") == 1) == (first == DOCUMENT_REJECTED));
	second = ingest(&s, &p, data, size);
	MUST(second == (first == DOCUMENT_NEW ? DOCUMENT_KNOWN : first));
	MUST(database_run(s.db, "ROLLBACK", &err));
	return 0;
}
