#include <inttypes.h>
#include <string.h>

#include "../../../policy/util/sanitize.h"
#include "../../../policy/util/sha256.h"
#include "../../../policy/util/status_word.h"
#include "../database.h"
#include "page_section.h"

static void char_write(FILE *out, char c)
{
	switch (c) {
	case '&':
		fputs("&amp;", out);
		break;
	case '<':
		fputs("&lt;", out);
		break;
	case '>':
		fputs("&gt;", out);
		break;
	case '"':
		fputs("&quot;", out);
		break;
	default:
		putc(c, out);
	}
}

void text_write_cut(FILE *out, const char *text, size_t most)
{
	char next[SANITIZED_CHAR_MAX];
	const char *start = text;

	while (*text && (size_t)(text - start) < most)
		for (const char *at = sanitize_next(&text, next); *at; at++)
			char_write(out, *at);
	if (*text)
		fputs("…", out);
}

void text_write(FILE *out, const char *text)
{
	text_write_cut(out, text, TEXT_MAX);
}

void number_write(FILE *out, int64_t n)
{
	char digits[24];
	size_t length = (size_t)snprintf(digits, sizeof(digits), "%" PRId64, n);

	for (size_t i = 0; i < length; i++) {
		putc(digits[i], out);
		if (digits[i] != '-' && i + 1 < length && (length - i - 1) % 3 == 0)
			putc(',', out);
	}
}

void words_write(FILE *out, const char *identifier)
{
	for (; *identifier; identifier++)
		char_write(out, *identifier == '_' ? ' ' : *identifier);
}

void time_write(FILE *out, const char *text)
{
	if (strlen(text) == 20 && strspn(text, "0123456789-:TZ") == 20)
		fprintf(out, "%.10s %.5s", text, text + 11);
	else
		text_write(out, text);
}

static void base64_write(FILE *out, const unsigned char *bytes, size_t size)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < size; i += 3) {
		unsigned group = (unsigned)bytes[i] << 16;

		if (i + 1 < size)
			group |= (unsigned)bytes[i + 1] << 8;
		if (i + 2 < size)
			group |= bytes[i + 2];
		putc(letters[group >> 18], out);
		putc(letters[group >> 12 & 63], out);
		putc(i + 1 < size ? letters[group >> 6 & 63] : '=', out);
		putc(i + 2 < size ? letters[group & 63] : '=', out);
	}
}

void hash_source_write(FILE *out, const char *text)
{
	unsigned char digest[SHA256_SIZE];

	sha256(text, strlen(text), digest);
	fputs("'sha256-", out);
	base64_write(out, digest, sizeof(digest));
	putc('\'', out);
}

/* ---- levels ---- */

const char *const level_names[LEVELS] = {
	[LEVEL_NONE] = "none",	     [LEVEL_GOOD] = "good", [LEVEL_UNKNOWN] = "unknown",
	[LEVEL_WARNING] = "warning", [LEVEL_BAD] = "bad",
};

enum level level_of(const char *word)
{
	static const enum level levels[SEVERITIES] = {
		[SEVERITY_IGNORE] = LEVEL_GOOD,
		[SEVERITY_INFO] = LEVEL_NONE,
		[SEVERITY_WARNING] = LEVEL_WARNING,
		[SEVERITY_CRITICAL] = LEVEL_BAD,
	};
	const struct status_word *w = status_word_named(word);

	return w->is_unknown ? LEVEL_UNKNOWN : levels[w->severity];
}

/* ---- queries ---- */

bool page_each(const struct page *p, const char *sql, page_row *take, void *arg, struct err *err)
{
	_statement_ sqlite3_stmt *stmt = NULL;
	bool row;

	if (!scope_prepare(p->scope, p->db, sql, &stmt, err))
		return false;
	for (;;) {
		if (!database_step(stmt, &row, err))
			return false;
		if (!row)
			return true;
		take(p->out, stmt, arg);
	}
}

static void take_number(FILE *out, sqlite3_stmt *stmt, void *arg)
{
	(void)out;
	*(int64_t *)arg = sqlite3_column_int64(stmt, 0);
}

bool page_number(const struct page *p, const char *sql, int64_t *ret, struct err *err)
{
	*ret = 0;
	return page_each(p, sql, take_number, ret, err);
}

const char *page_column(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? text : "";
}
