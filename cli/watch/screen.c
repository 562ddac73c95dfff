#include "screen.h"

#include <stdio.h>
#include <string.h>

#include "../output/print.h"
#include "columns.h"

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

/* ---- the screen ---- */

#define ROWS_AROUND 4 /* the header, two heading rows and a blank row */
#define ALARM_WIDTH 10
#define TEXT_MAX    (SYMPTOM_TEXT_MAX + ID_MAX + 96)

static void draw_header(const struct scene *s, struct screen_buffer *c)
{
	static const char keys[] = "q: quit";
	char every[32];

	snprintf(every, sizeof(every), "  every %u s  ", s->interval_s);
	screen_buffer_style(c, s->style->bold);
	screen_buffer_put(c, "losslessctl watch  ");
	screen_buffer_style(c, s->style->reset);
	screen_buffer_put_clean(c, s->host);
	screen_buffer_put(c, "  ");
	screen_buffer_put(c, s->time);
	screen_buffer_put(c, every);
	if (c->cols > sizeof(keys) - 1)
		screen_buffer_to(c, c->cols - (unsigned)(sizeof(keys) - 1));
	screen_buffer_put(c, keys);
	screen_buffer_line(c);
}

/* Pads on the left to right-align a cell of `length` characters. */
static void align(struct screen_buffer *c, const struct column *column, unsigned width,
		  size_t length)
{
	if (!column->left && length < width)
		screen_buffer_to(c, c->column + width - (unsigned)length);
}

static void draw_groups(const struct scene *s, struct screen_buffer *c, const struct widths *w)
{
	unsigned at = 0;

	screen_buffer_style(c, s->style->dim);
	for (size_t i = 0; i < columns_count; i++) {
		const struct column *column = &columns[i];

		if (!w->of[i])
			continue;
		if (column->group) {
			screen_buffer_to(c, at);
			screen_buffer_put(c, column->group);
		}
		at += w->of[i] + 1;
	}
	screen_buffer_style(c, s->style->reset);
	screen_buffer_line(c);
}

static void draw_heads(const struct scene *s, struct screen_buffer *c, const struct widths *w)
{
	unsigned at = 0;

	screen_buffer_style(c, s->style->bold);
	for (size_t i = 0; i < columns_count; i++) {
		if (!w->of[i])
			continue;
		screen_buffer_to(c, at);
		align(c, &columns[i], w->of[i], strlen(columns[i].head));
		screen_buffer_put(c, columns[i].head);
		at += w->of[i] + 1;
	}
	screen_buffer_style(c, s->style->reset);
	screen_buffer_line(c);
}

static void draw_curve(const struct scene *s, struct screen_buffer *c, const struct live_port *p,
		       enum column_curve which, unsigned width)
{
	char text[SPARKLINE_MAX];

	if (which == CURVE_PAUSE)
		screen_buffer_put(c, sparkline(&p->pause, width, 100, s->style->utf8, text));
	else
		screen_buffer_put(c, sparkline(&p->cnp, width, 0, s->style->utf8, text));
}

/* Marks truncated text with a final "+". */
static void draw_cell(struct screen_buffer *c, const struct live_port *p,
		      const struct column *column, unsigned width)
{
	char cell[COLUMN_CELL_MAX];

	column->write(column, p, cell);
	if (strlen(cell) > width && width < COLUMN_CELL_MAX) {
		cell[width - 1] = '+';
		cell[width] = '\0';
	}
	align(c, column, width, strlen(cell));
	screen_buffer_put_clean(c, cell);
}

/* Colours a port's name by its worst symptom, or by a missing link. */
static const char *port_colour(const struct style *s, const struct live_port *p)
{
	if (p->gone)
		return s->red;
	for (size_t i = 0; i < p->sampler.active_symptoms_count; i++)
		if (p->sampler.active_symptoms[i].severity == SEVERITY_CRITICAL)
			return s->red;
	return p->sampler.active_symptoms_count || !p->port.carrier ? s->yellow : "";
}

static void draw_port(const struct scene *s, struct screen_buffer *c, const struct live_port *p,
		      const struct widths *w)
{
	unsigned at = 0;

	screen_buffer_style(c, port_colour(s->style, p));
	for (size_t i = 0; i < columns_count; i++) {
		if (!w->of[i])
			continue;
		screen_buffer_to(c, at);
		if (columns[i].curve)
			draw_curve(s, c, p, columns[i].curve, w->of[i]);
		else
			draw_cell(c, p, &columns[i], w->of[i]);
		if (i == 0)
			screen_buffer_style(c, s->style->reset);
		at += w->of[i] + 1;
	}
	screen_buffer_line(c);
}

static void draw_more(const struct scene *s, struct screen_buffer *c, size_t n, const char *what)
{
	char text[64];

	snprintf(text, sizeof(text), "%s %zu more %s%s", s->style->utf8 ? "\u2026" : "...", n, what,
		 n == 1 ? "" : "s");
	screen_buffer_style(c, s->style->dim);
	screen_buffer_put(c, text);
	screen_buffer_style(c, s->style->reset);
	screen_buffer_line(c);
}

static void draw_ports(const struct scene *s, struct screen_buffer *c, unsigned room)
{
	unsigned name = 0;
	size_t shown = s->count <= room ? s->count : room - 1;
	struct widths w;

	for (size_t i = 0; i < s->count; i++)
		if (strlen(s->ports[i].port.id.name) > name)
			name = (unsigned)strlen(s->ports[i].port.id.name);
	w = columns_fit(c->cols, name);
	draw_groups(s, c, &w);
	draw_heads(s, c, &w);
	for (size_t i = 0; i < shown; i++)
		draw_port(s, c, &s->ports[i], &w);
	if (shown < s->count)
		draw_more(s, c, s->count - shown, "port");
}

/* Returns how many bytes fit into one line. The caller skips the blank that follows them. */
static size_t wrap(const char *text, size_t width)
{
	size_t n = width;

	if (strlen(text) <= width)
		return strlen(text);
	while (n > 0 && text[n] != ' ')
		n--;
	return n ? n : width;
}

static unsigned text_width(const struct screen_buffer *c)
{
	return c->cols > 2 * ALARM_WIDTH ? c->cols - ALARM_WIDTH : ALARM_WIDTH;
}

static unsigned count_lines(const char *text, size_t width)
{
	unsigned n = 0;

	for (; *text; n++) {
		text += wrap(text, width);
		text += *text == ' ';
	}
	return n;
}

static void spell(const struct live_port *p, const struct active_symptom *k, char text[TEXT_MAX])
{
	snprintf(text, TEXT_MAX, "%s %s: %s; look at %s", p->port.id.name, k->symptom->name,
		 k->text, symptom_origin_text(k->origin));
}

static void draw_symptom(const struct scene *s, struct screen_buffer *c, enum severity a,
			 const char *text)
{
	bool first = true;

	for (; *text; first = false) {
		size_t n = wrap(text, text_width(c));
		char line[TEXT_MAX];

		snprintf(line, sizeof(line), "%.*s", (int)n, text);
		if (first) {
			screen_buffer_style(c, severity_colour(s->style, a));
			screen_buffer_put(c, severity_name(a));
			screen_buffer_style(c, s->style->reset);
		}
		screen_buffer_to(c, ALARM_WIDTH);
		screen_buffer_put_clean(c, line);
		screen_buffer_line(c);
		text += n;
		text += *text == ' ';
	}
}

/* Draws the symptoms that fit and reserves a row for "… N more symptoms". */
struct roll {
	size_t drawn, total;
	bool full;
};

static void draw_symptoms_of(const struct scene *s, struct screen_buffer *c, enum severity a,
			     struct roll *r)
{
	char text[TEXT_MAX];

	for (size_t i = 0; i < s->count; i++)
		for (size_t k = 0; k < s->ports[i].sampler.active_symptoms_count; k++) {
			const struct active_symptom *one = &s->ports[i].sampler.active_symptoms[k];
			bool last;

			if (one->severity != a)
				continue;
			last = r->drawn + 1 == r->total;
			spell(&s->ports[i], one, text);
			r->full = r->full ||
				  count_lines(text, text_width(c)) + !last > screen_buffer_left(c);
			if (r->full)
				continue;
			draw_symptom(s, c, a, text);
			r->drawn++;
		}
}

static size_t active_symptoms(const struct scene *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++)
		n += s->ports[i].sampler.active_symptoms_count;
	return n;
}

static bool was_checked(const struct scene *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->ports[i].sampler.checked_ms)
			return true;
	return false;
}

static void draw_symptoms(const struct scene *s, struct screen_buffer *c)
{
	struct roll r = { .total = active_symptoms(s) };

	draw_symptoms_of(s, c, SEVERITY_CRITICAL, &r);
	draw_symptoms_of(s, c, SEVERITY_WARNING, &r);
	draw_symptoms_of(s, c, SEVERITY_INFO, &r);
	if (r.drawn < r.total)
		draw_more(s, c, r.total - r.drawn, "symptom");
	if (r.total)
		return;
	screen_buffer_style(c, s->style->dim);
	screen_buffer_put(c, was_checked(s) ? "no symptoms" : "sampling");
	screen_buffer_style(c, s->style->reset);
}

/* Gives the ports the rows that the symptoms do not need, but at least two thirds. */
static unsigned ports_room(const struct scene *s, const struct screen_buffer *c)
{
	unsigned rows = c->rows > ROWS_AROUND + 2 ? c->rows - ROWS_AROUND : 2;
	size_t rows_wanted = active_symptoms(s) ? 2 * active_symptoms(s) : 1;
	unsigned share = rows / 3 ? rows / 3 : 1;

	return rows - (rows_wanted < share ? (unsigned)rows_wanted : share);
}

void frame_draw(const struct scene *s, struct screen_buffer *c)
{
	draw_header(s, c);
	draw_ports(s, c, ports_room(s, c));
	screen_buffer_line(c);
	draw_symptoms(s, c);
	screen_buffer_end(c);
}
