/* Lists of JSON: a set of priorities and a set of words are bit masks internally. */
#include <stdio.h>
#include <string.h>

#include "../util/json_util.h"
#include "type.h"

#define LIST_MAX (3 * PRIOS + 1)

static const char *list_of(json_int_t mask, char list[LIST_MAX])
{
	list[0] = '\0';
	for (int p = 0; p < PRIOS; p++)
		if (mask >> p & 1)
			snprintf(list + strlen(list), LIST_MAX - strlen(list), "%s%d",
				 list[0] ? ", " : "", p);
	return list;
}

/* The kernel has bitmaps: the fix is the list that such a number means. */
static bool err_no_list(struct err *err, const struct json_path *at, const json_t *found)
{
	json_int_t mask = json_integer_value(found);
	char list[LIST_MAX];

	err_record_expected(err, at, found, "a list of priorities, such as [3]");
	if (!json_is_integer(found) || mask < 0 || mask >= 1 << PRIOS)
		return false;
	list_of(mask, list);
	if (mask < PRIOS && mask != 0)
		return err_fix(err, "write [%lld] for priority %lld, [%s] for the bitmap %lld",
			       (long long)mask, (long long)mask, list, (long long)mask);
	return err_fix(err, "write [%s] for the bitmap %lld", list, (long long)mask);
}

static bool priority_from_json(const struct setting *k, unsigned *mask, const json_t *j,
			       const struct json_path *at, struct err *err)
{
	int64_t p;

	if (!int_from_json(k, j, &p, at, err))
		return false;
	if (*mask & (1u << p))
		return err_policy(err, at, "priority %d is named twice", (int)p);
	*mask |= 1u << p;
	return true;
}

/* mlnx_qos takes 0 or 1 for each priority. */
static bool are_flags(const json_t *j, json_int_t *ret_mask)
{
	*ret_mask = 0;
	for (size_t p = 0; p < PRIOS; p++) {
		const json_t *flag = json_array_get(j, p);

		if (!json_is_integer(flag) || json_integer_value(flag) < 0 ||
		    json_integer_value(flag) > 1)
			return false;
		*ret_mask |= json_integer_value(flag) << p;
	}
	return json_array_size(j) == PRIOS;
}

static bool err_flags(struct err *err, const struct json_path *at, json_int_t mask)
{
	char list[LIST_MAX];

	err_policy(err, at, "found 0 or 1 for each priority, expected a list of priorities");
	return err_fix(err, "write [%s]", list_of(mask, list));
}

static bool prioset_from_json(const struct setting *k, struct config *c, json_t *j,
			      const struct json_path *at, struct err *err)
{
	unsigned mask = 0;
	json_int_t flags;
	json_t *item;
	bool ok = true;

	if (!json_is_array(j))
		return err_no_list(err, at, j);
	if (are_flags(j, &flags))
		return err_flags(err, at, flags);
	json_item_foreach (j, at, here, item)
		ok = err_part(err, priority_from_json(k, &mask, item, &here, err)) && ok;
	setting_set_element(k, c, 0, mask);
	return ok;
}

static json_t *prioset_to_json(const struct setting *k, const struct config *c)
{
	json_t *out = json_array();

	for (int p = 0; p < PRIOS; p++)
		if (setting_element(k, c, 0) & (1 << p))
			json_array_append_new(out, json_integer(p));
	return out;
}

static json_t *prioset_schema(const struct setting *k)
{
	return json_pack("{s:s, s:b, s:o}", "type", "array", "uniqueItems", 1, "items",
			 int_schema(k));
}

static void prioset_range(const struct setting *k, struct text *out)
{
	text_add(out, "a list of priorities %u to %u", k->min, k->max);
}

/* Writes the members of a set by their words, or by their numbers if they have none. */
static void members_text(int64_t mask, const char *const *names, struct text *out)
{
	const char *sep = "";

	if (!mask)
		text_add(out, "none");
	for (unsigned i = 0; mask >> i; i++) {
		if (!(mask >> i & 1))
			continue;
		if (names)
			text_add(out, "%s%s", sep, names[i]);
		else
			text_add(out, "%s%u", sep, i);
		sep = ", ";
	}
}

static void prioset_text(const struct setting *k, const struct config *c, struct text *out)
{
	members_text(setting_element(k, c, 0), NULL, out);
}

const struct type_ops type_prioset = {
	.from_json = prioset_from_json,
	.to_json = prioset_to_json,
	.schema = prioset_schema,
	.range = prioset_range,
	.text = prioset_text,
};

/* ---- sets of words ---- */

/* A set of words, each at most once: a list in JSON, a bit mask of their indexes internally. */

static bool words_word_from_json(const struct setting *k, unsigned *mask, const json_t *j,
				 const struct json_path *at, struct err *err)
{
	const char *word = json_string_value(j);
	int64_t place;

	if (!word)
		return err_expected(err, at, j, "a word in double quotes, such as \"%s\"",
				    k->names[0]);
	if (!word_from_text(k, word, 0, &place, at, err))
		return false;
	if (*mask & (1u << place))
		return err_policy(err, at, "\"%s\" is named twice", word);
	*mask |= 1u << place;
	return true;
}

static bool words_from_json(const struct setting *k, struct config *c, json_t *j,
			    const struct json_path *at, struct err *err)
{
	unsigned mask = 0;
	json_t *item;
	bool ok = true;

	if (!json_is_array(j))
		return err_expected(err, at, j, "a list of words, such as [\"%s\"]", k->names[0]);
	json_item_foreach (j, at, here, item)
		ok = err_part(err, words_word_from_json(k, &mask, item, &here, err)) && ok;
	setting_set_element(k, c, 0, mask);
	return ok;
}

static json_t *words_to_json(const struct setting *k, const struct config *c)
{
	json_t *out = json_array();

	for (unsigned i = 0; k->names[i]; i++)
		if (setting_element(k, c, 0) & (1 << i))
			json_array_append_new(out, json_string(k->names[i]));
	return out;
}

static json_t *words_schema(const struct setting *k)
{
	return json_pack("{s:s, s:b, s:{s:o}}", "type", "array", "uniqueItems", 1, "items", "enum",
			 json_words(k->names));
}

static void words_range(const struct setting *k, struct text *out)
{
	text_add(out, "a list of ");
	for (size_t i = 0; k->names[i]; i++)
		text_add(out, "%s\"%s\"", i ? ", " : "", k->names[i]);
}

static void words_text(const struct setting *k, const struct config *c, struct text *out)
{
	members_text(setting_element(k, c, 0), k->names, out);
}

const struct type_ops type_words = {
	.from_json = words_from_json,
	.to_json = words_to_json,
	.schema = words_schema,
	.range = words_range,
	.text = words_text,
};

/* ---- lists of words ---- */

/* An ordered list of words, each at most once: indexes from 1 internally, ended by 0. */

static bool order_word_from_json(const struct setting *k, struct config *c, const json_t *j,
				 const struct json_path *at, struct err *err)
{
	const char *word = json_string_value(j);
	int64_t place;

	if (!word)
		return err_expected(err, at, j, "a word in double quotes, such as \"%s\"",
				    k->names[0]);
	if (!word_from_text(k, word, 1, &place, at, err))
		return false;
	for (size_t n = 0; n < at->index; n++)
		if (setting_element(k, c, n) == place)
			return err_policy(err, at, "\"%s\" is named twice", word);
	setting_set_element(k, c, at->index, place);
	return true;
}

static bool order_from_json(const struct setting *k, struct config *c, json_t *j,
			    const struct json_path *at, struct err *err)
{
	json_t *item;
	bool ok = true;

	if (!json_is_array(j) || json_array_size(j) > k->count)
		return err_expected(err, at, j, "a list of up to %u words, the first one first",
				    k->count);
	for (size_t i = 0; i < k->count; i++)
		setting_set_element(k, c, i, 0);
	json_item_foreach (j, at, here, item)
		ok = err_part(err, order_word_from_json(k, c, item, &here, err)) && ok;
	return ok;
}

static json_t *order_to_json(const struct setting *k, const struct config *c)
{
	json_t *out = json_array();

	for (size_t i = 0; i < k->count && setting_element(k, c, i); i++)
		json_array_append_new(out, json_string(k->names[setting_element(k, c, i) - 1]));
	return out;
}

static json_t *order_schema(const struct setting *k)
{
	return json_pack("{s:s, s:b, s:i, s:{s:o}}", "type", "array", "uniqueItems", 1, "maxItems",
			 (int)k->count, "items", "enum", json_words(k->names));
}

static void order_range(const struct setting *k, struct text *out)
{
	text_add(out, "a list, first things first, of ");
	for (size_t i = 0; k->names[i]; i++)
		text_add(out, "%s\"%s\"", i ? ", " : "", k->names[i]);
}

static void order_text(const struct setting *k, const struct config *c, struct text *out)
{
	if (!setting_element(k, c, 0))
		text_add(out, "none");
	for (size_t i = 0; i < k->count && setting_element(k, c, i); i++)
		text_add(out, "%s%s", i ? ", then " : "", k->names[setting_element(k, c, i) - 1]);
}

const struct type_ops type_order = {
	.from_json = order_from_json,
	.to_json = order_to_json,
	.schema = order_schema,
	.range = order_range,
	.text = order_text,
};
