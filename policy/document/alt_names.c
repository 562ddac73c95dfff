#include "alt_names.h"

#include <string.h>

#include "pattern.h"

void alt_names_add(struct alt_names *to, const char *name)
{
	size_t used = 0, size = strlen(name) + 1;

	for (const char *n = to->text; *n; n += strlen(n) + 1)
		used += strlen(n) + 1;
	if (used + size < sizeof(to->text))
		memcpy(to->text + used, name, size);
}

bool alt_names_have(const struct alt_names *all, const char *name)
{
	for (const char *n = all->text; *n; n += strlen(n) + 1)
		if (strcmp(n, name) == 0)
			return true;
	return false;
}

bool alt_names_match(const struct alt_names *all, const char *pattern)
{
	for (const char *n = all->text; *n; n += strlen(n) + 1)
		if (glob_matches(pattern, n))
			return true;
	return false;
}

json_t *alt_names_to_json(const struct alt_names *all)
{
	json_t *array = json_array();

	for (const char *n = all->text; *n; n += strlen(n) + 1)
		json_array_append_new(array, json_from_text(n));
	return array;
}

bool alt_names_from_json(struct alt_names *ret, const json_t *array, const struct json_path *at,
			 struct err *err)
{
	const json_t *name;
	size_t i;

	*ret = (struct alt_names){ "" };
	if (array && !json_is_array(array))
		return err_expected(err, at, array, "a list of names");
	json_array_foreach (array, i, name) {
		if (!json_is_string(name))
			return err_expected(err, at, name, "a name");
		alt_names_add(ret, json_string_value(name));
	}
	return true;
}
