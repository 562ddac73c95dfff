/* Tests of wrapped text: where lines break, and which width counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output/print.h"
#include "cli/watch/terminal.h"
#include "tests/support/unit.h"

static const struct row {
	const char *sentence, *columns, *text;
	size_t column, indent;
	const char *printed;
} rows[] = {
	{ "a text that fits is one line", "40", "one two", 0, 2, "one two\n" },
	{ "a word that does not fit begins a line", "30", "one two three four five six seven", 0, 2,
	  "one two three four five six\n  seven\n" },
	{ "a word may end at the margin", "30", "one two three four five sixty seven", 0, 0,
	  "one two three four five sixty\nseven\n" },
	{ "what is there before counts", "30", "one two three four five", 20, 4,
	  "one two\n    three four five\n" },
	{ "a word longer than a line is not broken", "26", "one abcdefghijklmnopqrstuvwxyz012 two",
	  0, 2, "one\n  abcdefghijklmnopqrstuvwxyz012\n  two\n" },
	{ "a newline begins a line", "40", "one\ntwo three", 0, 2, "one\n  two three\n" },
	{ "letters of several bytes have one column", "26", "→→→→→ →→→→→ →→→→→ →→→→→ →→", 0, 0,
	  "→→→→→ →→→→→ →→→→→ →→→→→ →→\n" },
	{ "a narrow terminal leaves 24 columns", "10", "one two three four five six seven", 0, 2,
	  "one two three four five\n  six seven\n" },
	{ "a command is not broken", "26", "one two three four `ab cd ef` six", 0, 2,
	  "one two three four\n  `ab cd ef` six\n" },
	{ "nor one in brackets", "26", "one two three four (`ab cd ef`), six", 0, 2,
	  "one two three four\n  (`ab cd ef`), six\n" },
	{ "a command longer than a line is", "26", "run `abcdefghij klmnopqrst uvwxyz 0123` now", 0,
	  2, "run `abcdefghij klmnopqrst\n  uvwxyz 0123` now\n" },
	{ "a backtick that is never closed is a letter", "26", "one two three four `ab cd ef six",
	  0, 2, "one two three four `ab cd\n  ef six\n" },
	{ "control characters are escaped", "40", "a\033[2Jb", 0, 0, "a\\x1b[2Jb\n" },
};

static void it_is_printed_so(void **s)
{
	const struct row *row = *s;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	setenv("COLUMNS", row->columns, 1);
	wrap_print(to, row->text, row->column, row->indent);
	fclose(to);
	unsetenv("COLUMNS");
	assert_string_equal(text, row->printed);
	free(text);
}

static void a_width_that_is_none_is_80(void **s)
{
	static const char *const none[] = { "", "0", "wide", "-5", "100000" };

	(void)s;
	if (isatty(STDOUT_FILENO))
		skip(); /* a terminal has a width */
	assert_int_equal(terminal_columns(), 80);
	for (size_t i = 0; i < COUNT(none); i++) {
		setenv("COLUMNS", none[i], 1);
		assert_int_equal(terminal_columns(), 80);
	}
	setenv("COLUMNS", "132", 1);
	assert_int_equal(terminal_columns(), 132);
	unsetenv("COLUMNS");
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, it_is_printed_so);
	SUITE_ADD(&s, a_width_that_is_none_is_80);
	return suite_run(&s, "wrap");
}
