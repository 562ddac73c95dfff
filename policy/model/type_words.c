/* A set of words, each at most once: a list in JSON, a bit mask of their indexes internally. */
#include "../util/json_util.h"
#include "type.h"

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
	size_t i;
	json_t *item;
	bool ok = true;

	if (!json_is_array(j))
		return err_expected(err, at, j, "a list of words, such as [\"%s\"]", k->names[0]);
	json_array_foreach (j, i, item) {
		struct json_path here = { at, NULL, i };

		ok = err_part(err, words_word_from_json(k, &mask, item, &here, err)) && ok;
	}
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
	json_t *words = json_array();

	for (size_t i = 0; k->names[i]; i++)
		json_array_append_new(words, json_string(k->names[i]));
	return json_pack("{s:s, s:b, s:{s:o}}", "type", "array", "uniqueItems", 1, "items", "enum",
			 words);
}

static void words_range(const struct setting *k, struct text *out)
{
	text_add(out, "a list of ");
	for (size_t i = 0; k->names[i]; i++)
		text_add(out, "%s\"%s\"", i ? ", " : "", k->names[i]);
}

static void words_text(const struct setting *k, const struct config *c, struct text *out)
{
	const char *sep = "";

	if (!setting_element(k, c, 0))
		text_add(out, "none");
	for (unsigned i = 0; k->names[i]; i++)
		if (setting_element(k, c, 0) & (1 << i)) {
			text_add(out, "%s%s", sep, k->names[i]);
			sep = ", ";
		}
}

const struct type_ops type_words = {
	.from_json = words_from_json,
	.to_json = words_to_json,
	.schema = words_schema,
	.range = words_range,
	.text = words_text,
};
