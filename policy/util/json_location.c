#include "json_location.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oom.h"

#define TOKEN_MAX 128
#define BLANKS	  " \t\r\n"

static size_t escape_token(const char *key, char *out, size_t size)
{
	size_t n = 0;

	for (; *key && n + 3 < size; key++) {
		if (*key == '~' || *key == '/') {
			out[n++] = '~';
			out[n++] = *key == '~' ? '0' : '1';
		} else {
			out[n++] = *key;
		}
	}
	out[n] = '\0';
	return n;
}

static size_t render(const struct json_path *at, char *buf, size_t size)
{
	char token[TOKEN_MAX];
	size_t used;

	if (!at)
		return 0;
	used = render(at->parent, buf, size);
	if (at->key)
		escape_token(at->key, token, sizeof(token));
	else
		snprintf(token, sizeof(token), "%zu", at->index);
	if (used < size)
		used += (size_t)snprintf(buf + used, size - used, "/%s", token);
	return used < size ? used : size - 1;
}

void json_path_to_pointer(const struct json_path *at, char *buf, size_t size)
{
	buf[0] = '\0';
	render(at, buf, size);
}

void err_record_at(struct err *err, const struct json_path *at, const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list ap;

	if (err->kind != ERR_NONE)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	json_path_to_pointer(at, err->at.pointer, sizeof(err->at.pointer));
	err_record(err, ERR_POLICY, EINVAL, "%s", text);
}

/* The functions below assume valid JSON: jansson has parsed the text before. */
static const char *skip_space(const char *p)
{
	return p + strspn(p, BLANKS);
}

static const char *skip_string(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

static unsigned hex4(const char *p)
{
	unsigned code = 0;

	for (int i = 0; i < 4; i++)
		code = code << 4 | (unsigned)(p[i] <= '9' ? p[i] - '0' : (p[i] | 0x20) - 'a' + 10);
	return code;
}

/*
 * Decodes \uXXXX at `p`; the low half of a surrogate pair follows its high half. Returns the end.
 */
static const char *decode_unicode_escape(const char *p, unsigned *ret)
{
	*ret = hex4(p + 2);
	if (*ret < 0xd800 || *ret > 0xdbff)
		return p + 6;
	*ret = 0x10000 + ((*ret - 0xd800) << 10 | (hex4(p + 8) - 0xdc00));
	return p + 12;
}

static size_t encode_utf8(unsigned code, char out[4])
{
	static const uint8_t leads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 0; code >>= 6)
		out[i] = (char)(i ? 0x80 | (code & 0x3f) : leads[n] | code);
	return n;
}

/* Decodes one character of a string and its escape; returns the position after it. */
static const char *decode_char(const char *p, char out[4], size_t *ret_size)
{
	static const char written[] = "bfnrt", decoded[] = "\b\f\n\r\t";
	const char *letter;
	unsigned code;

	*ret_size = 1;
	if (*p != '\\') {
		out[0] = *p;
		return p + 1;
	}
	if (p[1] == 'u') {
		p = decode_unicode_escape(p, &code);
		*ret_size = encode_utf8(code, out);
		return p;
	}
	letter = strchr(written, p[1]);
	out[0] = letter ? decoded[letter - written] : p[1];
	return p + 2;
}

/* Decodes the string at `p`, cut at the end of `out`. */
static void unescape(const char *p, char *out, size_t size)
{
	size_t used = 0, n;
	char next[4];

	for (p++; *p && *p != '"' && used + sizeof(next) < size; used += n) {
		p = decode_char(p, next, &n);
		memcpy(out + used, next, n);
	}
	out[used] = '\0';
}

/* One token of a JSON pointer; a cut token matches every key that begins with it. */
struct token {
	char text[TOKEN_MAX];
	bool cut;
};

/* True if the string at `p` equals this pointer token. */
static bool is_key(const char *p, const struct token *token)
{
	char decoded[TOKEN_MAX + 8], escaped[TOKEN_MAX];

	unescape(p, decoded, sizeof(decoded));
	escape_token(decoded, escaped, sizeof(escaped));
	return token->cut ? strncmp(escaped, token->text, strlen(token->text)) == 0
			  : strcmp(escaped, token->text) == 0;
}

void json_position_of(const char *text, const char *to, struct json_location *ret)
{
	ret->line = 1;
	ret->column = 1;
	for (; text < to; text++) {
		ret->column += ((unsigned char)*text & 0xc0) !=
			       0x80; /* UTF-8: count characters, not bytes */
		if (*text == '\n') {
			ret->line++;
			ret->column = 1;
		}
	}
}

/* ---- the index ---- */

struct indexing {
	const char *text, *counted; /* lines are counted up to here */
	struct json_place *next;
	uint32_t line;
};

/* Notes the value at `p`, whose key is at `key`, and all values in it. Returns where it ends. */
static const char *note_value(struct indexing *x, const char *key, const char *p)
{
	struct json_place *here = x->next++;
	bool is_object = *p == '{';

	for (; x->counted < p; x->counted++)
		x->line += *x->counted == '\n';
	*here = (struct json_place){ (uint32_t)(key - x->text), (uint32_t)(p - x->text), x->line,
				     1 };
	if (*p == '"')
		return skip_string(p);
	if (!is_object && *p != '[')
		return p + strcspn(p, BLANKS ",]}");
	for (p = skip_space(p + 1); *p && *p != '}' && *p != ']'; p = skip_space(p)) {
		key = p;
		if (is_object)
			p = skip_space(skip_space(skip_string(key)) + 1);
		p = skip_space(note_value(x, key, p));
		p += *p == ',';
	}
	here->size = (uint32_t)(x->next - here);
	return *p ? p + 1 : p;
}

bool json_index_new(const char *text, struct json_index *ret, struct err *err)
{
	struct indexing x = { .text = text, .counted = text, .line = 1 };
	size_t most = 1; /* each value but the first follows a bracket or a comma */

	for (const char *p = text; *p; p++)
		most += *p == '{' || *p == '[' || *p == ',';
	x.next = malloc(most * sizeof(*x.next));
	if (!x.next)
		return err_no_memory(err);
	*ret = (struct json_index){ text, x.next };
	note_value(&x, skip_space(text), skip_space(text));
	return true;
}

static const struct json_place *find_child(const struct json_index *in, const struct json_place *of,
					   const struct token *token)
{
	const struct json_place *end = of + of->size;
	bool has_keys = in->text[of->value] == '{';
	size_t index = 0;

	if (!has_keys && sscanf(token->text, "%zu", &index) != 1)
		return NULL;
	for (const struct json_place *at = of + 1; at < end; at += at->size)
		if (has_keys ? is_key(in->text + at->key, token) : index-- == 0)
			return at;
	return NULL;
}

const struct json_place *json_place_below(const struct json_index *in,
					  const struct json_place *from, const char *pointer)
{
	bool cut = strlen(pointer) + 1 == sizeof(((struct json_location *)NULL)->pointer);

	while (*pointer == '/') {
		size_t n = strcspn(++pointer, "/");
		struct token token = { .cut = cut && !pointer[n] };
		const struct json_place *next;

		snprintf(token.text, sizeof(token.text), "%.*s", (int)n, pointer);
		pointer += n;
		next = find_child(in, from, &token);
		if (!next)
			break;
		from = next;
	}
	return from;
}

void json_locate(const struct json_index *in, struct json_location *place)
{
	const struct json_place *at = json_place_below(in, in->places, place->pointer);

	json_position_of(in->text, in->text + (place->of_key ? at->key : at->value), place);
}
