#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/timestamp.h"
#include "../../policy/util/suggest.h"
#include "csv.h"
#include "database.h"
#include "inventory.h"
#include "messages.h"
#include "page/page.h"
#include "report_text.h"
#include "verbs.h"

#define DAY_S 86400

/* Room for the texts of a scope. */
struct times {
	char since[TIMESTAMP_MAX], now[TIMESTAMP_MAX], silent_before[TIMESTAMP_MAX];
};

/* An age such as 90m, 36h or 7d, in seconds. */
static bool parse_age(const char *text, int64_t *ret_s)
{
	static const struct unit {
		char letter;
		int64_t seconds;
	} units[] = { { 'm', 60 }, { 'h', 3600 }, { 'd', DAY_S } };
	char *end;
	uintmax_t n;

	errno = 0;
	n = strtoumax(text, &end, 10);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (*end == units[i].letter && !end[1] && end > text && text[0] >= '0' &&
		    text[0] <= '9' && errno == 0 && n > 0 && n <= 36500) {
			*ret_s = (int64_t)n * units[i].seconds;
			return true;
		}
	return false;
}

static bool make_scope(const char *since, struct times *t, struct fleet_scope *ret, struct err *err)
{
	int64_t now_s = (int64_t)time(NULL), age_s = DAY_S, since_s = now_s - age_s;

	if (since && parse_age(since, &age_s))
		since_s = now_s - age_s;
	else if (since && !timestamp_parse(since, &since_s))
		return err_set(
			err, ERR_USAGE, EINVAL,
			"--since: found \"%s\", expected an age such as 90m, 36h or 7d, or a "
			"time such as 2026-11-24T09:30:00Z",
			since);
	*ret = (struct fleet_scope){
		.since = since ? timestamp_text(since_s, t->since) : NULL,
		.now = timestamp_text(now_s, t->now),
		.silent_before = timestamp_text(since_s, t->silent_before),
	};
	return true;
}

static bool print_view(sqlite3 *db, const char *name, struct err *err)
{
	_statement_ sqlite3_stmt *stmt = NULL;
	struct suggestion near = suggest_for(name);
	char query[64];

	for (const struct view *v = views; v->name; v++) {
		suggest_offer(&near, v->name);
		if (strcmp(v->name, name) != 0)
			continue;
		snprintf(query, sizeof(query), "SELECT * FROM %s", name);
		return database_prepare(db, query, &stmt, err) && csv_print(stmt, err);
	}
	err_record(err, ERR_USAGE, EINVAL, "--csv: unknown view \"%s\"", name);
	return near.best ? err_fix(err, "did you mean %s?", near.best)
			 : err_fix(err, "the manual describes the views");
}

/* True if all that was written is in the file; else sets errno. */
static bool file_end(FILE *out)
{
	bool lost = ferror(out);

	if (fclose(out) != 0)
		return false;
	errno = EIO; /* the earlier error is not known any more */
	return !lost;
}

/* The page replaces an older one once it is complete. */
static bool write_page(sqlite3 *db, const char *path, const struct fleet_scope *scope,
		       struct err *err)
{
	_free_ char *draft = NULL;
	FILE *out;
	bool ok, complete;

	if (asprintf(&draft, "%s.new", path) < 0) {
		draft = NULL;
		return err_set(err, ERR_SYSTEM, ENOMEM, "out of memory");
	}
	out = fopen(draft, "we");
	if (!out)
		return err_set(err, ERR_SYSTEM, errno, "%s: %s", draft, strerror(errno));
	ok = fleet_page_write(out, db, scope, err);
	complete = file_end(out);
	if (ok && (!complete || rename(draft, path) != 0))
		ok = err_set(err, ERR_SYSTEM, errno, "%s: %s", path, strerror(errno));
	if (!ok)
		unlink(draft);
	return ok;
}

static bool print_report(const struct fleet_options *o, sqlite3 *db,
			 const struct fleet_scope *scope, struct err *err)
{
	if (o->html && !write_page(db, o->html, scope, err))
		return false;
	if (o->json)
		return report_print_json(db, scope, err);
	return o->html || o->quiet || report_print_text(db, scope, err);
}

int fleet_report(const struct fleet_options *o, struct err *err)
{
	_database_ sqlite3 *db = NULL;
	struct fleet_scope scope;
	struct times times;
	int code = 0;

	if (!make_scope(o->since, &times, &scope, err) ||
	    (o->expect && !inventory_replace(o->db, o->expect, err)) ||
	    !database_open(o->db, DATABASE_READ, &db, err) || !database_run(db, "BEGIN", err) ||
	    !database_keep_hosts(db, err))
		return -1;
	if (o->view)
		return print_view(db, o->view, err) ? 0 : -1;
	if (!print_report(o, db, &scope, err) || !report_exit_code(db, &scope, &code, err))
		return -1;
	return code;
}
