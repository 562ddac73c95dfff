#include "wrap.h"

#include <string.h>

#include "../../policy/util/sanitize.h"
#include "../watch/terminal.h"

#define TEXT_MIN	24   /* the narrowest column of text, for narrow terminals */
#define ERROR_PIECE_MAX 2048 /* bytes of a message, once sanitized */

/* Prints `bytes` bytes and returns the number of columns they take. */
static size_t print_word(FILE *to, const char *word, size_t bytes)
{
	const char *end = word + bytes;
	char next[SANITIZED_CHAR_MAX];
	size_t columns = 0;

	for (; word < end && *sanitize_next(&word, next); columns++)
		fputs(next, to);
	return columns;
}

/* Counts UTF-8 characters. */
static size_t width_of(const char *word, size_t bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < bytes; i++)
		n += ((unsigned char)word[i] & 0xc0) != 0x80;
	return n;
}

size_t wrap_width(const char *text)
{
	return width_of(text, strlen(text));
}

static size_t right_margin(size_t width, size_t indent)
{
	return width > indent + TEXT_MIN ? width : indent + TEXT_MIN;
}

static size_t new_line(FILE *to, size_t indent)
{
	fprintf(to, "\n%*s", (int)indent, "");
	return indent;
}

/* The length of a word; a command in backticks is one, if it fits into a line, so that it can be
 * copied. */
static size_t word_length(const char *text, size_t room)
{
	size_t bytes = strcspn(text, " \n"), whole;
	const char *open = text + (*text == '('), *close;

	if (*open != '`' || memchr(open + 1, '`', bytes - (size_t)(open - text) - 1))
		return bytes;
	close = strchr(open + 1, '`');
	if (!close)
		return bytes;
	whole = (size_t)(close - text) + strcspn(close, " \n");
	return width_of(text, whole) <= room && !memchr(text, '\n', whole) ? whole : bytes;
}

/* Returns the column behind the last word. */
static size_t print_words(FILE *to, const char *text, struct report_row r, size_t margin)
{
	const char *sep = "";

	while (*text) {
		size_t bytes = word_length(text, margin - r.indent);

		if (*sep && (*sep == '\n' || r.column + 1 + width_of(text, bytes) > margin)) {
			r.column = new_line(to, r.indent);
		} else if (*sep) {
			fputc(' ', to);
			r.column++;
		}
		r.column += print_word(to, text, bytes);
		sep = text[bytes] == '\n' ? "\n" : " ";
		text += bytes + (text[bytes] != '\0');
	}
	return r.column;
}

void wrap_print(FILE *to, const char *text, size_t column, size_t indent)
{
	print_words(to, text, (struct report_row){ column, indent, to },
		    right_margin(terminal_columns(), indent));
	fputc('\n', to);
}

/* Begins a line, or prints `gap` blanks if `width` columns of the text fit behind them. */
static void make_room(FILE *to, struct report_row *r, size_t gap, size_t width, size_t margin)
{
	if (r->column > r->indent && r->column + gap + width > margin)
		r->column = new_line(to, r->indent);
	else
		r->column += (size_t)fprintf(to, "%*s", (int)gap, "");
}

void report_row_add(struct report_row *r, size_t gap, const char *colour, const char *text,
		    const char *reset)
{
	size_t margin = right_margin(terminal_report_columns(), r->indent);
	FILE *to = r->to ? r->to : stdout;

	make_room(to, r, gap, wrap_width(text), margin);
	fputs(colour, to);
	r->column = print_words(to, text, *r, margin);
	fputs(reset, to);
}

/* A newline in the text comes from outside: it is escaped. */
void error_row_add(struct report_row *r, size_t gap, const char *colour, const char *text,
		   const char *reset)
{
	size_t margin = right_margin(terminal_error_columns(), r->indent);
	char clean[ERROR_PIECE_MAX];

	sanitize_text(text, clean, sizeof(clean));
	make_room(stderr, r, gap, width_of(clean, word_length(clean, margin - r->indent)), margin);
	fputs(colour, stderr);
	r->column = print_words(stderr, clean, *r, margin);
	fputs(reset, stderr);
}

size_t wrap_columns(void)
{
	return terminal_columns();
}

void wrap_row_in(size_t columns, const char *name, int width, const char *text)
{
	size_t indent = (size_t)width + 3;
	int n = printf("  %-*s ", width, name);

	print_words(stdout, text, (struct report_row){ n > 0 ? (size_t)n : 0, indent, stdout },
		    right_margin(columns, indent));
	putchar('\n');
}

void wrap_row(FILE *to, const char *name, int width, const char *text)
{
	int n = fprintf(to, "  %-*s ", width, name);

	wrap_print(to, text, n > 0 ? (size_t)n : 0, (size_t)width + 3);
}
