#include "rows.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/json_dump.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../../policy/util/sanitize.h"
#include "../watch/terminal.h"
#include "database.h"
#include "verbs.h"

static void print_csv_cell(const char *text)
{
	char next[SANITIZED_CHAR_MAX];
	bool quoted = text[strcspn(text, "\",\n\r")];

	if (quoted)
		putchar('"');
	while (*sanitize_next(&text, next))
		fputs(strcmp(next, "\"") == 0 ? "\"\"" : next, stdout);
	if (quoted)
		putchar('"');
}

static void print_csv_line(sqlite3_stmt *stmt, const char *(*text_of)(sqlite3_stmt *, int))
{
	for (int i = 0; i < sqlite3_column_count(stmt); i++) {
		const char *text = text_of(stmt, i);

		if (i)
			putchar(',');
		print_csv_cell(text ? text : "");
	}
	putchar('\n');
}

static const char *value_of(sqlite3_stmt *stmt, int i)
{
	return (const char *)sqlite3_column_text(stmt, i);
}

bool csv_print(sqlite3_stmt *stmt, struct err *err)
{
	bool row;

	print_csv_line(stmt, sqlite3_column_name);
	for (;;) {
		if (!database_step(stmt, &row, err))
			return false;
		if (!row || ferror(stdout))
			return true;
		print_csv_line(stmt, value_of);
	}
}

static json_t *cell_to_json(sqlite3_stmt *stmt, int i)
{
	switch (sqlite3_column_type(stmt, i)) {
	case SQLITE_NULL:
		return json_null();
	case SQLITE_INTEGER:
		return json_integer(sqlite3_column_int64(stmt, i));
	case SQLITE_FLOAT:
		return json_real(sqlite3_column_double(stmt, i));
	default:
		return json_from_text((const char *)sqlite3_column_text(stmt, i));
	}
}

json_t *row_to_json(sqlite3_stmt *stmt)
{
	json_t *row = json_object();

	for (int i = 0; i < sqlite3_column_count(stmt); i++)
		json_object_set_new(row, sqlite3_column_name(stmt, i), cell_to_json(stmt, i));
	return row;
}

bool rows_print_json(sqlite3_stmt *stmt, struct err *err)
{
	bool row;

	for (;;) {
		json_auto_t *object = NULL;
		_free_ char *text = NULL;

		if (!database_step(stmt, &row, err))
			return false;
		if (!row || ferror(stdout))
			return true;
		object = row_to_json(stmt);
		text = json_dump_sanitized(object, JSON_COMPACT);
		if (!text)
			return err_no_memory(err);
		puts(text);
	}
}

bool rows_to_json(sqlite3_stmt *stmt, json_t **ret, struct err *err)
{
	json_auto_t *list = json_array();
	bool row;

	for (;;) {
		if (!database_step(stmt, &row, err))
			return false;
		if (!row)
			break;
		json_array_append_new(list, row_to_json(stmt));
	}
	*ret = json_incref(list);
	return true;
}

/* ---- a table ---- */

#define CELL_MAX      400 /* bytes of a cell, once sanitized */
#define CELL_LEAST    8	  /* columns that a cell keeps when the table is too wide */
#define GAP	      2
#define DIGEST_DIGITS 64
#define DIGEST_SHOWN  12

/* The rows that decide how wide the columns are, as text. */
struct table {
	int columns, indent;
	char **cells;	    /* row by row; the first row has the headings */
	size_t count, room; /* cells that there are, and that fit */
	bool *is_number;
	size_t *widths;
};

static void table_free(struct table *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->cells[i]);
	free(t->cells);
	free(t->is_number);
	free(t->widths);
}
#define _table_ __attribute__((cleanup(table_free)))

static size_t width_of(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

static const char *cell_text(sqlite3_stmt *stmt, int i)
{
	const char *text = (const char *)sqlite3_column_text(stmt, i);

	if (!text)
		return "unknown";
	return text[0] ? text : "none";
}

/* A digest is known by its beginning, and takes much of a line. */
static void shorten_digest(char *text)
{
	if (strlen(text) == DIGEST_DIGITS && text[strspn(text, "0123456789abcdef")] == '\0')
		text[DIGEST_SHOWN] = '\0';
}

/* Headings are the names of the columns, with blanks for underscores. */
static void heading_of(sqlite3_stmt *stmt, int i, char text[CELL_MAX])
{
	sanitize_text(sqlite3_column_name(stmt, i), text, CELL_MAX);
	for (char *at = text; *at; at++)
		*at = *at == '_' ? ' ' : *at;
}

static bool make_room(struct table *t)
{
	size_t row = (size_t)t->columns, room = t->room ? 2 * t->room : 32 * row;
	char **more;

	if (t->cells && t->count + row <= t->room)
		return true;
	more = reallocarray(t->cells, room, sizeof(*more));
	if (!more)
		return false;
	t->cells = more;
	t->room = room;
	return true;
}

/* Asks for the type first: it is undefined once the value was converted to text. */
static bool add_cell(struct table *t, sqlite3_stmt *stmt, int i, bool heading)
{
	bool is_number = !heading && sqlite3_column_type(stmt, i) != SQLITE_TEXT;
	bool is_first = t->count / (size_t)t->columns == 1;
	char text[CELL_MAX], *cell;

	if (heading)
		heading_of(stmt, i, text);
	else
		sanitize_text(cell_text(stmt, i), text, sizeof(text));
	shorten_digest(text);
	t->is_number[i] = is_number && (t->is_number[i] || is_first);
	if (width_of(text) > t->widths[i])
		t->widths[i] = width_of(text);
	cell = strdup(text);
	if (!cell)
		return false;
	t->cells[t->count++] = cell;
	return true;
}

static bool add_row(struct table *t, sqlite3_stmt *stmt, bool headings, struct err *err)
{
	if (!make_room(t))
		return err_no_memory(err);
	for (int i = 0; i < t->columns; i++)
		if (!add_cell(t, stmt, i, headings))
			return err_no_memory(err);
	return true;
}

/* Takes columns from the widest, until the table fits. */
static void fit(struct table *t)
{
	size_t most = terminal_report_columns();

	for (;;) {
		size_t sum = (size_t)t->indent, widest = 0;

		for (int i = 0; i < t->columns; i++) {
			sum += t->widths[i] + (i ? GAP : 0);
			widest = t->widths[i] > t->widths[widest] ? (size_t)i : widest;
		}
		if (sum <= most || t->widths[widest] <= CELL_LEAST)
			return;
		t->widths[widest]--;
	}
}

/* Cuts a text in the middle of nothing: ".." says that there is more. */
static void print_cell(const char *text, size_t width, bool to_right, bool last)
{
	size_t columns = width_of(text), kept = columns > width ? width - 2 : columns;
	const char *end = text;

	for (size_t n = 0; n < kept; n++)
		for (end++; ((unsigned char)*end & 0xc0) == 0x80; end++)
			;
	if (to_right)
		printf("%*s", columns < width ? (int)(width - columns) : 0, "");
	printf("%.*s%s", (int)(end - text), text, columns > width ? ".." : "");
	if (!to_right && !last)
		printf("%*s", columns < width ? (int)(width - columns) : 0, "");
}

static void print_row(const struct table *t, size_t row)
{
	printf("%*s", t->indent, "");
	for (int i = 0; i < t->columns; i++) {
		if (i)
			printf("%*s", GAP, "");
		print_cell(t->cells[row * (size_t)t->columns + (size_t)i], t->widths[i],
			   t->is_number[i], i + 1 == t->columns);
	}
	putchar('\n');
}

static bool table_open(struct table *t, sqlite3_stmt *stmt, struct err *err)
{
	size_t columns = (size_t)sqlite3_column_count(stmt);

	t->columns = (int)columns;
	t->is_number = calloc(columns + 1, sizeof(*t->is_number));
	t->widths = calloc(columns + 1, sizeof(*t->widths));
	if (!t->is_number || !t->widths)
		return err_no_memory(err);
	return add_row(t, stmt, true, err);
}

bool rows_print_table(sqlite3_stmt *stmt, const char *title, size_t most, size_t *ret_count,
		      struct err *err)
{
	_table_ struct table t = { .indent = title ? 2 : 0 };
	bool row;

	if (!table_open(&t, stmt, err))
		return false;
	for (*ret_count = 0;; ++*ret_count) {
		if (!database_step(stmt, &row, err))
			return false;
		if (!row)
			break;
		if ((!most || *ret_count < most) && !add_row(&t, stmt, false, err))
			return false;
	}
	if (*ret_count == 0)
		return true;
	fit(&t);
	if (title)
		printf("%s\n", title);
	for (size_t i = 0; i < t.count / (size_t)t.columns; i++)
		print_row(&t, i);
	return true;
}

/* The shell of SQLite has what a user of SQL expects: it completes words and draws tables. */
static int run_shell(const struct fleet_options *o, struct err *err)
{
	_database_ sqlite3 *db = NULL;
	char file[PATH_MAX];

	if (!database_open(o->db, DATABASE_READ, &db, err))
		return -1;
	database_close(&db);
	snprintf(file, sizeof(file), "%s%s", o->db[0] == '-' ? "./" : "", o->db); /* no "--" */
	execlp("sqlite3", "sqlite3", "-readonly", "-header", "-box", file, (char *)NULL);
	err_record(err, ERR_SYSTEM, errno, "sqlite3: %s", strerror(errno));
	err_add_fix(err, "install sqlite3, or give a query: losslessctl-fleet sql 'SELECT ...'");
	return -1;
}

static bool prepare(sqlite3 *db, const char *query, sqlite3_stmt **ret, struct err *err)
{
	const char *rest;

	if (sqlite3_prepare_v2(db, query, -1, ret, &rest) != SQLITE_OK)
		return err_set(err, ERR_USAGE, EINVAL, "%s", sqlite3_errmsg(db));
	if (!*ret || rest[strspn(rest, " \t\r\n;")])
		return err_set(err, ERR_USAGE, EINVAL, "one query is expected");
	return sqlite3_stmt_readonly(*ret) ||
	       err_set(err, ERR_USAGE, EINVAL, "the query writes, and `sql` only reads");
}

static bool run_query(const struct fleet_options *o, struct err *err)
{
	_database_ sqlite3 *db = NULL;
	_statement_ sqlite3_stmt *stmt = NULL;
	size_t count;

	if (!database_open(o->db, DATABASE_READ, &db, err) || !prepare(db, o->words[0], &stmt, err))
		return false;
	if (o->csv)
		return csv_print(stmt, err);
	return o->json ? rows_print_json(stmt, err) : rows_print_table(stmt, NULL, 0, &count, err);
}

int fleet_sql(const struct fleet_options *o, struct err *err)
{
	if (o->words_count == 0)
		return run_shell(o, err);
	return run_query(o, err) ? 0 : -1;
}
