#include "json_util.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "unknown_key.h"

#define FOUND_MAX 80

/* The value in words, cut to its first characters; NULL if a failed allocation left it out. */
static void describe(const json_t *found, char text[FOUND_MAX])
{
	if (!found)
		return;
	switch (json_typeof(found)) {
	case JSON_OBJECT:
		snprintf(text, FOUND_MAX,
			 json_object_size(found) ? "an object" : "an empty object");
		return;
	case JSON_ARRAY:
		snprintf(text, FOUND_MAX,
			 json_array_size(found) ? "a list of %zu" : "an empty list",
			 json_array_size(found));
		return;
	case JSON_STRING:
		snprintf(text, FOUND_MAX,
			 json_string_length(found) ? "the string \"%.40s\"" : "an empty string",
			 json_string_value(found));
		return;
	case JSON_INTEGER:
		snprintf(text, FOUND_MAX, "the number %lld", (long long)json_integer_value(found));
		return;
	case JSON_REAL:
		snprintf(text, FOUND_MAX, "a number with a fraction or an exponent");
		return;
	case JSON_TRUE:
	case JSON_FALSE:
		snprintf(text, FOUND_MAX, "%s", json_is_true(found) ? "true" : "false");
		return;
	case JSON_NULL:
		snprintf(text, FOUND_MAX, "null");
		return;
	}
}

void err_record_expected(struct err *err, const struct json_path *at, const json_t *found,
			 const char *fmt, ...)
{
	char text[sizeof(err->text)], is[FOUND_MAX] = "";
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	describe(found, is);
	err_record_at(err, at, "found %s, expected %.160s", is, text);
}

/* Words and numbers that stand for true or false elsewhere. */
static const struct other_bool {
	const char *word;
	bool value;
} other_bools[] = {
	{ "on", true },	  { "yes", true }, { "true", true },   { "enabled", true },
	{ "off", false }, { "no", false }, { "false", false }, { "disabled", false },
};

bool err_expected_bool(struct err *err, const struct json_path *at, const json_t *found)
{
	const char *word = json_string_value(found);

	err_record_expected(err, at, found, "true or false");
	for (size_t i = 0; word && i < sizeof(other_bools) / sizeof(other_bools[0]); i++)
		if (strcasecmp(word, other_bools[i].word) == 0)
			return err_fix(err, "write %s, without quotes",
				       other_bools[i].value ? "true" : "false");
	return json_is_integer(found) && err_fix(err, "write true for 1, false for 0");
}

bool err_expected_number(struct err *err, const struct json_path *at, const json_t *found,
			 const char *bounds)
{
	const char *text = json_string_value(found);

	err_record_expected(err, at, found, "a whole number, %s", bounds);
	if (text && text[0] && strlen(text) < 10 && !text[strspn(text, "0123456789")])
		return err_fix(err, "write %s without quotes", text);
	return json_is_real(found) && err_fix(err, "write it in digits only");
}

bool err_expected_key(struct err *err, const struct json_path *at, const char *expected)
{
	if (err->kind != ERR_NONE)
		return false;
	err_policy(err, at, "found the key \"%.60s\", expected %s", at->key, expected);
	err->at.of_key = true;
	return false;
}

json_t *json_words(const char *const *words)
{
	json_t *list = json_array();

	while (*words)
		json_array_append_new(list, json_string(*words++));
	return list;
}

bool json_is_known_key(const char *const *known, const char *key)
{
	while (*known && strcmp(*known, key) != 0)
		known++;
	return *known;
}

bool json_only_keys(json_t *object, const char *const *known, const struct json_path *at,
		    struct err *err)
{
	json_t *v;
	bool ok = true;

	json_member_foreach (object, at, here, v) {
		struct suggestion near = suggest_for(here.key);

		if (json_is_known_key(known, here.key))
			continue;
		for (size_t i = 0; known[i]; i++)
			suggest_offer(&near, known[i]);
		ok = err_part(err, err_unknown_key(err, &here, &near)) && ok;
	}
	return ok;
}

bool json_read_bool(const json_t *object, const char *key, bool *ret, const struct json_path *at,
		    struct err *err)
{
	const json_t *j = json_object_get(object, key);
	struct json_path here = { at, key, 0 };

	if (!j)
		return true;
	*ret = json_is_true(j);
	return json_is_boolean(j) || err_expected_bool(err, &here, j);
}

bool json_read_string(json_t *object, const char *key, char *out, size_t size,
		      const struct json_path *at, struct err *err)
{
	const json_t *j = json_object_get(object, key);
	struct json_path here = { at, key, 0 };

	if (!j)
		return true;
	if (!json_is_string(j) || json_string_length(j) == 0)
		return err_expected(err, &here, j, "a string in double quotes, not empty");
	if (json_string_length(j) >= size)
		return err_policy(err, &here, "longer than %zu bytes", size - 1);
	snprintf(out, size, "%s", json_string_value(j));
	return true;
}

/* Two keys must never mean one number. */
bool json_number_of_key(const char *key, unsigned count, unsigned *ret)
{
	char canonical[16];

	*ret = (unsigned)strtoul(key, NULL, 10);
	snprintf(canonical, sizeof(canonical), "%u", *ret);
	return *ret < count && strcmp(canonical, key) == 0;
}

const char *json_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

json_t *json_from_text(const char *text)
{
	json_t *j = json_string(text);
	char plain[512];
	size_t n = 0;

	for (; !j && text[n] && n < sizeof(plain) - 1; n++)
		plain[n] = (unsigned char)text[n] < 0x80 ? text[n] : '?';
	plain[n] = '\0';
	return j ? j : json_string(plain);
}

json_t *json_text_or_null(const char *text)
{
	return text && text[0] ? json_from_text(text) : json_null();
}
