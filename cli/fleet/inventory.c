#include "inventory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../sandbox/safe_open.h"
#include "database.h"

#define BLANKS	 " \t\r\n"
#define NAME_MAX 255

static void close_file(FILE **f)
{
	if (*f)
		fclose(*f);
}
#define _fclose_ __attribute__((cleanup(close_file)))

#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* some editors begin a file in UTF-8 with it */

/* The host of a line, without its comment; "": there is none. */
static char *host_of(char *line)
{
	char *host, *end;

	for (char *at = line; *at; at++)
		if (*at == '#' && (at == line || strchr(BLANKS, at[-1])))
			*at = '\0';
	host = line + strspn(line, BLANKS);
	end = host + strlen(host);
	while (end > host && strchr(BLANKS, end[-1]))
		*--end = '\0';
	return host;
}

static bool insert(sqlite3_stmt *stmt, const char *host, struct err *err)
{
	bool row, ok;

	ok = sqlite3_bind_text(stmt, 1, host, -1, SQLITE_STATIC) == SQLITE_OK ||
	     database_failed(sqlite3_db_handle(stmt), err);
	ok = ok && database_step(stmt, &row, err);
	sqlite3_reset(stmt);
	return ok;
}

/* The reason why a text is no host; NULL: it is one. */
static const char *defect_of(const char *host)
{
	if (host[strcspn(host, BLANKS)])
		return "several words";
	return strlen(host) > NAME_MAX ? "more than 255 characters" : NULL;
}

static bool insert_lines(sqlite3 *db, FILE *in, const char *path, struct err *err)
{
	_statement_ sqlite3_stmt *stmt = NULL;
	_free_ char *line = NULL;
	size_t room = 0, number = 0;
	ssize_t length;

	if (!database_prepare(db, "INSERT OR IGNORE INTO inventory VALUES (?1)", &stmt, err))
		return false;
	while ((length = getline(&line, &room, in)) >= 0) {
		size_t mark = number++ ? 0 : strlen(BYTE_ORDER_MARK);
		bool is_text = strlen(line) == (size_t)length,
		     has_mark = strncmp(line, BYTE_ORDER_MARK, mark) == 0;
		const char *host = host_of(line + (has_mark ? mark : 0)), *defect = defect_of(host);

		if (!is_text || defect) {
			err_record(err, ERR_POLICY, EINVAL, "found %s, expected one host",
				   is_text ? defect : "a NUL byte");
			return err_in(err, "%s:%zu", path, number);
		}
		if (host[0] && !insert(stmt, host, err))
			return false;
	}
	return feof(in) || err_set(err, ERR_SYSTEM, errno, "%s: %s", path, strerror(errno));
}

static bool replace(sqlite3 *db, FILE *in, const char *path, struct err *err)
{
	if (!database_run(db, "BEGIN IMMEDIATE; DELETE FROM inventory", err))
		return false;
	if (insert_lines(db, in, path, err) && database_run(db, "COMMIT", err))
		return true;
	sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

static FILE *open_file(const char *path, struct err *err)
{
	struct err why = { 0 };
	FILE *in;
	int fd;

	if (!any_open(path, &fd, &why)) {
		err_record(err, why.kind == ERR_NO_FILE ? ERR_NO_FILE : ERR_SYSTEM, why.code,
			   "%s: %s", path, why.text);
		return NULL;
	}
	in = fdopen(fd, "r");
	if (!in) {
		err_record(err, ERR_SYSTEM, errno, "%s: %s", path, strerror(errno));
		close(fd);
	}
	return in;
}

bool inventory_replace(const char *db_path, const char *path, struct err *err)
{
	_database_ sqlite3 *db = NULL;
	_fclose_ FILE *in = strcmp(path, "-") == 0 ? stdin : open_file(path, err);

	return in && database_open(db_path, DATABASE_WRITE, &db, err) && replace(db, in, path, err);
}
