#include "json_location.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define TOKEN_MAX 128

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
	return p + strspn(p, " \t\r\n");
}

static const char *skip_string(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

static const char *skip_value(const char *p)
{
	int depth = 0;

	do {
		p = skip_space(p);
		if (*p == '"') {
			p = skip_string(p);
		} else if (*p == '{' || *p == '[') {
			depth++;
			p++;
		} else if (*p == '}' || *p == ']') {
			depth--;
			p++;
		} else if (*p == ',' || *p == ':') {
			p++;
		} else {
			p += strcspn(p, " \t\r\n,]}:");
		}
	} while (depth > 0 && *p);
	return p;
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

struct json_position {
	const char *key, *value;
};

static struct json_position find_member(const char *p, const struct token *token)
{
	for (p = skip_space(p + 1); *p == '"'; p = skip_space(p)) {
		const char *key = p, *value;

		value = skip_space(skip_space(skip_string(p)) + 1);
		if (is_key(key, token))
			return (struct json_position){ key, value };
		p = skip_space(skip_value(value));
		p += *p == ',';
	}
	return (struct json_position){ NULL, NULL };
}

static struct json_position find_item(const char *p, const struct token *token)
{
	size_t index;

	if (sscanf(token->text, "%zu", &index) != 1)
		return (struct json_position){ NULL, NULL };
	for (p = skip_space(p + 1); *p && *p != ']'; p = skip_space(p)) {
		if (index-- == 0)
			return (struct json_position){ p, p };
		p = skip_space(skip_value(p));
		p += *p == ',';
	}
	return (struct json_position){ NULL, NULL };
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

static struct json_position find_child(const char *p, const struct token *token)
{
	return *p == '{'   ? find_member(p, token)
	       : *p == '[' ? find_item(p, token)
			   : (struct json_position){ NULL, NULL };
}

/* The value at `p`, which is a list's item or has a key before it. */
static const char *skip_key(const char *p, bool has_key)
{
	return has_key ? skip_space(skip_space(skip_string(p)) + 1) : p;
}

size_t json_find_starts(const char *text, const char *key, struct json_start *ret, size_t count)
{
	struct token token = { .cut = false };
	const char *p, *line_at = text;
	unsigned line = 1;
	size_t n = 0;

	snprintf(token.text, sizeof(token.text), "%s", key);
	p = find_child(skip_space(text), &token).value;
	if (!p || (*p != '{' && *p != '['))
		return 0;
	for (bool has_key = *p == '{'; n < count;) {
		p = skip_space(p + 1);
		if (*p == '}' || *p == ']')
			break;
		p = skip_key(p, has_key);
		for (; line_at < p; line_at++)
			line += *line_at == '\n';
		ret[n++] = (struct json_start){ p, line };
		p = skip_space(skip_value(p));
		if (*p != ',')
			break;
	}
	return n;
}

/* A token that is not found yields the location of its parent. */
void json_locate(const char *text, struct json_location *place)
{
	struct json_position at = { skip_space(text), skip_space(text) };
	const char *p = place->pointer, *end = p + sizeof(place->pointer) - 1;

	while (*p == '/') {
		struct token token;
		size_t n = strcspn(++p, "/");
		struct json_position next;

		snprintf(token.text, sizeof(token.text), "%.*s", (int)n, p);
		p += n;
		token.cut = p == end;
		next = find_child(at.value, &token);
		if (!next.value)
			break;
		at = next;
	}
	json_position_of(text, place->of_key ? at.key : at.value, place);
}
