/* A set of priorities: a list in JSON, a bit mask internally. */
#include <stdio.h>
#include <string.h>

#include "../util/json_util.h"
#include "type.h"

/* mlnx_qos and the kernel have bitmaps: the fix is the list that such a number means. */
static bool err_no_list(struct err *err, const struct json_path *at, const json_t *found)
{
	json_int_t mask = json_integer_value(found);
	char list[3 * PRIOS + 1] = "";

	err_record_expected(err, at, found, "a list of priorities, such as [3]");
	if (!json_is_integer(found) || mask < 0 || mask >= 1 << PRIOS)
		return false;
	for (int p = 0; p < PRIOS; p++)
		if (mask >> p & 1)
			snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%d",
				 list[0] ? ", " : "", p);
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

static bool prioset_from_json(const struct setting *k, struct config *c, json_t *j,
			      const struct json_path *at, struct err *err)
{
	unsigned mask = 0;
	size_t i;
	json_t *item;
	bool ok = true;

	if (!json_is_array(j))
		return err_no_list(err, at, j);
	json_array_foreach (j, i, item) {
		struct json_path here = { at, NULL, i };

		ok = err_part(err, priority_from_json(k, &mask, item, &here, err)) && ok;
	}
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

static void prioset_text(const struct setting *k, const struct config *c, struct text *out)
{
	int64_t mask = setting_element(k, c, 0);
	const char *sep = "";

	if (!mask)
		text_add(out, "none");
	for (int p = 0; p < PRIOS; p++)
		if (mask & (1 << p)) {
			text_add(out, "%s%d", sep, p);
			sep = ", ";
		}
}

const struct type_ops type_prioset = {
	.from_json = prioset_from_json,
	.to_json = prioset_to_json,
	.schema = prioset_schema,
	.range = prioset_range,
	.text = prioset_text,
};
