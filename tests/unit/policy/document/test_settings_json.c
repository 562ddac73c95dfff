#include <stdlib.h>
#include <string.h>

#include "tests/support/parse.h"
#include "tests/support/unit.h"

/* The settings whose elements are plain values, not structs. */
#define EACH_SETTING(k) \
	for (const struct setting *k = settings; k < settings + SETTING_COUNT; k++) \
		if (k->type <= T_DSCPMAP)

static bool put(const struct setting *k, struct config *c, json_t *value, struct err *err)
{
	char group[GROUP_MAX];
	json_t *object = json_object();
	bool ok;

	json_object_set_new(object, setting_leaf(k), value);
	if (setting_group(k, group)[0])
		object = json_pack("{s:o}", group, object);
	ok = config_amend(c, object, NULL, err);
	json_decref(object);
	return ok;
}

/* Make a value for the whole setting, each element `v`; a DSCP map names 0 and 63. */
static json_t *whole(const struct setting *k, json_t *v)
{
	json_t *out;

	if (k->type == T_DSCPMAP)
		return json_pack("{s:O, s:o}", "0", v, "63", v);
	if (k->type == T_PRIOSET)
		return json_pack("[o]", v);
	if (k->count == 1)
		return v;
	out = json_array();
	for (size_t i = 0; i < k->count; i++)
		json_array_append(out, v);
	json_decref(v);
	return out;
}

static json_t *element(const struct setting *k, int64_t v)
{
	if (k->type == T_BOOL)
		return json_boolean(v);
	return k->type == T_ENUM ? json_string(k->names[v]) : json_integer(v);
}

static void goes_in_and_out_the_same(const struct setting *k, json_t *value)
{
	struct config c = { 0 };
	struct err err = { 0 };
	json_t *kept = json_deep_copy(value), *out;

	if (!put(k, &c, value, &err))
		fail_msg("%s: %s", k->path, err.text);
	if (c.has != SETTING(k - settings))
		fail_msg("%s: another setting is mentioned", k->path);
	out = setting_to_json(k, &c);
	if (!json_equal(out, kept))
		fail_msg("%s: reads back as %s", k->path, json_dumps(out, JSON_ENCODE_ANY));
	json_decref(out);
	json_decref(kept);
}

static void every_setting_goes_through_json_at_its_minimum(void **s)
{
	(void)s;
	EACH_SETTING(k)
	goes_in_and_out_the_same(k, whole(k, element(k, k->min)));
}

static void every_setting_goes_through_json_at_its_maximum(void **s)
{
	(void)s;
	EACH_SETTING(k)
	goes_in_and_out_the_same(k, whole(k, element(k, k->max)));
}

static void every_word_of_every_setting_goes_through_json(void **s)
{
	(void)s;
	EACH_SETTING(k)
	for (size_t i = 0; k->names && k->names[i]; i++)
		goes_in_and_out_the_same(k, whole(k, json_string(k->names[i])));
}

static void is_refused(const struct setting *k, json_t *value, const char *what)
{
	struct config c = { .mtu = 1234 }, before = c;
	struct err err = { 0 };

	if (put(k, &c, value, &err))
		fail_msg("%s: takes %s", k->path, what);
	if (memcmp(&c, &before, sizeof(c)) != 0)
		fail_msg("%s: %s is refused and half taken", k->path, what);
	assert_int_equal(err.kind, ERR_POLICY);
	if (!err.text[0] || strncmp(err.at.pointer, "/", 1) != 0)
		fail_msg("%s: %s is refused without a word or a place", k->path, what);
}

static void every_number_below_its_minimum_is_refused(void **s)
{
	(void)s;
	EACH_SETTING(k)
	if (k->type != T_BOOL && k->type != T_ENUM)
		is_refused(k, whole(k, json_integer((json_int_t)k->min - 1)), "min - 1");
}

static void every_number_above_its_maximum_is_refused(void **s)
{
	(void)s;
	EACH_SETTING(k)
	if (k->type != T_BOOL && k->type != T_ENUM) {
		is_refused(k, whole(k, json_integer((json_int_t)k->max + 1)), "max + 1");
		is_refused(k, whole(k, json_integer(1LL << 32)), "2^32, which is 0 in 32 bits");
		is_refused(k, whole(k, json_integer((1LL << 32) + k->min)), "2^32 + min");
		is_refused(k, whole(k, json_integer(INT64_MAX)), "2^63 - 1");
		is_refused(k, whole(k, json_integer(INT64_MIN)), "-2^63");
	}
}

static const char *const wrong_values[] = {
	"3.0",	 "1e0",	   "'no such word'", "''",	  "{'x': 1}",
	"[[1]]", "[null]", "['x', 'y']",     "[true, 1]", "[0,0,0,0,0,0,0,0,0]",
};

static void every_setting_refuses_every_wrong_type(void **s)
{
	(void)s;
	EACH_SETTING(k)
	{
		for (size_t i = 0; i < COUNT(wrong_values); i++)
			is_refused(k, json_of(wrong_values[i]), wrong_values[i]);
		if (k->type != T_BOOL)
			is_refused(k, json_true(), "true");
		if (k->type == T_BOOL || k->type == T_ENUM || k->count > 1)
			is_refused(k, json_integer(1), "a bare number");
		if (k->type != T_PRIOSET)
			is_refused(k, json_array(), "an empty list");
		if (k->type != T_DSCPMAP)
			is_refused(k, json_object(), "an empty object");
	}
}

static void every_list_is_refused_one_short_and_one_long(void **s)
{
	(void)s;
	EACH_SETTING(k)
	{
		json_t *list = k->count > 1 ? whole(k, element(k, k->min)) : NULL;

		if (!json_is_array(list)) {
			json_decref(list);
			continue;
		}
		json_array_append_new(list, element(k, k->min));
		is_refused(k, json_copy(list), "one more");
		json_array_remove(list, 0);
		json_array_remove(list, 0);
		is_refused(k, list, "one less");
	}
}

static void no_setting_takes_its_own_path_as_a_key(void **s)
{
	(void)s;
	EACH_SETTING(k)
	{
		struct config c = { 0 };
		struct err err = { 0 };
		json_t *j = json_pack("{s:o}", k->path, whole(k, element(k, k->max)));

		if (strchr(k->path, '.') && config_amend(&c, j, NULL, &err))
			fail_msg("\"%s\" is taken as one key", k->path);
		json_decref(j);
	}
}

static void a_setting_that_is_not_there_is_null(void **s)
{
	struct config c = { 0 };

	(void)s;
	EACH_SETTING(k)
	{
		json_t *j = setting_to_json(k, &c);

		assert_true(json_is_null(j));
		json_decref(j);
	}
}

static void a_config_prints_only_what_is_asked_of_what_it_has(void **s)
{
	struct config c = config_of("{'mtu': 9000, 'pfc': {'priorities': [3], 'cable_m': 7}}");
	json_t *out = config_to_json(&c, SETTING(SETTING_PFC_CABLE_M) | SETTING(SETTING_TRUST));
	json_t *expected = json_of("{'pfc': {'cable_m': 7}}");

	(void)s;
	assert_true(json_equal(out, expected));
	json_decref(out);
	json_decref(expected);
}

static void keys_stand_in_the_order_of_the_setting_table(void **s)
{
	struct config c = config_of("{'roce': {'tos': 1}, 'pfc': {'cable_m': 7}, 'mtu': 9000}");
	json_t *out = config_to_json(&c, EVERY_SETTING);
	char *text = json_dumps(out, JSON_COMPACT);

	(void)s;
	assert_string_equal(text, "{\"mtu\":9000,\"pfc\":{\"cable_m\":7},\"roce\":{\"tos\":1}}");
	free(text);
	json_decref(out);
}

static void a_set_of_priorities_prints_in_order(void **s)
{
	struct config c = config_of("{'pfc': {'priorities': [7, 0, 3]}}");
	json_t *out = setting_to_json(&settings[SETTING_PFC_PRIORITIES], &c),
	       *expected = json_of("[0, 3, 7]");

	(void)s;
	assert_int_equal(c.pfc.priorities, 0x89);
	assert_true(json_equal(out, expected));
	json_decref(out);
	json_decref(expected);
}

static void an_entry_that_does_not_exist_prints_as_null_and_a_kept_one_not_at_all(void **s)
{
	struct config c = { .has = SETTING(SETTING_DSCP_PRIO) };
	json_t *out, *expected = json_of("{'0': 0, '2': null}");

	(void)s;
	memset(c.dscp.prio, DSCP_KEEP, DSCPS);
	c.dscp.prio[0] = 0;
	c.dscp.prio[2] = DSCP_NONE;
	out = setting_to_json(&settings[SETTING_DSCP_PRIO], &c);
	assert_true(json_equal(out, expected));
	json_decref(out);
	json_decref(expected);
}

/* A port may have values that no policy may ask for, but no index that is out of range. */
static const struct seen_row {
	const char *sentence, *text;
	bool asked, seen;
} seen_rows[] = {
	{ "what may be asked for may be seen", "{'mtu': 9000}", true, true },
	{ "a number beyond its bounds may be seen", "{'mtu': 99999}", false, true },
	{ "a number in a gap may be seen", "{'pfc': {'storm_timeout_ms': 50}}", false, true },
	{ "one that has no room may not", "{'pfc': {'storm_timeout_ms': 70000}}", false, false },
	{ "a class that there is not may not", "{'ets': {'prio_tc': [8,0,0,0,0,0,0,0]}}", false,
	  false },
	{ "a priority that there is not may not", "{'cnp': {'priority': 8}}", false, false },
	{ "nor what is no object", "[]", false, false },
};

static void it_may_be_seen_or_asked_for(void **s)
{
	const struct seen_row *row = *s;
	json_t *j = json_of(row->text);
	struct config asked = { 0 }, seen = { 0 };
	struct err err = { 0 }, other = { 0 };

	assert_int_equal(config_amend(&asked, j, NULL, &err), row->asked);
	assert_int_equal(config_amend_observed(&seen, j, NULL, &other), row->seen);
	assert_int_equal(asked.has != 0, row->asked);
	assert_int_equal(seen.has != 0, row->seen);
	json_decref(j);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, seen_rows, it_may_be_seen_or_asked_for);

	SUITE_ADD(&s, every_setting_goes_through_json_at_its_minimum);
	SUITE_ADD(&s, every_setting_goes_through_json_at_its_maximum);
	SUITE_ADD(&s, every_word_of_every_setting_goes_through_json);
	SUITE_ADD(&s, every_number_below_its_minimum_is_refused);
	SUITE_ADD(&s, every_number_above_its_maximum_is_refused);
	SUITE_ADD(&s, every_setting_refuses_every_wrong_type);
	SUITE_ADD(&s, every_list_is_refused_one_short_and_one_long);
	SUITE_ADD(&s, no_setting_takes_its_own_path_as_a_key);
	SUITE_ADD(&s, a_setting_that_is_not_there_is_null);
	SUITE_ADD(&s, a_config_prints_only_what_is_asked_of_what_it_has);
	SUITE_ADD(&s, keys_stand_in_the_order_of_the_setting_table);
	SUITE_ADD(&s, a_set_of_priorities_prints_in_order);
	SUITE_ADD(&s, an_entry_that_does_not_exist_prints_as_null_and_a_kept_one_not_at_all);
	return suite_run(&s, "settings_json");
}
