#include "table.h"

#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/sanitize.h"

#define ESCAPE_MAX 4 /* bytes of a byte, once sanitized: \xNN */

static size_t cells_in_row(const struct table *t)
{
	return t->columns_count - t->has_rest;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

void table_add(struct table *t, const char *colour, const char *text)
{
	size_t column = t->count % cells_in_row(t), size = strlen(text) * ESCAPE_MAX + 1;
	struct table_cell *more = realloc(t->cells, (t->count + 1) * sizeof(*more));
	_free_ char *clean = malloc(size);

	if (more)
		t->cells = more;
	if (more && clean) {
		sanitize_text(text, clean, size);
		t->widths[column] = larger(t->widths[column], wrap_width(clean));
		more[t->count++] = (struct table_cell){ strdup(clean), colour };
	}
	*t->c->output_lost = *t->c->output_lost || !more || !clean || !more[t->count - 1].text;
}

static size_t width_of(const struct table *t, size_t column)
{
	const struct table_column *k = &t->columns[column];
	size_t width = larger(larger(k->width, strlen(k->head)), t->widths[column]);

	return k->max && width > k->max ? k->max : width;
}

/* Blanks before a column. */
static size_t gap_of(const struct table *t, size_t column)
{
	return !column ? 0 : t->columns[column].gap ? t->columns[column].gap : t->gap;
}

size_t table_start(const struct table *t, size_t column)
{
	size_t start = t->indent + gap_of(t, column);

	for (size_t i = 0; i < column; i++)
		if (!t->columns[i].is_hidden)
			start += gap_of(t, i) + width_of(t, i);
	return start;
}

size_t table_end(const struct table *t, size_t column)
{
	return table_start(t, column) + width_of(t, column);
}

/* Returns where a column starts in a row in which this much is printed. */
static size_t start_behind(const struct table *t, size_t column, size_t printed)
{
	return larger(table_start(t, column), printed + gap_of(t, column));
}

/* Prints a cell at its place behind what is printed; returns the column behind it. */
static size_t print_cell(const struct table *t, size_t column, const char *colour, const char *text,
			 size_t printed)
{
	size_t width = wrap_width(text), at = start_behind(t, column, printed);

	if (!text[0] || t->columns[column].is_hidden)
		return printed;
	if (t->columns[column].is_right && width < width_of(t, column))
		at += width_of(t, column) - width;
	fprintf(t->c->to, "%*s%s%s%s", (int)(at - printed), "", colour, text,
		*colour ? t->c->out.reset : "");
	return at + width;
}

void table_print_head(const struct table *t)
{
	size_t printed = t->indent;

	fprintf(t->c->to, "%*s%s", (int)t->indent, "", t->c->out.dim);
	for (size_t i = 0; i < t->columns_count; i++)
		printed = print_cell(t, i, "", t->columns[i].head, printed);
	fprintf(t->c->to, "%s\n", t->c->out.reset);
}

/* The next piece of the line is printed at a column. */
static void continue_at(const struct table *t, struct report_row *line, size_t column)
{
	line->gap = start_behind(t, column, line->column) - line->column;
	line->indent = table_start(t, column);
}

void table_skip_to(const struct table *t, struct report_row *line, size_t column)
{
	continue_at(t, line, column);
	line->column += (size_t)fprintf(t->c->to, "%*s", (int)line->gap, "");
	line->gap = 0;
}

struct report_row table_print_row(const struct table *t, size_t row)
{
	struct report_row line = { .to = t->c->to };

	for (size_t i = 0; i < cells_in_row(t) && row * cells_in_row(t) + i < t->count; i++) {
		const struct table_cell *cell = &t->cells[row * cells_in_row(t) + i];

		line.column =
			print_cell(t, i, cell->colour, cell->text ? cell->text : "", line.column);
	}
	if (t->has_rest)
		continue_at(t, &line, t->columns_count - 1);
	return line;
}

static void forget_cells(struct table *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->cells[i].text);
	t->count = 0;
}

void table_print_rows(struct table *t)
{
	for (size_t i = 0; i < t->count / cells_in_row(t); i++) {
		table_print_row(t, i);
		fputc('\n', t->c->to);
	}
	forget_cells(t);
}

void table_print(struct table *t)
{
	bool has_heads = false;

	for (size_t i = 0; i < t->columns_count; i++)
		has_heads = has_heads || t->columns[i].head[0];
	if (has_heads)
		table_print_head(t);
	table_print_rows(t);
}

void table_free(struct table *t)
{
	forget_cells(t);
	free(t->cells);
}
