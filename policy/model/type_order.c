/* An ordered list of words, each at most once: indexes from 1 internally, ended by 0. */
#include "../util/json_util.h"
#include "type.h"

static bool order_word_from_json(const struct setting *k, struct config *c, size_t at_index,
				 const json_t *j, const struct json_path *at, struct err *err)
{
	const char *word = json_string_value(j);
	int64_t place;

	if (!word)
		return err_expected(err, at, j, "a word in double quotes, such as \"%s\"",
				    k->names[0]);
	if (!word_from_text(k, word, 1, &place, at, err))
		return false;
	for (size_t n = 0; n < at_index; n++)
		if (setting_element(k, c, n) == place)
			return err_policy(err, at, "\"%s\" is named twice", word);
	setting_set_element(k, c, at_index, place);
	return true;
}

static bool order_from_json(const struct setting *k, struct config *c, json_t *j,
			    const struct json_path *at, struct err *err)
{
	size_t i;
	json_t *item;
	bool ok = true;

	if (!json_is_array(j) || json_array_size(j) > k->count)
		return err_expected(err, at, j, "a list of up to %u words, the first one first",
				    k->count);
	for (i = 0; i < k->count; i++)
		setting_set_element(k, c, i, 0);
	json_array_foreach (j, i, item) {
		struct json_path here = { at, NULL, i };

		ok = err_part(err, order_word_from_json(k, c, i, item, &here, err)) && ok;
	}
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
	json_t *words = json_array();

	for (size_t i = 0; k->names[i]; i++)
		json_array_append_new(words, json_string(k->names[i]));
	return json_pack("{s:s, s:b, s:i, s:{s:o}}", "type", "array", "uniqueItems", 1, "maxItems",
			 (int)k->count, "items", "enum", words);
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
