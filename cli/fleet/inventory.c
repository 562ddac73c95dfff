#include "inventory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../agent/host/cleanup.h"
#include "database.h"

#define BLANKS	 " \t\r\n"
#define NAME_MAX 255

static void close_file(FILE **f)
{
	if (*f)
		fclose(*f);
}
#define _fclose_ __attribute__((cleanup(close_file)))

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

/* Reads with a buffer of one name: a longer line is no host. */
static bool insert_lines(sqlite3 *db, FILE *in, const char *path, struct err *err)
{
	_statement_ sqlite3_stmt *stmt = NULL;
	char line[1024];
	size_t number = 0;

	if (!database_prepare(db, "INSERT OR IGNORE INTO inventory VALUES (?1)", &stmt, err))
		return false;
	while (fgets(line, sizeof(line), in)) {
		const char *host;
		bool whole = strchr(line, '\n') || feof(in);

		number++;
		host = host_of(line);
		if (!whole || strlen(host) > NAME_MAX || host[strcspn(host, BLANKS)]) {
			err_record(err, ERR_POLICY, EINVAL, "found %s, expected one host",
				   host[strcspn(host, BLANKS)] ? "several words"
							       : "more than 255 characters");
			return err_in(err, "%s:%zu", path, number);
		}
		if (host[0] && !insert(stmt, host, err))
			return false;
	}
	return !ferror(in) || err_set(err, ERR_SYSTEM, errno, "%s: %s", path, strerror(errno));
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

bool inventory_replace(const char *db_path, const char *path, struct err *err)
{
	_database_ sqlite3 *db = NULL;
	_fclose_ FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");

	if (!in)
		return err_set(err, errno == ENOENT ? ERR_NO_FILE : ERR_SYSTEM, errno, "%s: %s",
			       path, strerror(errno));
	return database_open(db_path, DATABASE_WRITE, &db, err) && replace(db, in, path, err);
}
