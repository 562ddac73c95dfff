#include "syntax.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- the first mistake ---- */

/* Finds the first place where a text stops being JSON: jansson names a token, not the mistake. */

/* The tokens that the grammar accepts next. */
enum json_expects {
	EXPECTS_DOCUMENT = 1,
	EXPECTS_FIRST_KEY = 2, /* after {: a key or } */
	EXPECTS_KEY = 4,       /* after a comma in an object */
	EXPECTS_COLON = 8,
	EXPECTS_VALUE = 16,
	EXPECTS_FIRST_ITEM = 32, /* after [: a value or ] */
	EXPECTS_ITEM = 64,	 /* after a comma in a list */
	EXPECTS_NEXT_KEY = 128,	 /* after a value in an object: a comma or } */
	EXPECTS_NEXT_ITEM = 256, /* after a value in a list: a comma or ] */
	EXPECTS_END = 512,	 /* after the document */
};

enum json_token {
	TOKEN_END = 1, /* the text ends */
	TOKEN_STRING = 2,
	TOKEN_SCALAR = 4,	/* a number, true, false or null */
	TOKEN_WORD = 8,		/* a word that JSON does not have */
	TOKEN_OPEN = 16,	/* { or [ */
	TOKEN_CLOSE = 32,	/* } or ] of the innermost { or [ */
	TOKEN_CLOSE_OTHER = 64, /* ] for { or } for [, or one too many */
	TOKEN_COMMA = 128,
	TOKEN_COLON = 256,
	TOKEN_COMMENT = 512,   /* a comment of JavaScript, C or the shell */
	TOKEN_QUOTE = 1024,    /* a quotation mark other than " */
	TOKEN_UNCLOSED = 2048, /* a string without its closing quotation mark */
	TOKEN_OTHER = 4096,
};

/* Positions are borrowed from the text. */
struct json_scan {
	enum json_expects expects;
	enum json_token token;	 /* the first that is not accepted; TOKEN_END: there is none */
	const char *at;		 /* its first byte */
	const char *after;	 /* behind the last token before it */
	const char *opened;	 /* the innermost unclosed { or [; NULL: none */
	const char *last_string; /* the last one that begins before `limit`; NULL: none */
};

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

/* The text without blanks and comments at its start. */
static const char *json_skip_comments(const char *text, size_t size)
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

/* `limit` is a position that another parser complained of; the scan itself does not end there. */
static struct json_scan json_scan(const char *text, size_t size, size_t limit)
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

/* ---- syntax ---- */

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

static bool begins_with(const char *text, size_t size, const char *bytes, size_t count)
{
	return size >= count && memcmp(text, bytes, count) == 0;
}

static bool has_byte_order_mark(const char *text, size_t size)
{
	return begins_with(text, size, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK));
}

/* A text with one of these is meant as a policy. */
static const char *const policy_words[] = {
	"\"rules\"", "\"profiles\"", "'rules'", "'profiles'", "\"losslessctl/show/1\"",
};

bool policy_may_be_quoted(const char *text, size_t size)
{
	size_t mark = has_byte_order_mark(text, size) ? strlen(BYTE_ORDER_MARK) : 0;

	if (*json_skip_comments(text + mark, size - mark) != '{')
		return false;
	for (size_t i = 0; i < sizeof(policy_words) / sizeof(policy_words[0]); i++)
		if (strstr(text, policy_words[i]))
			return true;
	return false;
}

/* ---- mistakes of the whole file ---- */

static bool is_blank(const char *text, size_t size)
{
	return json_skip_comments(text, size) == text + size;
}

/* In UTF-16 one of the first two bytes is 0, or they are a byte order mark. */
static bool is_utf16(const char *text, size_t size)
{
	return begins_with(text, size, "\xff\xfe", 2) || begins_with(text, size, "\xfe\xff", 2) ||
	       (size > 1 && !text[0] != !text[1]);
}

static bool is_no_object(const char *text, size_t size)
{
	return *json_skip_comments(text, size) != '{';
}

static const struct whole_mistake {
	bool (*is)(const char *text, size_t size);
	const char *what, *fix;
} whole_mistakes[] = {
	{ is_utf16, "the file is UTF-16, expected UTF-8",
	  "convert it: iconv -f UTF-16 -t UTF-8 FILE >NEW-FILE" },
	{ has_byte_order_mark, "the file begins with a byte order mark, expected \"{\"",
	  "save it as UTF-8 without a byte order mark (BOM)" },
	{ is_blank, "the file is empty, expected a policy",
	  "a policy begins with {\"version\": 1; see losslessctl-policy(5)" },
	{ is_no_object, "not a policy: expected \"{\" as its first character",
	  "a policy begins with {\"version\": 1; see losslessctl-policy(5)" },
};

/* ---- mistakes at one place ---- */

#define ANYWHERE (~0u)
#define NEXT	 (EXPECTS_NEXT_KEY | EXPECTS_NEXT_ITEM)
#define CLOSING	 (TOKEN_CLOSE | TOKEN_CLOSE_OTHER)

/* The place to point at: the token, the end of the token before it, or the comma before it. */
enum pointed { AT, AFTER, COMMA };

/* The first row that holds for the scan. */
static const struct mistake {
	unsigned expects, tokens;
	enum pointed pointed;
	const char *what, *fix;
} mistakes[] = {
	{ ANYWHERE, TOKEN_COMMENT, AT, "JSON has no comments",
	  "move its text to a key: \"comment\": \"...\"" },
	{ ANYWHERE, TOKEN_QUOTE, AT, "wrong quotation mark",
	  "put keys and strings in double quotes: \"...\"" },
	{ ANYWHERE, TOKEN_UNCLOSED, AT, "the string has no closing \" on its line",
	  "add the closing \"" },
	{ EXPECTS_END, ANYWHERE, AT, "the policy ends before this", "remove what follows its }" },
	{ ANYWHERE, TOKEN_END, AT, "the file ends too early", "add what is missing at its end" },
	{ EXPECTS_KEY | EXPECTS_ITEM, CLOSING, COMMA, "trailing comma", "remove the comma" },
	{ KEYS, TOKEN_SCALAR | TOKEN_WORD, AT, "the key has no quotes",
	  "put it in double quotes: \"...\"" },
	{ EXPECTS_COLON, ANYWHERE, AFTER, "missing colon", "add a colon after the key" },
	{ NEXT, TOKEN_STRING | TOKEN_SCALAR | TOKEN_WORD | TOKEN_OPEN, AFTER, "missing comma",
	  "add a comma" },
	{ KEYS | VALUES, TOKEN_COMMA, AT, "a comma too many", "remove the comma" },
	{ EXPECTS_VALUE, CLOSING, AT, "missing value", "add a value after the colon" },
	{ VALUES, TOKEN_WORD, AT, "not a number, true, false or null",
	  "put a word in double quotes; a number has no +, no leading 0 and no unit" },
	{ ANYWHERE, TOKEN_CLOSE_OTHER, AT, "wrong closing bracket", "close the innermost first" },
	{ ANYWHERE, ANYWHERE, AT, "JSON has no such character here", "remove it" },
};

/* The expectation of each state, in words. */
static const struct expectation {
	enum json_expects expects;
	const char *words;
} expectations[] = {
	{ EXPECTS_DOCUMENT, "\"{\"" },
	{ EXPECTS_FIRST_KEY, "a key in double quotes or \"}\"" },
	{ EXPECTS_KEY, "a key in double quotes" },
	{ EXPECTS_COLON, "\":\"" },
	{ EXPECTS_VALUE, "a value" },
	{ EXPECTS_FIRST_ITEM, "a value or \"]\"" },
	{ EXPECTS_ITEM, "a value" },
	{ EXPECTS_NEXT_KEY, "\",\" or \"}\"" },
	{ EXPECTS_NEXT_ITEM, "\",\" or \"]\"" },
	{ EXPECTS_END, "the end of the file" },
};

/* Mistakes that the grammar does not show, by jansson's code. */
static const struct coded_mistake {
	enum json_error_code code;
	const char *what, *fix; /* `what` is NULL where the text names the key */
} coded_mistakes[] = {
	{ json_error_duplicate_key, NULL, "remove one of the two" },
	{ json_error_invalid_utf8, "a byte that is not UTF-8", "save the file as UTF-8" },
	{ json_error_null_character, "the character \\u0000 in a string", "remove it" },
	{ json_error_null_byte_in_key, "the character \\u0000 in a key", "remove it" },
	{ json_error_stack_overflow, "more than 2048 objects and lists in each other",
	  "remove the innermost" },
	{ json_error_numeric_overflow, "a number too large", "no setting needs one so large" },
};

/* ---- recording ---- */

#define KEY_TEXT_MAX 60

static bool record(struct err *err, const char *what, const char *fix)
{
	err_record(err, ERR_POLICY, EINVAL, "%s", what);
	return err_fix(err, "%s", fix);
}

static bool whole_mistake(struct err *err, const char *text, size_t size)
{
	for (size_t i = 0; i < sizeof(whole_mistakes) / sizeof(whole_mistakes[0]); i++)
		if (whole_mistakes[i].is(text, size)) {
			json_position_of(text, text, &err->at);
			record(err, whole_mistakes[i].what, whole_mistakes[i].fix);
			return true;
		}
	return false;
}

static const char *expectation_words(enum json_expects expects)
{
	size_t i = 0;

	while (expectations[i].expects != expects)
		i++;
	return expectations[i].words;
}

static const char *place_of(const struct mistake *m, const struct json_scan *scan)
{
	return m->pointed == AT ? scan->at : m->pointed == AFTER ? scan->after : scan->after - 1;
}

/* The bracket that is still open explains a file that ends early. */
static bool grammar_mistake(struct err *err, const char *text, const struct json_scan *scan)
{
	const struct mistake *m = mistakes;
	struct json_location opened;
	char what[200];

	while (!(m->expects & scan->expects) || !(m->tokens & scan->token))
		m++;
	snprintf(what, sizeof(what), "%s: expected %s", m->what, expectation_words(scan->expects));
	json_position_of(text, place_of(m, scan), &err->at);
	if (!scan->opened || !(scan->token & (TOKEN_END | TOKEN_CLOSE_OTHER)))
		return record(err, what, m->fix);
	json_position_of(text, scan->opened, &opened);
	err_record(err, ERR_POLICY, EINVAL, "%s", what);
	return err_fix(err, "line %u has the %c that is still open", opened.line, *scan->opened);
}

/* Names the key, which is the last string that jansson has read. */
static bool record_duplicate(struct err *err, const struct json_scan *scan, const char *fix)
{
	const char *key = scan->last_string ? scan->last_string + 1 : "";
	size_t n = 0;

	while (key[n] && key[n] != '"')
		n += key[n] == '\\' && key[n + 1] ? 2 : 1;
	err_record(err, ERR_POLICY, EINVAL,
		   "found the key \"%.*s\"%s twice in one object, expected it once",
		   (int)(n < KEY_TEXT_MAX ? n : KEY_TEXT_MAX), key, n > KEY_TEXT_MAX ? "..." : "");
	return err_fix(err, "%s", fix);
}

/* jansson counts the characters that it has read, and points to the last of them. */
static void locate_coded(struct err *err, const char *text, const json_error_t *e,
			 const struct json_scan *scan)
{
	err->at.line = e->line > 0 ? (unsigned)e->line : 1;
	err->at.column = e->column > 0 ? (unsigned)e->column : 1;
	if (json_error_code(e) == json_error_duplicate_key && scan->last_string)
		json_position_of(text, scan->last_string, &err->at);
	if (json_error_code(e) == json_error_invalid_utf8)
		err->at.column++;
}

static const struct coded_mistake *coded_mistake(const json_error_t *e)
{
	for (size_t i = 0; i < sizeof(coded_mistakes) / sizeof(coded_mistakes[0]); i++)
		if (coded_mistakes[i].code == json_error_code(e))
			return &coded_mistakes[i];
	return NULL;
}

bool err_syntax(struct err *err, const char *text, size_t size, const json_error_t *e)
{
	size_t position = e->position > 0 ? (size_t)e->position : 0;
	struct json_scan scan = json_scan(text, size, position);
	const struct coded_mistake *coded = coded_mistake(e);
	bool ended = scan.expects == EXPECTS_END && scan.token == TOKEN_END;

	if (whole_mistake(err, text, size))
		return false;
	if (!coded && !ended && scan.at <= text + position)
		return grammar_mistake(err, text, &scan);
	locate_coded(err, text, e, &scan);
	if (coded && !coded->what)
		return record_duplicate(err, &scan, coded->fix);
	return coded ? record(err, coded->what, coded->fix)
		     : record(err, "a character that no string may have",
			      "write \\n for a line break, \\\\ for a backslash");
}
