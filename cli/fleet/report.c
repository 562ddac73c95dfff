#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/host/file_place.h"
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

static bool page_failed(const char *path, int code, struct err *err)
{
	return err_set(err, ERR_SYSTEM, code, "%s: %s", path,
		       code == ELOOP ? "another user's link is not followed" : strerror(code));
}

/* Takes the descriptor. */
static bool write_to(int fd, sqlite3 *db, const char *path, const struct fleet_scope *scope,
		     struct err *err)
{
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	bool ok;

	if (!out)
		return page_failed(path, errno, err);
	ok = fleet_page_write(out, db, scope, err);
	return (file_end(out) || page_failed(path, errno, err)) && ok;
}

/* Readers of the older page can read the new one, and nobody else can. */
static bool keep_rights(int fd, const struct file_place *p)
{
	struct stat old;

	return !p->kind || fstatat(p->dir, p->name, &old, AT_SYMLINK_NOFOLLOW) < 0 ||
	       (fchown(fd, old.st_uid, old.st_gid) == 0 && fchmod(fd, old.st_mode & 0777) == 0);
}

/* The page replaces an older one once it is complete. */
static bool replace_page(const struct file_place *p, sqlite3 *db, const char *path,
			 const struct fleet_scope *scope, struct err *err)
{
	char draft[DRAFT_NAME_MAX];
	bool ok;
	int fd;

	draft_of(p->name, draft, sizeof(draft));
	unlinkat(p->dir, draft, 0);
	fd = openat(p->dir, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	ok = (fd < 0 || keep_rights(fd, p) || page_failed(path, errno, err)) &&
	     write_to(fd, db, path, scope, err) &&
	     (renameat(p->dir, draft, p->dir, p->name) == 0 || page_failed(path, errno, err));
	if (!ok && fd >= 0)
		unlinkat(p->dir, draft, 0);
	return ok;
}

static bool write_page(sqlite3 *db, const char *path, const struct fleet_scope *scope,
		       struct err *err)
{
	_place_ struct file_place place = { .dir = -1 };
	int code = 0;

	if (strcmp(path, "-") == 0)
		return write_to(dup(STDOUT_FILENO), db, "standard output", scope, err);
	code = file_place_find(AT_FDCWD, path, &place);
	if (code)
		return page_failed(path, code, err);
	return file_place_is_regular(&place)
		       ? replace_page(&place, db, path, scope, err)
		       : write_to(file_place_open(&place), db, path, scope, err);
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
