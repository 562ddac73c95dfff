/* Tests of the schema, which is generated from the parser's tables: it contains every row. */
#include <string.h>

#include "policy/document/policy.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

static json_t *at(json_t *j, const char *path)
{
	char key[64];

	while (j && *path) {
		size_t n = strcspn(path, " ");

		snprintf(key, sizeof(key), "%.*s", (int)n, path);
		j = json_object_get(j, key);
		path += n + (path[n] == ' ');
	}
	return j;
}

/* Find a setting's schema below an object's, in profiles or in `set`. */
static json_t *schema_of(json_t *object, const struct setting *k)
{
	char group[GROUP_MAX];

	object = json_object_get(object, "properties");
	if (setting_group(k, group)[0])
		object = at(json_object_get(object, group), "properties");
	return json_object_get(object, setting_leaf(k));
}

#define PROFILE "properties profiles additionalProperties"
#define RULE	"properties rules items"

/* True if the object accepts the setting's own schema, or null instead. */
static bool may_be_null(json_t *object, const struct setting *k)
{
	json_t *own = setting_to_schema(k),
	       *either = json_object_get(schema_of(object, k), "anyOf");
	const char *other = json_string_value(at(json_array_get(either, 1), "type"));
	bool ok = json_equal(json_array_get(either, 0), own) && other && strcmp(other, "null") == 0;

	json_decref(own);
	return ok;
}

static void every_setting_stands_in_the_profiles_and_may_be_null_there(void **s)
{
	json_t *schema = policy_schema();

	(void)s;
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		if (!may_be_null(at(schema, PROFILE), &settings[i]))
			fail_msg("%s is not in profiles, or may not be null", settings[i].path);
	}
	json_decref(schema);
}

static void every_setting_stands_in_set_and_may_be_null_there(void **s)
{
	json_t *schema = policy_schema();

	(void)s;
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		if (!may_be_null(at(schema, RULE " properties set"), &settings[i]))
			fail_msg("%s is not in set, or may not be null", settings[i].path);
	}
	json_decref(schema);
}

/* Find the schema of one element: an item, a DSCP's priority, or the value itself. */
static json_t *element_schema(json_t *s, const struct setting *k)
{
	json_t *items = json_object_get(s, "items"), *map = json_object_get(s, "patternProperties");

	if (k->type == T_WORD_OR_INT)
		s = json_array_get(json_object_get(s, "anyOf"), 0);
	if (k->min_above_zero)
		s = json_array_get(json_object_get(s, "anyOf"), 1);
	if (map)
		return json_object_iter_value(json_object_iter(map));
	return items ? items : s;
}

static void every_number_has_its_bounds(void **s)
{
	(void)s;
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		const struct setting *k = &settings[i];
		json_t *schema = setting_to_schema(k), *element = element_schema(schema, k);

		if (k->type <= T_DSCPMAP && k->type != T_BOOL && k->type != T_ENUM &&
		    (json_integer_value(json_object_get(element, "minimum")) !=
			     (k->min_above_zero ? k->min_above_zero : k->min) ||
		     json_integer_value(json_object_get(element, "maximum")) != k->max))
			fail_msg("%s has other bounds", k->path);
		json_decref(schema);
	}
}

static void every_word_stands_in_the_schema(void **s)
{
	(void)s;
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		json_t *schema = setting_to_schema(&settings[i]),
		       *words = element_schema(schema, &settings[i]);
		size_t n = 0;

		if (settings[i].type == T_WORD_OR_INT)
			words = json_array_get(json_object_get(schema, "anyOf"), 1);
		if (settings[i].type == T_APPS)
			words = NULL;
		words = json_object_get(words, "enum");
		for (; settings[i].names && settings[i].names[n]; n++)
			assert_string_equal(json_string_value(json_array_get(words, n)),
					    settings[i].names[n]);
		assert_int_equal(json_array_size(words), n);
		json_decref(schema);
	}
}

static void every_setting_has_its_sentence_and_its_unit(void **s)
{
	(void)s;
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		json_t *schema = setting_to_schema(&settings[i]),
		       *unit = json_object_get(schema, "$comment");

		assert_string_equal(json_string_value(json_object_get(schema, "description")),
				    settings[i].doc);
		assert_int_equal(unit != NULL, settings[i].unit != NULL);
		if (unit)
			assert_string_equal(json_string_value(unit) + strlen("unit: "),
					    settings[i].unit);
		json_decref(schema);
	}
}

static void every_list_has_its_length(void **s)
{
	(void)s;
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		json_t *schema = setting_to_schema(&settings[i]);
		json_int_t min = json_integer_value(json_object_get(schema, "minItems"));
		json_int_t max = json_integer_value(json_object_get(schema, "maxItems"));
		json_int_t length = settings[i].count > 1 && settings[i].type < T_DSCPMAP
					    ? settings[i].count
					    : 0;

		if (settings[i].type == T_APPS || settings[i].type == T_ORDER)
			length = max; /* a list of at most this length */
		assert_int_equal(max ? max == settings[i].count : 1, 1);
		if (settings[i].type == T_APPS || settings[i].type == T_ORDER)
			min = max;
		assert_int_equal(min, length);
		assert_int_equal(max, length);
		json_decref(schema);
	}
}

static void every_key_of_match_stands_in_the_schema(void **s)
{
	json_t *schema = policy_schema(), *match = at(schema, RULE " properties match properties");

	(void)s;
	assert_int_equal(json_object_size(match), MATCH_COUNT);
	for (size_t i = 0; i < MATCH_COUNT; i++)
		assert_string_equal(json_string_value(at(json_object_get(match, match_keys[i].name),
							 "description")),
				    match_keys[i].doc);
	json_decref(schema);
}

static void conditions_alone_stand_in_when(void **s)
{
	json_t *schema = policy_schema(),
	       *when = at(schema, PROFILE " properties when items properties");

	(void)s;
	for (size_t i = 0; i < MATCH_COUNT; i++)
		assert_int_equal(json_object_get(when, match_keys[i].name) != NULL,
				 match_keys[i].in_when);
	json_decref(schema);
}

static void every_key_of_a_class_stands_in_the_schema(void **s)
{
	json_t *schema = policy_schema(),
	       *class = at(schema, PROFILE " properties classes items properties");

	(void)s;
	assert_int_equal(json_object_size(class), CLASS_KEYS + 1); /* and "comment" */
	for (size_t i = 0; i < CLASS_KEYS; i++)
		assert_string_equal(json_string_value(at(json_object_get(class, class_keys[i].name),
							 "description")),
				    class_keys[i].doc);
	json_decref(schema);
}

/* True if the schema only requires a key, as that of "when" does. */
static bool asks_for_a_key(const json_t *j)
{
	return json_object_size(j) == 2 && json_object_get(j, "required");
}

/* An object that lists its properties allows no other, because the parser refuses unknown keys. */
static void is_closed(const json_t *j, unsigned *objects)
{
	const char *key;
	json_t *v;
	size_t i;

	if (json_is_object(json_object_get(j, "properties")) && !asks_for_a_key(j)) {
		++*objects;
		assert_non_null(json_object_get(j, "additionalProperties"));
		assert_false(json_is_true(json_object_get(j, "additionalProperties")));
	}
	json_object_foreach ((json_t *)j, key, v)
		is_closed(v, objects);
	json_array_foreach (j, i, v)
		is_closed(v, objects);
}

static void every_object_is_closed(void **s)
{
	json_t *schema = policy_schema();
	unsigned objects = 0;

	(void)s;
	is_closed(schema, &objects);
	assert_true(objects >= 14); /* policy, profile, rule, match, set, and the groups of both */
	json_decref(schema);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, every_setting_stands_in_the_profiles_and_may_be_null_there);
	SUITE_ADD(&s, every_setting_stands_in_set_and_may_be_null_there);
	SUITE_ADD(&s, every_number_has_its_bounds);
	SUITE_ADD(&s, every_word_stands_in_the_schema);
	SUITE_ADD(&s, every_setting_has_its_sentence_and_its_unit);
	SUITE_ADD(&s, every_list_has_its_length);
	SUITE_ADD(&s, every_key_of_match_stands_in_the_schema);
	SUITE_ADD(&s, conditions_alone_stand_in_when);
	SUITE_ADD(&s, every_key_of_a_class_stands_in_the_schema);
	SUITE_ADD(&s, every_object_is_closed);
	return suite_run(&s, "schema");
}
