/* Tests of `set` over a profile: leaf by leaf, arrays and maps whole; null removes a setting. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/parse.h"
#include "tests/support/unit.h"

static const struct set_row {
	const char *sentence, *base, *set, *rounded;
} rows[] = {
	{ "an empty set changes nothing", "{'mtu': 9000}", "{}", "{'mtu': 9000}" },
	{ "a leaf replaces a leaf", "{'mtu': 9000}", "{'mtu': 1500}", "{'mtu': 1500}" },
	{ "a leaf is added", "{'mtu': 9000}", "{'trust': 'dscp'}",
	  "{'mtu': 9000, 'trust': 'dscp'}" },
	{ "a leaf leaves its group alone", "{'pfc': {'priorities': [3], 'cable_m': 7}}",
	  "{'pfc': {'cable_m': 30}}", "{'pfc': {'priorities': [3], 'cable_m': 30}}" },
	{ "an empty group changes nothing", "{'pfc': {'cable_m': 7}}", "{'pfc': {}}",
	  "{'pfc': {'cable_m': 7}}" },
	{ "a list is one leaf", "{'pfc': {'priorities': [3, 4]}}", "{'pfc': {'priorities': [5]}}",
	  "{'pfc': {'priorities': [5]}}" },
	{ "an empty list is a value", "{'pfc': {'priorities': [3]}}", "{'pfc': {'priorities': []}}",
	  "{'pfc': {'priorities': []}}" },
	{ "a map is one leaf", "{'dscp': {'prio': {'26': 3, '48': 6}}}",
	  "{'dscp': {'prio': {'10': 1}}}", "{'dscp': {'prio': {'10': 1}}}" },
	{ "a map leaves the rest alone", "{'dscp': {'prio': {'26': 3}, 'rest': 0}}",
	  "{'dscp': {'prio': {'10': 1}}}", "{'dscp': {'prio': {'10': 1}, 'rest': 0}}" },
	{ "null un-mentions a leaf", "{'mtu': 9000, 'trust': 'dscp'}", "{'mtu': null}",
	  "{'trust': 'dscp'}" },
	{ "null un-mentions a leaf in a group", "{'pfc': {'priorities': [3], 'cable_m': 7}}",
	  "{'pfc': {'cable_m': null}}", "{'pfc': {'priorities': [3]}}" },
	{ "null un-mentions a list", "{'pfc': {'priorities': [3], 'cable_m': 7}}",
	  "{'pfc': {'priorities': null}}", "{'pfc': {'cable_m': 7}}" },
	{ "null un-mentions a map", "{'dscp': {'prio': {'26': 3}, 'rest': 0}}",
	  "{'dscp': {'prio': null}}", "{'dscp': {'rest': 0}}" },
	{ "null removes a setting that is absent", "{'mtu': 9000}", "{'trust': null}",
	  "{'mtu': 9000}" },
	{ "false is a value", "{'pause': {'rx': true}}", "{'pause': {'rx': false}}",
	  "{'pause': {'rx': false}}" },
	{ "0 is a value", "{'roce': {'tos': 106}}", "{'roce': {'tos': 0}}",
	  "{'roce': {'tos': 0}}" },
};

static void rounded(void **s)
{
	const struct set_row *row = *s;
	struct config c = config_of(row->base);
	struct err err = { 0 };
	json_t *out, *expected = json_of(row->rounded);

	assert_true(amend(&c, row->set, &err));
	out = config_to_json(&c, EVERY_SETTING);
	if (!json_equal(out, expected))
		fail_msg("becomes %s", json_dumps(out, 0));
	json_decref(out);
	json_decref(expected);
}

static const struct refused_row {
	const char *sentence, *set;
} refused[] = {
	{ "a group is no leaf and cannot be null", "{'pfc': null}" },
	{ "a set that is wrong at its end changes nothing",
	  "{'mtu': 1500, 'trust': 'dscp', 'x': 1}" },
	{ "a map that is wrong at its end changes nothing",
	  "{'dscp': {'prio': {'1': 1, '2': 9}}}" },
	{ "a list that is wrong at its end changes nothing",
	  "{'ets': {'prio_tc': [1,1,1,1,1,1,1,8]}}" },
	{ "a set that un-mentions and fails changes nothing", "{'mtu': null, 'x': 1}" },
};

static void changes_nothing(void **s)
{
	const struct refused_row *row = *s;
	struct config c = config_of("{'mtu': 9000, 'ets': {'prio_tc': [0,0,0,3,0,0,6,0]}}"),
		      before = c;
	struct err err = { 0 };

	assert_false(amend(&c, row->set, &err));
	assert_int_equal(err.kind, ERR_POLICY);
	assert_memory_equal(&c, &before, sizeof(c));
}

#define POLICY(profile, set) \
	"{'version': 1, 'profiles': {'p': " profile "}," \
	" 'rules': [{'match': {'name': 'a'}, 'profile': 'p'}," \
	"           {'match': {'name': 'b'}, 'profile': 'p', 'set': " set "}]}"

static void a_set_is_for_its_own_rule_only(void **s)
{
	struct policy *p = policy_of(POLICY("{'mtu': 9000, 'roce': {'tos': 106}}",
					    "{'mtu': 1500, 'roce': {'tos': null}}"));

	(void)s;
	assert_int_equal(desired_of(p, 0).mtu, 9000);
	assert_true(desired_of(p, 0).has == (SETTING(SETTING_MTU) | SETTING(SETTING_ROCE_TOS)));
	assert_int_equal(desired_of(p, 1).mtu, 1500);
	assert_true(desired_of(p, 1).has == SETTING(SETTING_MTU));
	free(p);
}

static void a_map_is_completed_after_the_set_not_before(void **s)
{
	struct policy *p = policy_of(POLICY("{'dscp': {'prio': {'26': 3}, 'rest': 1}}",
					    "{'dscp': {'prio': {'10': 2}}}"));

	(void)s;
	assert_int_equal(desired_of(p, 0).dscp.prio[10], 1);
	assert_int_equal(desired_of(p, 1).dscp.prio[10], 2);
	assert_int_equal(desired_of(p, 1).dscp.prio[26], 1);
	free(p);
}

static void a_set_can_turn_dscp_into_pcp(void **s)
{
	struct policy *p =
		policy_of(POLICY("{'dscp': {'prio': {'26': 3}, 'rest': 1}}",
				 "{'trust': 'pcp', 'dscp': {'prio': null, 'rest': null}}"));

	(void)s;
	assert_int_equal(desired_of(p, 0).trust, TRUST_DSCP);
	assert_int_equal(desired_of(p, 1).trust, TRUST_PCP);
	assert_int_equal(desired_of(p, 1).dscp.prio[26], DSCP_NONE);
	free(p);
}

static void a_set_can_un_mention_trust_and_map(void **s)
{
	struct policy *p = policy_of(POLICY("{'mtu': 9000, 'trust': 'dscp'}", "{'trust': null}"));

	(void)s;
	assert_true(desired_of(p, 1).has == SETTING(SETTING_MTU));
	free(p);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, rounded);
	SUITE_ADD_ROWS(&s, refused, changes_nothing);
	SUITE_ADD(&s, a_set_is_for_its_own_rule_only);
	SUITE_ADD(&s, a_map_is_completed_after_the_set_not_before);
	SUITE_ADD(&s, a_set_can_turn_dscp_into_pcp);
	SUITE_ADD(&s, a_set_can_un_mention_trust_and_map);
	return suite_run(&s, "set");
}
