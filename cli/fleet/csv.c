#include "csv.h"

#include <stdio.h>
#include <string.h>

#include "../../policy/util/sanitize.h"
#include "database.h"

static void print_cell(const char *text)
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

static void print_line(sqlite3_stmt *stmt, const char *(*text_of)(sqlite3_stmt *, int))
{
	for (int i = 0; i < sqlite3_column_count(stmt); i++) {
		const char *text = text_of(stmt, i);

		if (i)
			putchar(',');
		print_cell(text ? text : "");
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

	print_line(stmt, sqlite3_column_name);
	for (;;) {
		if (!database_step(stmt, &row, err))
			return false;
		if (!row || ferror(stdout))
			return true;
		print_line(stmt, value_of);
	}
}
