/* Booleans, numbers, words, and arrays of them. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../util/json_util.h"
#include "../util/unknown_key.h"
#include "type.h"

#define BOUNDS_MAX 96
#define DIGITS	   "0123456789"

void text_add(struct text *out, const char *fmt, ...)
{
	size_t room = SETTING_TEXT_MAX - out->used;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(out->buf + out->used, room, fmt, ap);
	va_end(ap);
	out->used += (size_t)n < room ? (size_t)n : room - 1;
}

/* Such as "0, or 80 to 8000 milliseconds". */
static const char *bounds_text(const struct setting *k, char buf[BOUNDS_MAX])
{
	snprintf(buf, BOUNDS_MAX, "%s%u to %u%s%s", k->min_above_zero ? "0, or " : "",
		 k->min_above_zero ? k->min_above_zero : k->min, k->max, k->unit ? " " : "",
		 k->unit ? k->unit : "");
	return buf;
}

/* Such as: "pcp" or "dscp". */
static void add_names(const struct setting *k, struct text *out)
{
	for (size_t i = 0; k->names[i]; i++)
		text_add(out, "%s\"%s\"", !i ? "" : k->names[i + 1] ? ", " : " or ", k->names[i]);
}

/* Such as: 0 to 63, or "unset". */
static void add_names_beside_number(const struct setting *k, struct text *out)
{
	if (k->type != T_WORD_OR_INT)
		return;
	text_add(out, k->names[1] ? ", " : ", or ");
	add_names(k, out);
}

bool word_from_text(const struct setting *k, const char *s, int64_t first, int64_t *ret,
		    const struct json_path *at, struct err *err)
{
	struct suggestion near = suggest_for(s);
	char list[SETTING_TEXT_MAX] = "", bounds[BOUNDS_MAX];
	struct text expected = { list, 0 };

	for (size_t i = 0; k->names[i]; i++) {
		suggest_offer(&near, k->names[i]);
		if (strcmp(s, k->names[i]) == 0) {
			*ret = first + (int64_t)i;
			return true;
		}
	}
	if (k->type == T_WORD_OR_INT) {
		text_add(&expected, "%s", bounds_text(k, bounds));
		add_names_beside_number(k, &expected);
	} else {
		add_names(k, &expected);
	}
	err_policy(err, at, "found the string \"%.40s\", expected %s", s, list);
	return err_did_you_mean(err, &near);
}

/* The default is an example, where it is a number. */
static void add_example(const struct setting *k, struct text *out)
{
	const char *number = k->default_value;

	if (k->count == 1 && number[0] && strlen(number) < 10 && !number[strspn(number, DIGITS)])
		text_add(out, ", such as %s", number);
}

bool int_from_json(const struct setting *k, const json_t *j, int64_t *ret,
		   const struct json_path *at, struct err *err)
{
	json_int_t n = json_integer_value(j);
	char bounds[BOUNDS_MAX], list[SETTING_TEXT_MAX] = "";
	struct text expected = { list, 0 };

	text_add(&expected, "%s", bounds_text(k, bounds));
	if (!json_is_integer(j))
		add_example(k, &expected);
	add_names_beside_number(k, &expected);
	if (!json_is_integer(j))
		return err_expected_number(err, at, j, list);
	if (n < k->min || n > k->max || (n > 0 && n < k->min_above_zero))
		return err_expected(err, at, j, "%s", list);
	*ret = n;
	return true;
}

/* A word may stand there, but this is a number in quotes. */
static bool is_quoted_number(const struct setting *k, const char *s)
{
	return k->type == T_WORD_OR_INT && s[0] && !s[strspn(s, DIGITS)];
}

static bool err_expected_word(const struct setting *k, const struct json_path *at,
			      const json_t *found, struct err *err)
{
	char list[SETTING_TEXT_MAX] = "";
	struct text expected = { list, 0 };

	add_names(k, &expected);
	return err_expected(err, at, found, "%s", list);
}

bool scalar_from_json(const struct setting *k, const json_t *j, int64_t *ret,
		      const struct json_path *at, struct err *err)
{
	if (k->type == T_BOOL) {
		*ret = json_is_true(j);
		return json_is_boolean(j) || err_expected_bool(err, at, j);
	}
	if (k->type == T_ENUM && !json_is_string(j))
		return err_expected_word(k, at, j, err);
	if (json_is_string(j) && k->names && !is_quoted_number(k, json_string_value(j)))
		return word_from_text(k, json_string_value(j),
				      k->type == T_WORD_OR_INT ? k->max + 1 : 0, ret, at, err);
	return int_from_json(k, j, ret, at, err);
}

/* The example is the default where that is a list, else the first word or number for each. */
static bool err_expected_list(struct err *err, const struct json_path *at, const json_t *found,
			      const struct setting *k)
{
	char each[32];

	if (k->default_value[0] == '[')
		return err_expected(err, at, found, "a list of %u, such as %s", k->count,
				    k->default_value);
	snprintf(each, sizeof(each), k->names ? "\"%s\"" : "%s", k->names ? k->names[0] : "0");
	return err_expected(err, at, found, "a list of %u, as in [%s, %s, ...]", k->count, each,
			    each);
}

static bool scalar_list_from_json(const struct setting *k, struct config *c, const json_t *j,
				  const struct json_path *at, struct err *err)
{
	json_t *item;
	bool ok = true;

	if (!json_is_array(j) || json_array_size(j) != k->count)
		return err_expected_list(err, at, j, k);
	json_item_foreach (j, at, here, item) {
		int64_t v = 0;

		ok = err_part(err, scalar_from_json(k, item, &v, &here, err)) && ok;
		if (ok)
			setting_set_element(k, c, here.index, v);
	}
	return ok;
}

static bool scalar_setting_from_json(const struct setting *k, struct config *c, json_t *j,
				     const struct json_path *at, struct err *err)
{
	int64_t v = 0;

	if (k->count > 1)
		return scalar_list_from_json(k, c, j, at, err);
	if (!scalar_from_json(k, j, &v, at, err))
		return false;
	setting_set_element(k, c, 0, v);
	return true;
}

/* The name of a value, or NULL: a port may report a value without a name. */
static const char *word_of(const struct setting *k, int64_t v)
{
	int64_t at = k->type == T_ENUM ? v : v - k->max - 1;

	for (int64_t i = 0; k->names && at >= 0 && k->names[i]; i++)
		if (i == at)
			return k->names[i];
	return NULL;
}

static json_t *scalar_value_to_json(const struct setting *k, int64_t v)
{
	if (k->type == T_BOOL)
		return json_boolean(v);
	return word_of(k, v) ? json_string(word_of(k, v)) : json_integer(v);
}

static json_t *scalar_setting_to_json(const struct setting *k, const struct config *c)
{
	json_t *out;

	if (k->count == 1)
		return scalar_value_to_json(k, setting_element(k, c, 0));
	out = json_array();
	for (size_t i = 0; i < k->count; i++)
		json_array_append_new(out, scalar_value_to_json(k, setting_element(k, c, i)));
	return out;
}

static json_t *names_schema(const struct setting *k)
{
	return json_pack("{s:o}", "enum", json_words(k->names));
}

json_t *int_schema(const struct setting *k)
{
	json_t *range = json_pack("{s:s, s:I, s:I}", "type", "integer", "minimum",
				  (json_int_t)(k->min_above_zero ? k->min_above_zero : k->min),
				  "maximum", (json_int_t)k->max);

	return k->min_above_zero ? json_pack("{s:[{s:i}, o]}", "anyOf", "const", 0, range) : range;
}

static json_t *scalar_schema(const struct setting *k)
{
	if (k->type == T_BOOL)
		return json_pack("{s:s}", "type", "boolean");
	if (k->type == T_ENUM)
		return names_schema(k);
	if (k->type == T_WORD_OR_INT)
		return json_pack("{s:[o, o]}", "anyOf", int_schema(k), names_schema(k));
	return int_schema(k);
}

static json_t *scalar_setting_schema(const struct setting *k)
{
	if (k->count > 1)
		return json_pack("{s:s, s:i, s:i, s:o}", "type", "array", "minItems", (int)k->count,
				 "maxItems", (int)k->count, "items", scalar_schema(k));
	return scalar_schema(k);
}

static void scalar_setting_range(const struct setting *k, struct text *out)
{
	char numbers[BOUNDS_MAX];

	if (k->count > 1)
		text_add(out, "%u values, each ", k->count);
	if (k->type == T_BOOL)
		text_add(out, "true or false");
	else if (k->type != T_ENUM)
		text_add(out, "%s", bounds_text(k, numbers));
	for (size_t i = 0; k->names && k->names[i]; i++)
		text_add(out, "%s\"%s\"",
			 i == 0 && k->type == T_ENUM ? ""
			 : k->names[i + 1]	     ? ", "
			 : i == 0		     ? ", or "
						     : " or ",
			 k->names[i]);
}

/* Such as "30550 (becomes 30500, or 30000 with older drivers)". */
static void add_rounded(struct text *out, const struct setting *k, uint32_t v)
{
	uint32_t stored = k->rounded(v);
	uint32_t older = k->rounded_by_older ? k->rounded_by_older(v) : stored;

	text_add(out, "%u", v);
	if (stored != v)
		text_add(out, " (becomes %u", stored);
	if (older != stored)
		text_add(out, "%s%u with older drivers", stored != v ? ", or " : " (", older);
	if (stored != v || older != stored)
		text_add(out, ")");
}

static void add_scalar(struct text *out, const struct setting *k, int64_t v)
{
	if (k->type == T_BOOL)
		text_add(out, "%s", v ? "on" : "off");
	else if (word_of(k, v))
		text_add(out, "%s", word_of(k, v));
	else if (k->rounded)
		add_rounded(out, k, (uint32_t)v);
	else
		text_add(out, "%lld", (long long)v);
}

/* Writes the indexes that hold a word: "0-5,7". */
static void add_indexes(struct text *out, const struct setting *k, const struct config *c,
			int64_t word)
{
	const char *sep = "";

	for (size_t i = 0, end; i < k->count; i = end) {
		for (end = i; end < k->count && setting_element(k, c, end) == word;)
			end++;
		if (end == i) {
			end++;
			continue;
		}
		text_add(out, end - i > 1 ? "%s%zu-%zu" : "%s%zu", sep, i, end - 1);
		sep = ",";
	}
}

/* Writes an array of words grouped by word: "all vendor", "ets 0-5,7; strict 6". */
static void add_words(struct text *out, const struct setting *k, const struct config *c)
{
	const char *sep = "";

	for (int64_t word = 0; k->names[word]; word++) {
		size_t found = 0;

		for (size_t i = 0; i < k->count; i++)
			found += setting_element(k, c, i) == word;
		if (found == k->count)
			text_add(out, "all %s", k->names[word]);
		if (found == k->count || !found)
			continue;
		text_add(out, "%s%s ", sep, k->names[word]);
		add_indexes(out, k, c, word);
		sep = "; ";
	}
}

static void scalar_setting_text(const struct setting *k, const struct config *c, struct text *out)
{
	if (k->type == T_ENUM && k->count > 1) {
		add_words(out, k, c);
		return;
	}
	for (size_t i = 0; i < k->count; i++) {
		text_add(out, "%s", i ? " " : "");
		add_scalar(out, k, setting_element(k, c, i));
	}
}

const struct type_ops type_scalar = {
	.from_json = scalar_setting_from_json,
	.to_json = scalar_setting_to_json,
	.schema = scalar_setting_schema,
	.range = scalar_setting_range,
	.text = scalar_setting_text,
};
