#include "probe_json.h"

#include <string.h>

#define LEAST_SHARE 0.5 /* with less, another class could have as much */

const char *const probe_path_names[] = {
	[PROBE_VERBS] = "verbs", [PROBE_RDMA_CM] = "rdma_cm", [PROBE_RDMA_CM_TOS] = "rdma_cm_tos",
	[PROBE_GPU] = "gpu",	 [PROBE_PATHS] = NULL,
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

static bool paths_from_json(const struct key *k, void *field, json_t *list,
			    const struct json_path *at, struct err *err)
{
	json_t *item;
	bool ok = true;

	(void)k;
	if (!json_array_size(list))
		return err_expected(err, at, list, "a list, such as [\"verbs\"]");
	json_item_foreach (list, at, here, item)
		ok = err_part(err, path_from_json(field, item, &here, err)) && ok;
	return ok;
}

static json_t *paths_schema(const struct key *k)
{
	(void)k;
	return json_pack("{s:s, s:i, s:{s:o}}", "type", "array", "minItems", 1, "items", "enum",
			 json_words(probe_path_names));
}

static bool share_from_json(const struct key *k, void *field, json_t *j, const struct json_path *at,
			    struct err *err)
{
	double share = json_number_value(j);

	(void)k;
	if (share < LEAST_SHARE || share > 1)
		return err_expected(err, at, j, "a number from 0.5 to 1");
	*(double *)field = share;
	return true;
}

static json_t *share_schema(const struct key *k)
{
	(void)k;
	return json_pack("{s:s, s:f, s:i}", "type", "number", "minimum", LEAST_SHARE, "maximum", 1);
}

/* clang-format off */
static const struct key probe_keys[] = {
	{ "paths", NULL, KEY_OTHER, KEY_FIELD(struct probe_policy, paths),
	  .from_json = paths_from_json, .schema = paths_schema,
	  .doc = "The paths to prove; all if absent." },
	{ "min_share", NULL, KEY_OTHER, KEY_FIELD(struct probe_policy, min_share),
	  .from_json = share_from_json, .schema = share_schema,
	  .doc = "The share of the bytes that must be in class (default: 0.99)." },
	{ .name = NULL },
};
/* clang-format on */

const struct key_object probe_object = {
	.keys = probe_keys,
	.expected = "an object, such as {\"min_share\": 0.99}",
};
