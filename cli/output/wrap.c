#include "wrap.h"

#include <string.h>

#include "../../policy/util/sanitize.h"
#include "../watch/terminal.h"

#define TEXT_MIN 24 /* the narrowest column of text, for narrow terminals */

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

static size_t right_margin(size_t indent)
{
	size_t width = terminal_columns();

	return width > indent + TEXT_MIN ? width : indent + TEXT_MIN;
}

void wrap_print(FILE *to, const char *text, size_t column, size_t indent)
{
	size_t margin = right_margin(indent);
	const char *sep = "";

	while (*text) {
		size_t bytes = strcspn(text, " \n");

		if (*sep && (*sep == '\n' || column + 1 + width_of(text, bytes) > margin)) {
			fprintf(to, "\n%*s", (int)indent, "");
			column = indent;
		} else if (*sep) {
			fputc(' ', to);
			column++;
		}
		column += print_word(to, text, bytes);
		sep = text[bytes] == '\n' ? "\n" : " ";
		text += bytes + (text[bytes] != '\0');
	}
	fputc('\n', to);
}

void wrap_row(FILE *to, const char *name, int width, const char *text)
{
	int n = fprintf(to, "  %-*s ", width, name);

	wrap_print(to, text, n > 0 ? (size_t)n : 0, (size_t)width + 3);
}
