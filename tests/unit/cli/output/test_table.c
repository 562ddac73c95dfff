/* Tests of tables: the widths, places and overflow of their cells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/table.h"
#include "tests/support/unit.h"

#define CELLS_MAX 8

static const struct row {
	const char *sentence;
	struct table_column columns[4]; /* up to the first without a heading */
	const char *cells[CELLS_MAX];
	const char *printed;
} rows[] = {
	{ "a column is as wide as its longest cell",
	  { { .head = "a" }, { .head = "b" } },
	  { "one", "two", "three", "four" },
	  "  a      b\n  one    two\n  three  four\n" },
	{ "a column has its least width",
	  { { "a", .width = 6 }, { .head = "b" } },
	  { "one", "two" },
	  "  a       b\n  one     two\n" },
	{ "numbers are on the right",
	  { { "a", .is_right = true }, { .head = "b" } },
	  { "1", "x", "234", "y" },
	  "    a  b\n    1  x\n  234  y\n" },
	{ "no blanks follow the last cell",
	  { { .head = "a" }, { .head = "b" } },
	  { "one", "", "three", "four" },
	  "  a      b\n  one\n  three  four\n" },
	{ "a cell beyond the most moves the rest of its row",
	  { { "a", .max = 3 }, { .head = "b" }, { .head = "c" } },
	  { "12345", "x", "y", "1", "x", "y" },
	  "  a    b  c\n  12345  x  y\n  1    x  y\n" },
	{ "a place that is still free is kept behind it",
	  { { "a", .max = 3 }, { "b", .width = 9 }, { .head = "c" } },
	  { "12345", "x", "y" },
	  "  a    b          c\n  12345  x        y\n" },
	{ "a number beyond the most starts at its place",
	  { { "a", .max = 3, .is_right = true }, { .head = "b" } },
	  { "12345", "x" },
	  "    a  b\n  12345  x\n" },
	{ "a column has its own gap",
	  { { .head = "a" }, { "b", .gap = 1 }, { .head = "c" } },
	  { "1", "2", "3" },
	  "  a b  c\n  1 2  3\n" },
	{ "a hidden column takes no room",
	  { { .head = "a" }, { "b", .is_hidden = true }, { .head = "c" } },
	  { "1", "2", "3" },
	  "  a  c\n  1  3\n" },
	{ "a letter of several bytes has one column",
	  { { .head = "a" }, { .head = "b" } },
	  { "→→→", "x", "1", "y" },
	  "  a    b\n  →→→  x\n  1    y\n" },
	{ "control characters are escaped, and count as printed",
	  { { .head = "a" }, { .head = "b" } },
	  { "\033", "x", "1", "y" },
	  "  a     b\n  \\x1b  x\n  1     y\n" },
};

static size_t count_columns(const struct row *row)
{
	size_t n = 0;

	while (row->columns[n].head)
		n++;
	return n;
}

static void it_is_printed_so(void **s)
{
	const struct row *row = *s;
	char *text = NULL;
	size_t size;
	bool lost = false;
	struct cli c = { .to = open_memstream(&text, &size),
			 .out = { "", "", "", "", "", "", "->", false },
			 .output_lost = &lost };
	_table_ struct table t = { .c = &c,
				   .columns = row->columns,
				   .columns_count = count_columns(row),
				   .indent = 2,
				   .gap = 2 };

	for (size_t i = 0; i < CELLS_MAX && row->cells[i]; i++)
		table_add(&t, "", row->cells[i]);
	table_print(&t);
	fclose(c.to);
	assert_string_equal(text, row->printed);
	assert_false(lost);
	free(text);
}

/* Prints two rows, one by one. */
static void rows_that_follow_have_the_widths_of_those_before(void **s)
{
	static const struct table_column columns[] = { { .head = "" }, { .head = "" } };
	char *text = NULL;
	size_t size;
	bool lost = false;
	struct cli c = { .to = open_memstream(&text, &size), .output_lost = &lost };
	_table_ struct table t = { .c = &c, .columns = columns, .columns_count = 2, .gap = 1 };

	(void)s;
	table_add(&t, "", "three");
	table_add(&t, "", "x");
	table_print(&t);
	table_add(&t, "", "1");
	table_add(&t, "", "y");
	table_print(&t);
	fclose(c.to);
	assert_string_equal(text, "three x\n1     y\n");
	free(text);
}

static void text_of_the_caller_starts_at_a_column(void **s)
{
	static const struct table_column columns[] = { { "", .width = 3, .max = 3 },
						       { .head = "" } };
	char *text = NULL;
	size_t size;
	bool lost = false;
	struct cli c = { .to = open_memstream(&text, &size), .output_lost = &lost };
	_table_ struct table t = { .c = &c, .columns = columns, .columns_count = 2, .gap = 1 };

	(void)s;
	for (int i = 0; i < 2; i++) {
		struct report_row line;

		table_add(&t, "", i ? "12345" : "1");
		table_add(&t, "", "");
		line = table_print_row(&t, (size_t)i);
		table_skip_to(&t, &line, 1);
		assert_int_equal(line.column, i ? 6 : 4);
		assert_int_equal(line.indent, 4);
		fputs("x\n", c.to);
	}
	fclose(c.to);
	assert_string_equal(text, "1   x\n12345 x\n");
	free(text);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, it_is_printed_so);
	SUITE_ADD(&s, rows_that_follow_have_the_widths_of_those_before);
	SUITE_ADD(&s, text_of_the_caller_starts_at_a_column);
	return suite_run(&s, "table");
}
