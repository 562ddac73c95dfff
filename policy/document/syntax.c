#include "syntax.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../util/json_scan.h"

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
#define VALUES	 (EXPECTS_VALUE | EXPECTS_FIRST_ITEM | EXPECTS_ITEM)
#define KEYS	 (EXPECTS_FIRST_KEY | EXPECTS_KEY)
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
