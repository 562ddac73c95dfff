#include "position.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TOKEN_MAX 128

static size_t escape(const char *key, char *out, size_t size)
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

static size_t render(const struct at *at, char *buf, size_t size)
{
	char token[TOKEN_MAX];
	size_t used;

	if (!at)
		return 0;
	used = render(at->up, buf, size);
	if (at->key)
		escape(at->key, token, sizeof(token));
	else
		snprintf(token, sizeof(token), "%zu", at->index);
	if (used < size)
		used += (size_t)snprintf(buf + used, size - used, "/%s", token);
	return used < size ? used : size - 1;
}

void at_pointer(const struct at *at, char *buf, size_t size)
{
	buf[0] = '\0';
	render(at, buf, size);
}

bool err_policy(struct err *err, const struct at *at, const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list ap;

	if (err->kind != ERR_NONE)
		return false;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	at_pointer(at, err->at.pointer, sizeof(err->at.pointer));
	return err_set(err, ERR_POLICY, EINVAL, "%s", text);
}

/* The text is valid JSON: the walk below checks nothing twice. */
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

/* Is the string at `p` this pointer token? Keys with JSON escapes compare by their spelling. */
static bool is_key(const char *p, const char *token)
{
	char spelled[TOKEN_MAX], escaped[TOKEN_MAX];
	size_t n = (size_t)(skip_string(p) - p);

	if (n < 2 || n - 2 >= sizeof(spelled))
		return false;
	memcpy(spelled, p + 1, n - 2);
	spelled[n - 2] = '\0';
	escape(spelled, escaped, sizeof(escaped));
	return strcmp(escaped, token) == 0;
}

struct found {
	const char *key, *value;
};

static struct found find_member(const char *p, const char *token)
{
	for (p = skip_space(p + 1); *p == '"'; p = skip_space(p)) {
		const char *key = p, *value;

		value = skip_space(skip_space(skip_string(p)) + 1);
		if (is_key(key, token))
			return (struct found){ key, value };
		p = skip_space(skip_value(value));
		p += *p == ',';
	}
	return (struct found){ NULL, NULL };
}

static struct found find_item(const char *p, const char *token)
{
	size_t index;

	if (sscanf(token, "%zu", &index) != 1)
		return (struct found){ NULL, NULL };
	for (p = skip_space(p + 1); *p && *p != ']'; p = skip_space(p)) {
		if (index-- == 0)
			return (struct found){ p, p };
		p = skip_space(skip_value(p));
		p += *p == ',';
	}
	return (struct found){ NULL, NULL };
}

static void count_lines(const char *text, const char *to, struct place *place)
{
	place->line = 1;
	place->column = 1;
	for (; text < to; text++) {
		place->column += ((unsigned char)*text & 0xc0) != 0x80; /* UTF-8: one a character */
		if (*text == '\n') {
			place->line++;
			place->column = 1;
		}
	}
}

void position_find(const char *text, struct place *place)
{
	struct found at = { skip_space(text), skip_space(text) };
	const char *p = place->pointer;

	while (*p == '/') {
		char token[TOKEN_MAX];
		size_t n = strcspn(++p, "/");

		if (n >= sizeof(token))
			return;
		memcpy(token, p, n);
		token[n] = '\0';
		p += n;
		at = *at.value == '{'	? find_member(at.value, token)
		     : *at.value == '[' ? find_item(at.value, token)
					: (struct found){ NULL, NULL };
		if (!at.value)
			return;
	}
	count_lines(text, place->of_key ? at.key : at.value, place);
}
