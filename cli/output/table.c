#include "table.h"

#include <string.h>

#include "../../policy/util/sanitize.h"

#define CELL_MAX 1024 /* bytes, once sanitized */

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
	size_t column = t->count % cells_in_row(t);
	struct table_cell *more = realloc(t->cells, (t->count + 1) * sizeof(*more));
	char clean[CELL_MAX];

	sanitize_text(text, clean, sizeof(clean));
	t->widths[column] = larger(t->widths[column], wrap_width(clean));
	if (more) {
		t->cells = more;
		more[t->count++] = (struct table_cell){ strdup(clean), colour };
	}
	*t->c->output_lost = *t->c->output_lost || !more || !more[t->count - 1].text;
}

static size_t width_of(const struct table *t, size_t column)
{
	const struct table_column *k = &t->columns[column];

	return larger(larger(k->width, strlen(k->head)), t->widths[column]);
}

size_t table_start(const struct table *t, size_t column)
{
	size_t start = t->indent;

	for (size_t i = 0; i < column; i++)
		start += width_of(t, i) + t->gap;
	return start;
}

/* Prints a cell at its place behind what is printed; returns the column behind it. */
static size_t print_cell(const struct table *t, size_t column, const char *colour, const char *text,
			 size_t printed)
{
	size_t width = wrap_width(text), at = table_start(t, column);

	if (!text[0])
		return printed;
	if (t->columns[column].is_right)
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

struct report_row table_print_row(const struct table *t, size_t row)
{
	struct report_row line = { 0, 0, t->c->to };

	for (size_t i = 0; i < cells_in_row(t) && row * cells_in_row(t) + i < t->count; i++) {
		const struct table_cell *cell = &t->cells[row * cells_in_row(t) + i];

		line.column =
			print_cell(t, i, cell->colour, cell->text ? cell->text : "", line.column);
	}
	if (t->has_rest) {
		line.indent = table_start(t, t->columns_count - 1);
		fprintf(t->c->to, "%*s", (int)(line.indent - line.column), "");
		line.column = line.indent;
	}
	return line;
}

void table_print(const struct table *t)
{
	table_print_head(t);
	for (size_t i = 0; i < t->count / cells_in_row(t); i++) {
		table_print_row(t, i);
		fputc('\n', t->c->to);
	}
}

void table_free(struct table *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->cells[i].text);
	free(t->cells);
}
