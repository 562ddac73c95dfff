#include "print.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/monitor/rates.h"
#include "../../policy/util/json_dump.h"
#include "../../policy/util/sanitize.h"
#include "../watch/terminal.h"

#define TEXT_MIN	24   /* the narrowest column of text, for narrow terminals */
#define ERROR_PIECE_MAX 2048 /* bytes of a message, once sanitized */

/* ---- lines that wrap ---- */

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
	print_words(to, text, (struct report_row){ .column = column, .indent = indent, .to = to },
		    right_margin(terminal_columns(), indent));
	fputc('\n', to);
}

/* Begins a line, or prints the blanks if `width` columns of the text fit behind them. */
static void make_room(FILE *to, struct report_row *r, size_t gap, size_t width, size_t margin)
{
	gap += r->gap;
	r->gap = 0;
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

	print_words(stdout, text,
		    (struct report_row){
			    .column = n > 0 ? (size_t)n : 0, .indent = indent, .to = stdout },
		    right_margin(columns, indent));
	putchar('\n');
}

void wrap_row(FILE *to, const char *name, int width, const char *text)
{
	int n = fprintf(to, "  %-*s ", width, name);

	wrap_print(to, text, n > 0 ? (size_t)n : 0, (size_t)width + 3);
}

/* ---- colours, names and messages ---- */

struct style style_of(bool is_tty, unsigned colour, bool utf8)
{
	const char *no_color = getenv("NO_COLOR");
	bool plain = !is_tty || (no_color && no_color[0]) || terminal_is_dumb();
	bool on = colour == COLOUR_ALWAYS || (colour == COLOUR_AUTO && !plain);
	struct style s = { "", "", "", "", "", "", "->", false };

	if (on)
		s = (struct style){ "\033[1m",	"\033[2m", "\033[31m", "\033[32m",
				    "\033[33m", "\033[0m", "->",       false };
	s.utf8 = utf8;
	if (utf8)
		s.arrow = "\u2192";
	return s;
}

const char *severity_colour(const struct style *s, enum severity severity)
{
	return severity == SEVERITY_CRITICAL  ? s->red
	       : severity == SEVERITY_WARNING ? s->yellow
					      : s->dim;
}

const char *word_colour(const struct style *s, enum word w)
{
	enum severity severity = status_words[w].severity;

	return severity == SEVERITY_IGNORE ? s->green : severity_colour(s, severity);
}

void print_clean(FILE *to, const char *text)
{
	char next[SANITIZED_CHAR_MAX];

	while (*sanitize_next(&text, next))
		fputs(next, to);
}

void print_outside(FILE *to, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	print_clean(to, text);
}

void print_error_more(const char *text)
{
	struct report_row row = { .indent = 2 };

	error_row_add(&row, 2, "", text, "");
	fputc('\n', stderr);
}

void print_note(const char *colour, const char *level, const char *reset, const char *text)
{
	struct report_row row = { .indent = 2 };

	error_row_add(&row, 0, "", "losslessctl:", "");
	error_row_add(&row, 1, colour, level, reset);
	error_row_add(&row, 1, "", text, "");
	fputc('\n', stderr);
}

void print_failure(const struct cli *c, const struct err *err)
{
	struct report_row row = { .indent = 2 };
	char where[sizeof(err->where) + 1];

	error_row_add(&row, 0, c->err.bold, "losslessctl:", c->err.reset);
	snprintf(where, sizeof(where), "%s:", err->where);
	if (err->where[0])
		error_row_add(&row, 1, "", where, "");
	error_row_add(&row, 1, c->err.red, err->text, c->err.reset);
	fputc('\n', stderr);
	if (err->at.pointer[0]) {
		fputs("  at ", stderr);
		print_clean(stderr, err->at.pointer);
		fputc('\n', stderr);
	}
	if (err->fix[0])
		print_error_more(err->fix);
}

void print_warning(const struct cli *c, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (c->opt.quiet)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	print_note(c->err.yellow, "warning:", c->err.reset, text);
}

static void print_speed(FILE *to, uint32_t mbps)
{
	if (mbps >= 1000 && mbps % 1000 == 0)
		fprintf(to, ", %u Gb/s", mbps / 1000);
	else if (mbps)
		fprintf(to, ", %u Mb/s", mbps);
}

/* Prints a fact of the device if it is known. */
static void print_after(const struct cli *c, const char *before, const char *text)
{
	if (!text[0])
		return;
	fputs(before, c->to);
	print_clean(c->to, text);
}

/* Omits the board's PSID, "16.35.2000 (MT_0000000008)", unless --verbose is set. */
static void print_firmware(const struct cli *c, const char *firmware)
{
	char text[sizeof(((struct port *)0)->firmware)];
	char *psid;

	snprintf(text, sizeof(text), "%s", firmware);
	psid = c->opt.verbose ? NULL : strstr(text, " (");
	if (psid)
		*psid = '\0';
	print_after(c, " firmware ", text);
}

void print_port(const struct cli *c, const struct port *p)
{
	fputs(c->out.bold, c->to);
	print_clean(c->to, p->id.name);
	fprintf(c->to, "%s  ", c->out.reset);
	print_clean(c->to, p->id.driver);
	print_firmware(c, p->firmware);
	print_after(c, ", ", p->id.pci);
	print_after(c, ", ", p->no_interface ? "" : p->id.rdma);
	print_speed(c->to, p->speed_mbps);
	fprintf(c->to, ", link %s%s%s", p->carrier ? c->out.green : c->out.yellow,
		p->carrier ? "up" : "down", c->out.reset);
}

void print_link_note(const struct cli *c, const struct port *p)
{
	if (!p->carrier)
		fprintf(c->to, "  %sthe link is down%s\n", c->out.dim, c->out.reset);
	else if (p->speed_mbps && p->speed_mbps < p->best_speed_mbps)
		fprintf(c->to, "  %sthe link is slower than the port supports: %u of %u Mb/s%s\n",
			c->out.dim, p->speed_mbps, p->best_speed_mbps, c->out.reset);
}

void print_below(const struct cli *c, size_t indent, const char *colour, const char *text)
{
	struct report_row row = { .indent = indent, .to = c->to };

	if (!text[0])
		return;
	report_row_add(&row, indent, colour, text, *colour ? c->out.reset : "");
	fputc('\n', c->to);
}

int names_width(setting_set names)
{
	int width = NAME_WIDTH_MIN;

	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if ((names & SETTING(i)) && (int)strlen(settings[i].path) > width)
			width = (int)strlen(settings[i].path);
	return width;
}

void print_name(FILE *to, const char *name, int width)
{
	fprintf(to, "  %-*s ", width, name);
}

/* The settings of one object: all of "dcqcn." */
static setting_set siblings(unsigned setting)
{
	const char *path = settings[setting].path;
	size_t length = strcspn(path, ".") + 1;
	setting_set all = SETTING(setting);

	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if ((SETUP_SETTINGS & SETTING(i)) && strncmp(settings[i].path, path, length) == 0)
			all |= SETTING(i);
	return all;
}

bool take_name(setting_set *left, char name[static SETTING_NAME_MAX])
{
	unsigned i = 0;
	setting_set all;

	if (!*left)
		return false;
	while (!(*left & SETTING(i)))
		i++;
	all = siblings(i);
	if (all == SETTING(i) || (all & *left) != all) {
		all = SETTING(i);
		snprintf(name, SETTING_NAME_MAX, "%.60s", settings[i].path);
	} else {
		snprintf(name, SETTING_NAME_MAX, "%.*s.*", (int)strcspn(settings[i].path, "."),
			 settings[i].path);
	}
	*left &= ~all;
	return true;
}

void print_change(const struct cli *c, unsigned setting, const struct config *from,
		  const struct config *to)
{
	char before[SETTING_TEXT_MAX], after[SETTING_TEXT_MAX];

	setting_change_text(&settings[setting], from, to, before, after);
	fprintf(c->to, "%s %s %s%s%s", before, c->out.arrow, c->out.green, after, c->out.reset);
}

void print_json(const struct cli *c, json_t *document)
{
	_free_ char *text =
		json_dump_sanitized(document, (c->stdout_is_tty ? JSON_INDENT(2) : JSON_COMPACT) |
						      JSON_REAL_PRECISION(JSON_DIGITS));

	*c->output_lost = *c->output_lost || !text;
	if (text)
		puts(text);
	json_decref(document);
}

const char *origin_short(const char *origin)
{
	const char *slash = strrchr(origin, '/');

	return slash ? slash + 1 : origin;
}
