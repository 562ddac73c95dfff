#include "verbs.h"

#include <stdio.h>
#include <time.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/json_util.h"
#include "database.h"
#include "store_document.h"
#include "fleet_options.h"
#include "input/input.h"
#include "input/parsers.h"

/* A batch is one transaction: its end is slow, and others wait for it. */
#define BATCH_DOCUMENTS 10000
#define BATCH_MS	1000

struct ingest {
	const struct fleet_options *o;
	struct store store;
	struct parsers parsers;
	size_t counts[DOCUMENT_OUTCOMES];
	size_t unreadable_count;
	size_t batch; /* documents of the transaction that is open; 0: none is */
	int64_t began_ms;
	char last[256]; /* the source of the last document */
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static size_t total(const struct ingest *in)
{
	size_t sum = 0;

	for (size_t i = 0; i < DOCUMENT_OUTCOMES; i++)
		sum += in->counts[i];
	return sum;
}

static void print_counts_json(const struct ingest *in, bool complete)
{
	print_document(json_pack("{s:s, s:b, s:o, s:I, s:I, s:I, s:I, s:I}", "schema",
				 "losslessctl/fleet-ingest/1", "complete", complete,
				 "last_document", json_text_or_null(in->last), "new_count",
				 (json_int_t)in->counts[DOCUMENT_NEW], "known_count",
				 (json_int_t)in->counts[DOCUMENT_KNOWN], "ignored_count",
				 (json_int_t)in->counts[DOCUMENT_IGNORED], "rejected_count",
				 (json_int_t)in->counts[DOCUMENT_REJECTED], "unreadable_count",
				 (json_int_t)in->unreadable_count));
	fflush(stdout);
}

/* Acknowledges what is stored: a crash after this line loses nothing of it. */
static void acknowledge(const struct ingest *in)
{
	if (in->o->json) {
		print_counts_json(in, false);
		return;
	}
	if (in->o->quiet)
		return;
	printf("stored %zu document%s, up to ", total(in), total(in) == 1 ? "" : "s");
	print_text(stdout, in->last);
	putchar('\n');
	fflush(stdout);
}

static bool commit(struct ingest *in, struct err *err)
{
	if (!in->batch)
		return true;
	if (!database_run(in->store.db, "COMMIT", err))
		return false;
	in->batch = 0;
	acknowledge(in);
	return true;
}

static bool begin(struct ingest *in, struct err *err)
{
	if (in->batch)
		return true;
	in->began_ms = now_ms();
	return database_run(in->store.db, "BEGIN IMMEDIATE", err);
}

/* Stores the oldest document that is parsed or being parsed. */
static bool store_oldest(struct ingest *in, struct err *err)
{
	struct parsed *d = parsers_oldest(&in->parsers);
	enum document_outcome outcome;

	if (!begin(in, err) || !document_ingest(&in->store, d, &outcome, err))
		return false;
	in->counts[outcome]++;
	snprintf(in->last, sizeof(in->last), "%s", d->source);
	if (outcome == DOCUMENT_REJECTED) {
		err_locate(&d->reason, "%s", d->source);
		error_print(&d->reason);
	}
	parsers_taken(&in->parsers);
	if (++in->batch < BATCH_DOCUMENTS && now_ms() - in->began_ms < BATCH_MS)
		return true;
	return commit(in, err);
}

static bool take_document(void *arg, const char *text, size_t size, const char *source,
			  struct err *reason, struct err *err)
{
	struct ingest *in = arg;

	if (!parsers_slot(&in->parsers) && !store_oldest(in, err))
		return false;
	if (!parsed_fill(parsers_slot(&in->parsers), text, size, source, reason, err))
		return false;
	parsers_put(&in->parsers);
	return true;
}

/* Stores what was read, and acknowledges it. */
static bool store_all(void *arg, struct err *err)
{
	struct ingest *in = arg;

	while (parsers_oldest(&in->parsers))
		if (!store_oldest(in, err))
			return false;
	return commit(in, err);
}

static void skip(void *arg, const struct err *reason)
{
	struct ingest *in = arg;

	in->unreadable_count++;
	error_print(reason);
}

static void print_end(const struct ingest *in)
{
	if (in->o->json) {
		print_counts_json(in, true);
		return;
	}
	if (in->o->quiet)
		return;
	printf("%zu document%s: %zu new, %zu known before", total(in), total(in) == 1 ? "" : "s",
	       in->counts[DOCUMENT_NEW], in->counts[DOCUMENT_KNOWN]);
	if (in->counts[DOCUMENT_IGNORED])
		printf(", %zu of other kinds", in->counts[DOCUMENT_IGNORED]);
	if (in->counts[DOCUMENT_REJECTED])
		printf(", %zu set aside", in->counts[DOCUMENT_REJECTED]);
	if (in->unreadable_count)
		printf("; %zu file%s not read", in->unreadable_count,
		       in->unreadable_count == 1 ? " was" : "s were");
	putchar('\n');
}

static bool ingest_all(struct ingest *in, struct err *err)
{
	const struct input_taker taker = { in, take_document, store_all, skip };

	for (size_t i = 0; i < in->o->words_count; i++)
		if (!input_read(in->o->words[i], &taker, err))
			return false;
	return store_all(in, err);
}

int fleet_ingest(const struct fleet_options *o, struct err *err)
{
	_database_ sqlite3 *db = NULL;
	struct ingest in = { .o = o };
	bool ok;

	if (!database_open(o->db, DATABASE_WRITE, &db, err))
		return -1;
	arena_serve_jansson();
	ok = parsers_start(&in.parsers, err) && store_open(&in.store, db, err) &&
	     ingest_all(&in, err);
	parsers_stop(&in.parsers);
	store_close(&in.store);
	if (!ok)
		return err_in(err, "%s", o->db) - 1;
	print_end(&in);
	if (in.unreadable_count)
		return 66;
	return in.counts[DOCUMENT_REJECTED] ? 65 : 0;
}
