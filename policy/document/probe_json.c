#include "probe_json.h"

#include <string.h>

#include "../util/json_util.h"

#define LEAST_SHARE 0.5 /* with less, another class could have as much */

const char *const probe_path_names[PROBE_PATHS] = {
	[PROBE_VERBS] = "verbs",
	[PROBE_RDMA_CM] = "rdma_cm",
	[PROBE_RDMA_CM_TOS] = "rdma_cm_tos",
	[PROBE_GPU] = "gpu",
};

static bool path_from_json(unsigned *ret, const json_t *value, const struct json_path *at,
			   struct err *err)
{
	const char *text = json_string_value(value);

	for (unsigned path = 0; text && path < PROBE_PATHS; path++)
		if (strcmp(probe_path_names[path], text) == 0) {
			*ret |= 1u << path;
			return true;
		}
	return err_expected(err, at, value, "verbs, rdma_cm, rdma_cm_tos or gpu");
}

static bool paths_from_json(unsigned *ret, const json_t *list, const struct json_path *up,
			    struct err *err)
{
	const struct json_path at = { up, "paths", 0 };
	bool ok = true;

	if (!list)
		return true;
	if (!json_array_size(list))
		return err_expected(err, &at, list, "a list, such as [\"verbs\"]");
	for (size_t i = 0; i < json_array_size(list); i++) {
		const struct json_path item = { &at, NULL, i };

		ok = err_part(err, path_from_json(ret, json_array_get(list, i), &item, err)) && ok;
	}
	return ok;
}

static bool share_from_json(double *ret, const json_t *value, const struct json_path *up,
			    struct err *err)
{
	const struct json_path at = { up, "min_share", 0 };
	double share = json_number_value(value);

	if (value && (share < LEAST_SHARE || share > 1))
		return err_expected(err, &at, value, "a number from 0.5 to 1");
	*ret = share;
	return true;
}

bool probe_from_json(struct probe_policy *ret, json_t *object, const struct json_path *at,
		     struct err *err)
{
	static const char *const known[] = { "comment", "paths", "min_share", NULL };
	bool ok;

	if (!object)
		return true;
	if (!json_is_object(object))
		return err_expected(err, at, object, "an object, such as {\"min_share\": 0.99}");
	ok = err_part(err, json_only_keys(object, known, at, err));
	ok = err_part(err, json_check_comment(object, at, err)) && ok;
	ok = err_part(err,
		      paths_from_json(&ret->paths, json_object_get(object, "paths"), at, err)) &&
	     ok;
	return err_part(err, share_from_json(&ret->min_share, json_object_get(object, "min_share"),
					     at, err)) &&
	       ok;
}

json_t *probe_schema(void)
{
	json_t *names = json_array();

	for (unsigned path = 0; path < PROBE_PATHS; path++)
		json_array_append_new(names, json_string(probe_path_names[path]));
	return json_pack("{s:s, s:{s:{s:s}, s:{s:s, s:i, s:{s:o}, s:s}, s:{s:s, s:f, s:i, s:s}}, "
			 "s:b}",
			 "type", "object", "properties", "comment", "type", "string", "paths",
			 "type", "array", "minItems", 1, "items", "enum", names, "description",
			 "The paths to prove; all if absent.", "min_share", "type", "number",
			 "minimum", LEAST_SHARE, "maximum", 1, "description",
			 "The share of the bytes that must be in class (default: 0.99).",
			 "additionalProperties", 0);
}
