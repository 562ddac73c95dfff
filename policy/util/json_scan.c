#include "json_scan.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DEPTH_MAX 2048 /* as jansson's JSON_PARSER_MAX_DEPTH */
#define BLANKS	  " \t\r\n"

struct scanner {
	struct json_scan found;
	const char *end;
	uint32_t opened[DEPTH_MAX]; /* positions of { and [ */
	size_t depth;
	const char *text, *limit;
};

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && *p && strchr(BLANKS, *p))
		p++;
	return p;
}

/* Returns `p` if no comment begins there. */
static const char *skip_comment(const char *p, const char *end)
{
	bool block = end - p > 1 && p[0] == '/' && p[1] == '*';

	if (p == end || !(*p == '#' || block || (end - p > 1 && p[0] == '/' && p[1] == '/')))
		return p;
	for (p += 1 + block; p < end; p++)
		if (block ? p[0] == '/' && p[-1] == '*' : *p == '\n')
			return p + 1;
	return end;
}

const char *json_skip_comments(const char *text, size_t size)
{
	const char *end = text + size, *p = skip_blanks(text, end), *next;

	for (; (next = skip_comment(p, end)) != p; p = skip_blanks(next, end))
		;
	return p;
}

static bool is_word_byte(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c && strchr("+-._$", c)) || (c & 0x80);
}

static size_t digits(const char *p)
{
	return strspn(p, "0123456789");
}

/* RFC 8259, section 6. */
static bool is_number(const char *p, size_t size)
{
	const char *end = p + size;
	size_t n;

	p += *p == '-';
	n = digits(p);
	if (!n || (n > 1 && *p == '0'))
		return false;
	p += n;
	if (*p == '.') {
		n = digits(++p);
		p += n;
		if (!n)
			return false;
	}
	if (p < end && (*p == 'e' || *p == 'E')) {
		p += 1 + (p[1] == '+' || p[1] == '-');
		n = digits(p);
		p += n;
	}
	return n && p == end;
}

static bool is_scalar(const char *p, size_t size)
{
	static const char *const words[] = { "true", "false", "null" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == size && strncmp(words[i], p, size) == 0)
			return true;
	return is_number(p, size);
}

/* The end of the string at `p`; NULL if it has none on its line. */
static const char *string_end(const char *p, const char *end)
{
	for (p++; p < end && *p != '\n'; p++) {
		if (*p == '"')
			return p + 1;
		if (*p == '\\' && p + 1 < end && p[1] != '\n')
			p++;
	}
	return NULL;
}

/* U+2018 to U+201D are the quotation marks that word processors put in. */
static bool is_quote(const char *p)
{
	const uint8_t *u = (const uint8_t *)p;

	return *p == '\'' || *p == '`' ||
	       (u[0] == 0xe2 && u[1] == 0x80 && u[2] >= 0x98 && u[2] <= 0x9d);
}

static bool closes(const struct scanner *s, char c)
{
	return s->depth && s->text[s->opened[s->depth - 1]] == (c == '}' ? '{' : '[');
}

static enum json_token word_at(const char *p, const char *end, const char **ret_end)
{
	const char *from = p;

	while (p < end && is_word_byte(*p))
		p++;
	*ret_end = p;
	if (p == from)
		return TOKEN_OTHER;
	return is_scalar(from, (size_t)(p - from)) ? TOKEN_SCALAR : TOKEN_WORD;
}

static enum json_token token_at(const struct scanner *s, const char *p, const char **ret_end)
{
	*ret_end = p + 1;
	if (p == s->end)
		return TOKEN_END;
	if (skip_comment(p, s->end) != p)
		return TOKEN_COMMENT;
	if (is_quote(p))
		return TOKEN_QUOTE;
	switch (*p) {
	case '{':
	case '[':
		return TOKEN_OPEN;
	case '}':
	case ']':
		return closes(s, *p) ? TOKEN_CLOSE : TOKEN_CLOSE_OTHER;
	case ',':
		return TOKEN_COMMA;
	case ':':
		return TOKEN_COLON;
	case '"':
		*ret_end = string_end(p, s->end);
		return *ret_end ? TOKEN_STRING : TOKEN_UNCLOSED;
	}
	return word_at(p, s->end, ret_end);
}

/* The state after a value, or after a closed object or list. */
static enum json_expects after_value(const struct scanner *s)
{
	if (!s->depth)
		return EXPECTS_END;
	return s->text[s->opened[s->depth - 1]] == '{' ? EXPECTS_NEXT_KEY : EXPECTS_NEXT_ITEM;
}

#define VALUES (EXPECTS_VALUE | EXPECTS_FIRST_ITEM | EXPECTS_ITEM)
#define KEYS   (EXPECTS_FIRST_KEY | EXPECTS_KEY)

/* The tokens that each state accepts. */
static const struct acceptance {
	unsigned expects, tokens;
} acceptances[] = {
	{ EXPECTS_DOCUMENT, TOKEN_OPEN },
	{ KEYS, TOKEN_STRING },
	{ EXPECTS_FIRST_KEY | EXPECTS_FIRST_ITEM | EXPECTS_NEXT_KEY | EXPECTS_NEXT_ITEM,
	  TOKEN_CLOSE },
	{ EXPECTS_COLON, TOKEN_COLON },
	{ VALUES, TOKEN_STRING | TOKEN_SCALAR | TOKEN_OPEN },
	{ EXPECTS_NEXT_KEY | EXPECTS_NEXT_ITEM, TOKEN_COMMA },
	{ EXPECTS_END, TOKEN_END },
};

static bool accepts(enum json_expects expects, enum json_token token)
{
	for (size_t i = 0; i < sizeof(acceptances) / sizeof(acceptances[0]); i++)
		if ((acceptances[i].expects & expects) && (acceptances[i].tokens & token))
			return true;
	return false;
}

static enum json_expects open_bracket(struct scanner *s, const char *p)
{
	s->opened[s->depth++] = (uint32_t)(p - s->text);
	return *p == '{' ? EXPECTS_FIRST_KEY : EXPECTS_FIRST_ITEM;
}

/* The state after an accepted token. */
static enum json_expects next_state(struct scanner *s, enum json_token token, const char *p)
{
	bool is_key = s->found.expects & KEYS;

	if (token == TOKEN_STRING && p < s->limit)
		s->found.last_string = p;
	if (token == TOKEN_OPEN)
		return open_bracket(s, p);
	if (token == TOKEN_COLON)
		return EXPECTS_VALUE;
	if (token == TOKEN_COMMA)
		return s->found.expects == EXPECTS_NEXT_KEY ? EXPECTS_KEY : EXPECTS_ITEM;
	if (token == TOKEN_STRING && is_key)
		return EXPECTS_COLON;
	s->depth -= token == TOKEN_CLOSE;
	return after_value(s);
}

struct json_scan json_scan(const char *text, size_t size, size_t limit)
{
	struct scanner s = { .found = { .expects = EXPECTS_DOCUMENT, .after = text },
			     .text = text,
			     .end = text + size,
			     .limit = text + limit };
	const char *next;

	for (;; s.found.after = next) {
		s.found.at = skip_blanks(s.found.after, s.end);
		s.found.token = token_at(&s, s.found.at, &next);
		if (s.found.token == TOKEN_END || !accepts(s.found.expects, s.found.token) ||
		    (s.found.token == TOKEN_OPEN && s.depth == DEPTH_MAX))
			break;
		s.found.expects = next_state(&s, s.found.token, s.found.at);
	}
	s.found.opened = s.depth ? text + s.opened[s.depth - 1] : NULL;
	return s.found;
}
