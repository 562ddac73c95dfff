/* A set of words, each at most once: a list in JSON, a bit mask of their indexes internally. */
#include "type.h"

static bool take_word(const struct setting *k, unsigned *mask, const json_t *j, const struct at *at,
		      struct err *err)
{
	const char *word = json_string_value(j);
	int64_t place;

	if (!word)
		return err_policy(err, at, "expected a word in quotes");
	if (!word_take(k, word, 0, &place, at, err))
		return false;
	if (*mask & (1u << place))
		return err_policy(err, at, "\"%s\" is named twice", word);
	*mask |= 1u << place;
	return true;
}

static bool take(const struct setting *k, struct config *c, json_t *j, const struct at *at,
		 struct err *err)
{
	unsigned mask = 0;
	size_t i;
	json_t *item;

	if (!json_is_array(j))
		return err_policy(err, at, "expected a list of words, such as [\"%s\"]",
				  k->names[0]);
	json_array_foreach (j, i, item) {
		struct at here = { at, NULL, i };

		if (!take_word(k, &mask, item, &here, err))
			return false;
	}
	setting_set_element(k, c, 0, mask);
	return true;
}

static json_t *give(const struct setting *k, const struct config *c)
{
	json_t *out = json_array();

	for (unsigned i = 0; k->names[i]; i++)
		if (setting_element(k, c, 0) & (1 << i))
			json_array_append_new(out, json_string(k->names[i]));
	return out;
}

static json_t *schema(const struct setting *k)
{
	json_t *words = json_array();

	for (size_t i = 0; k->names[i]; i++)
		json_array_append_new(words, json_string(k->names[i]));
	return json_pack("{s:s, s:b, s:{s:o}}", "type", "array", "uniqueItems", 1, "items", "enum",
			 words);
}

static void range(const struct setting *k, struct text *out)
{
	text_add(out, "a list of ");
	for (size_t i = 0; k->names[i]; i++)
		text_add(out, "%s\"%s\"", i ? ", " : "", k->names[i]);
}

static void text(const struct setting *k, const struct config *c, struct text *out)
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
	.take = take,
	.give = give,
	.schema = schema,
	.range = range,
	.text = text,
};
