#include "json_dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oom.h"
#include "sanitize.h"

#define ROOM_FIRST 4096
#define REAL_MAX   64 /* jansson prints at most 31 digits */

/* The text that grows; `at` is NULL once memory was short. */
struct text {
	char *at;
	size_t used, room, flags;
};

static bool extend(struct text *t, size_t more)
{
	size_t room = t->room;
	char *at;

	while (room - t->used < more)
		room *= 2;
	at = t->at ? oom_realloc(t->at, room) : NULL;
	if (!at)
		free(t->at);
	t->at = at;
	t->room = room;
	return at;
}

static bool make_room(struct text *t, size_t more)
{
	return t->room - t->used >= more ? t->at != NULL : extend(t, more);
}

static void add(struct text *t, const char *bytes, size_t size)
{
	if (!make_room(t, size))
		return;
	memcpy(t->at + t->used, bytes, size);
	t->used += size;
}

static void add_char(struct text *t, char c)
{
	if (make_room(t, 1))
		t->at[t->used++] = c;
}

/* Begins a member of an object or list, or the line of its end. */
static void break_line(struct text *t, unsigned depth)
{
	if (!(t->flags & JSON_MAX_INDENT))
		return;
	add_char(t, '\n');
	for (size_t i = 0; i < depth * (t->flags & JSON_MAX_INDENT); i++)
		add_char(t, ' ');
}

static void separate(struct text *t, bool first, unsigned depth)
{
	if (!first)
		add_char(t, ',');
	if (!first && !(t->flags & (JSON_COMPACT | JSON_MAX_INDENT)))
		add_char(t, ' ');
	break_line(t, depth);
}

static size_t plain_length(const char *text, const char *end)
{
	const char *at = text;

	while (at < end && *at >= ' ' && *at < 0x7f && *at != '"' && *at != '\\')
		at++;
	return (size_t)(at - text);
}

#define ESCAPE_MAX 16

static void add_control(struct text *t, char c)
{
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *at = c ? strchr(from, c) : NULL;
	char escape[ESCAPE_MAX];

	if (!at) {
		add(t, escape, (size_t)snprintf(escape, ESCAPE_MAX, "\\u%04X", (unsigned)c));
		return;
	}
	add_char(t, '\\');
	add_char(t, to[at - from]);
}

/* Adds a character that is not plain; returns its length in the string. */
static size_t add_special(struct text *t, const char *text)
{
	char escape[ESCAPE_MAX];
	unsigned code;
	size_t n;

	if ((unsigned char)*text < 0x7f) {
		add_control(t, *text);
		return 1;
	}
	n = sanitize_harmless_length(text);
	if (n) {
		add(t, text, n);
		return n;
	}
	n = sanitize_harmful_length(text, &code);
	add(t, escape, (size_t)snprintf(escape, ESCAPE_MAX, "\\u%04x", code));
	return n;
}

static void add_string(struct text *t, const char *text, size_t size)
{
	const char *end = text + size;

	add_char(t, '"');
	while (text < end) {
		size_t plain = plain_length(text, end);

		add(t, text, plain);
		text += plain;
		if (text < end)
			text += add_special(t, text);
	}
	add_char(t, '"');
}

static void add_integer(struct text *t, json_int_t value)
{
	char digits[24];
	size_t at = sizeof(digits);
	unsigned long long rest =
		value < 0 ? -(unsigned long long)value : (unsigned long long)value;

	do
		digits[--at] = (char)('0' + rest % 10);
	while (rest /= 10);
	if (value < 0)
		digits[--at] = '-';
	add(t, digits + at, sizeof(digits) - at);
}

static void add_real(struct text *t, const json_t *j)
{
	char digits[REAL_MAX];

	add(t, digits, json_dumpb(j, digits, sizeof(digits), t->flags | JSON_ENCODE_ANY));
}

static void add_value(struct text *t, const json_t *j, unsigned depth);

static void add_list(struct text *t, const json_t *j, unsigned depth)
{
	size_t count = json_array_size(j);

	add_char(t, '[');
	for (size_t i = 0; i < count; i++) {
		separate(t, i == 0, depth + 1);
		add_value(t, json_array_get(j, i), depth + 1);
	}
	if (count)
		break_line(t, depth);
	add_char(t, ']');
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_member(struct text *t, const char *key, const json_t *value, bool first,
		       unsigned depth)
{
	separate(t, first, depth);
	add_string(t, key, strlen(key));
	add(t, ": ", t->flags & JSON_COMPACT ? 1 : 2);
	add_value(t, value, depth);
}

static void add_members_sorted(struct text *t, json_t *j, unsigned depth)
{
	const char **keys = oom_calloc(json_object_size(j) + 1, sizeof(*keys)), *key;
	size_t count = 0;
	json_t *value;

	if (!keys)
		return;
	json_object_foreach (j, key, value)
		keys[count++] = key;
	qsort(keys, count, sizeof(*keys), by_name);
	for (size_t i = 0; i < count; i++)
		add_member(t, keys[i], json_object_get(j, keys[i]), i == 0, depth);
	free(keys);
}

static void add_object(struct text *t, json_t *j, unsigned depth)
{
	const char *key;
	json_t *value;
	bool first = true;

	add_char(t, '{');
	if (t->flags & JSON_SORT_KEYS)
		add_members_sorted(t, j, depth + 1);
	else
		json_object_foreach (j, key, value) {
			add_member(t, key, value, first, depth + 1);
			first = false;
		}
	if (json_object_size(j))
		break_line(t, depth);
	add_char(t, '}');
}

static void add_value(struct text *t, const json_t *j, unsigned depth)
{
	switch (json_typeof(j)) {
	case JSON_OBJECT:
		add_object(t, (json_t *)j, depth);
		return;
	case JSON_ARRAY:
		add_list(t, j, depth);
		return;
	case JSON_STRING:
		add_string(t, json_string_value(j), json_string_length(j));
		return;
	case JSON_INTEGER:
		add_integer(t, json_integer_value(j));
		return;
	case JSON_REAL:
		add_real(t, j);
		return;
	case JSON_TRUE:
		add(t, "true", 4);
		return;
	case JSON_FALSE:
		add(t, "false", 5);
		return;
	case JSON_NULL:
		add(t, "null", 4);
		return;
	}
}

char *json_dump_sanitized(const json_t *j, size_t flags)
{
	struct text t = { .at = j ? oom_realloc(NULL, ROOM_FIRST) : NULL,
			  .room = ROOM_FIRST,
			  .flags = flags };

	if (j)
		add_value(&t, j, 0);
	add_char(&t, '\0');
	if (!oom_happened())
		return t.at;
	free(t.at);
	return NULL;
}
