/* Tests of firmware parameters in a policy, in JSON and as text. */
#include "policy/model/firmware_parameter.h"
#include "policy/model/setting.h"
#include "policy/model/type.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

static const struct accepted_row {
	const char *sentence, *value, *text, *json;
} accepted[] = {
	{ "true is True", "{'LLDP_NB_DCBX': true}", "LLDP_NB_DCBX True", "{'LLDP_NB_DCBX': true}" },
	{ "a word as mstconfig prints it", "{'LLDP_NB_DCBX': 'False(0)'}", "LLDP_NB_DCBX False",
	  "{'LLDP_NB_DCBX': false}" },
	{ "a number stands for its word", "{'QOS_TRUST_STATE': 6}", "QOS_TRUST_STATE TRUST_DSCP",
	  "{'QOS_TRUST_STATE': 'TRUST_DSCP'}" },
	{ "a word stands for itself", "{'QOS_TRUST_STATE': 'TRUST_DSCP_PCP'}",
	  "QOS_TRUST_STATE TRUST_DSCP_PCP", "{'QOS_TRUST_STATE': 'TRUST_DSCP_PCP'}" },
	{ "a mask is a number", "{'ROCE_CC_PRIO_MASK': 8}", "ROCE_CC_PRIO_MASK 8",
	  "{'ROCE_CC_PRIO_MASK': 8}" },
	{ "several have the order of the table", "{'CNP_802P_PRIO': 6, 'CNP_DSCP': 48}",
	  "CNP_DSCP 48, CNP_802P_PRIO 6", "{'CNP_DSCP': 48, 'CNP_802P_PRIO': 6}" },
	{ "no parameter is none", "{}", "none", "{}" },
};

static struct config nvconfig_of(const char *value)
{
	char json[JSON_TEXT_MAX];

	snprintf(json, sizeof(json), "{'firmware': {'nvconfig': %s}}", value);
	return config_of(json);
}

static void is_accepted(void **s)
{
	const struct accepted_row *row = *s;
	const struct setting *k = &settings[SETTING_FIRMWARE_NVCONFIG];
	struct config c = nvconfig_of(row->value);
	json_t *got = type_of(k)->to_json(k, &c), *expected = json_of(row->json);
	char text[SETTING_TEXT_MAX];

	assert_string_equal(setting_text(k, &c, text), row->text);
	assert_true(json_equal(got, expected));
	json_decref(got);
	json_decref(expected);
}

static const struct refused_row {
	const char *sentence, *value, *text, *fix;
} refused[] = {
	{ "a parameter of a port has no port's number", "{'QOS_TRUST_STATE_P1': 6}",
	  "unknown key \"QOS_TRUST_STATE_P1\"", "did you mean \"QOS_TRUST_STATE\"?" },
	{ "a gap among the values is none", "{'QOS_TRUST_STATE': 1}",
	  "found the number 1, expected \"DEVICE_DEFAULT\", \"TRUST_PORT\", "
	  "\"TRUST_PCP\", \"TRUST_DSCP\" or \"TRUST_DSCP_PCP\"",
	  "" },
	{ "a word of another parameter is none", "{'LLDP_NB_DCBX': 'ALL'}",
	  "found the string \"ALL\", expected true or false", "" },
	{ "true is no number", "{'CNP_DSCP': true}", "found true, expected a whole number, 0 to 63",
	  "" },
	{ "a number has its maximum", "{'CNP_DSCP': 64}", "found the number 64, expected 0 to 63",
	  "" },
	{ "a list is no map", "[]",
	  "found an empty list, expected an object of parameters, such as "
	  "{\"LLDP_NB_DCBX\": true}",
	  "" },
};

static void is_refused(void **s)
{
	const struct refused_row *row = *s;
	struct config c = { 0 };
	struct err err = { 0 };
	char json[JSON_TEXT_MAX];

	snprintf(json, sizeof(json), "{'firmware': {'nvconfig': %s}}", row->value);
	assert_false(amend(&c, json, &err));
	assert_string_equal(err.text, row->text);
	assert_string_equal(err.fix, row->fix);
}

static void a_change_shows_the_desired_parameters_that_differ(void **s)
{
	const struct setting *k = &settings[SETTING_FIRMWARE_NVCONFIG];
	struct config desired = nvconfig_of("{'CNP_DSCP': 48, 'CNP_802P_PRIO': 6}"),
		      actual = nvconfig_of("{'CNP_DSCP': 46, 'CNP_802P_PRIO': 6, "
					   "'LLDP_NB_DCBX': true}");
	char before[SETTING_TEXT_MAX], after[SETTING_TEXT_MAX];

	(void)s;
	setting_change_text(k, &desired, &actual, before, after);
	assert_string_equal(before, "CNP_DSCP 48");
	assert_string_equal(after, "CNP_DSCP 46");
}

static void both_values_stand_in_json_where_they_differ(void **s)
{
	const struct setting *k = &settings[SETTING_FIRMWARE_NVCONFIG];
	struct config c = nvconfig_of("{'QOS_TRUST_STATE': 'TRUST_DSCP'}");
	json_t *got, *expected = json_of("{'QOS_TRUST_STATE': {'current': 'TRUST_DSCP', "
					 "'next_boot': 'TRUST_PCP'}}");

	(void)s;
	for (size_t i = 0; i < k->count; i++)
		if (c.firmware.nvconfig[i].state == PARAMETER_SET)
			c.firmware.nvconfig[i].next_boot = 5;
	got = type_of(k)->to_json(k, &c);
	assert_true(json_equal(got, expected));
	json_decref(got);
	json_decref(expected);
}

static void an_overlay_leaves_other_parameters_as_they_are(void **s)
{
	struct config base = nvconfig_of("{'CNP_DSCP': 46, 'CNP_802P_PRIO': 6}"),
		      over = nvconfig_of("{'CNP_DSCP': 48}"), end = config_overlay(&base, &over);
	char text[SETTING_TEXT_MAX];

	(void)s;
	assert_string_equal(setting_text(&settings[SETTING_FIRMWARE_NVCONFIG], &end, text),
			    "CNP_DSCP 48, CNP_802P_PRIO 6");
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, accepted, is_accepted);
	SUITE_ADD_ROWS(&s, refused, is_refused);
	SUITE_ADD(&s, a_change_shows_the_desired_parameters_that_differ);
	SUITE_ADD(&s, both_values_stand_in_json_where_they_differ);
	SUITE_ADD(&s, an_overlay_leaves_other_parameters_as_they_are);
	return suite_run(&s, "type_parameters");
}
