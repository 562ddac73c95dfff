#include "keys.h"

#include <stdio.h>
#include <string.h>

bool err_unknown_key(struct err *err, const struct at *at, const struct suggestion *near)
{
	if (err->kind != ERR_NONE)
		return false;
	err_policy(err, at, "unknown key \"%s\"", at->key);
	if (near->best)
		err_hint(err, "did you mean \"%s\"?", near->best);
	return false;
}

bool json_only_keys(json_t *object, const char *const *known, const struct at *at, struct err *err)
{
	const char *key;
	json_t *v;

	json_object_foreach (object, key, v) {
		struct at here = { at, key, 0 };
		struct suggestion near = suggest_for(key);
		size_t i;

		for (i = 0; known[i] && strcmp(known[i], key) != 0; i++)
			suggest_offer(&near, known[i]);
		if (!known[i])
			return err_unknown_key(err, &here, &near);
	}
	return true;
}

bool json_take_string(json_t *object, const char *key, char *out, size_t size, const struct at *at,
		      struct err *err)
{
	const json_t *j = json_object_get(object, key);
	struct at here = { at, key, 0 };

	if (!j)
		return true;
	if (!json_is_string(j) || json_string_length(j) == 0)
		return err_policy(err, &here, "expected a text in quotes");
	if (json_string_length(j) >= size)
		return err_policy(err, &here, "longer than %zu bytes", size - 1);
	snprintf(out, size, "%s", json_string_value(j));
	return true;
}
