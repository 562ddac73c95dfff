#include "screen_buffer.h"

#include <string.h>

#define HOME	   "\033[H"
#define ERASE_LINE "\033[K"

static bool is_full(const struct screen_buffer *c)
{
	return c->row >= c->rows;
}

static void append(struct screen_buffer *c, const char *text, size_t length)
{
	if (c->used + length > CANVAS_BYTES)
		return;
	memcpy(c->bytes + c->used, text, length);
	c->used += length;
}

static unsigned within(unsigned n, unsigned max)
{
	return n == 0 ? 1 : n < max ? n : max;
}

void screen_buffer_start(struct screen_buffer *c, char *bytes, unsigned cols, unsigned rows)
{
	*c = (struct screen_buffer){ .bytes = bytes,
				     .cols = within(cols, CANVAS_COLS_MAX),
				     .rows = within(rows, CANVAS_ROWS_MAX) };
	append(c, HOME ERASE_LINE, strlen(HOME ERASE_LINE));
}

/* Returns the length of the first UTF-8 character, never beyond the terminator. */
static size_t character(const char *text)
{
	size_t n = 1;

	while (((unsigned char)text[n] & 0xc0) == 0x80)
		n++;
	return n;
}

void screen_buffer_put(struct screen_buffer *c, const char *text)
{
	while (*text && c->column < c->cols && !is_full(c)) {
		size_t n = character(text);

		append(c, text, n);
		c->column++;
		text += n;
	}
}

void screen_buffer_put_clean(struct screen_buffer *c, const char *text)
{
	for (; *text; text++) {
		const char letter[2] = { *text >= ' ' && *text <= '~' ? *text : '?', '\0' };

		screen_buffer_put(c, letter);
	}
}

void screen_buffer_style(struct screen_buffer *c, const char *sequence)
{
	if (!is_full(c))
		append(c, sequence, strlen(sequence));
}

void screen_buffer_to(struct screen_buffer *c, unsigned column)
{
	while (c->column < column && c->column < c->cols && !is_full(c))
		screen_buffer_put(c, " ");
}

/*
 * Erases the next line before drawing it, not after: in the last column the cursor stays on the
 * last character, and erasing to the end of the line would delete that character.
 */
void screen_buffer_line(struct screen_buffer *c)
{
	if (is_full(c))
		return;
	c->column = 0;
	c->row++;
	if (!is_full(c))
		append(c, "\r\n" ERASE_LINE, strlen("\r\n" ERASE_LINE));
}

void screen_buffer_end(struct screen_buffer *c)
{
	while (!is_full(c))
		screen_buffer_line(c);
}

unsigned screen_buffer_left(const struct screen_buffer *c)
{
	return c->rows - c->row;
}
