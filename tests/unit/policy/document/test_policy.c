#include <stdlib.h>
#include <string.h>

#include "policy/document/policy.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"
#include "policy/document/unreachable_rule.h"

#define RULE(name)    "{'match': {'name': '" name "'}, 'profile': 'p'}"
#define POLICY(rules) "{'version': 1, 'profiles': {'p': {'mtu': 9000}}, 'rules': [" rules "]}"

static void a_policy_has_its_rules_in_order(void **s)
{
	struct policy *p = policy_of(POLICY(RULE("a") "," RULE("b") "," RULE("c")));

	(void)s;
	assert_int_equal(p->count, 3);
	assert_string_equal(p->rules[0].match.pattern.name, "a");
	assert_string_equal(p->rules[2].match.pattern.name, "c");
	assert_string_equal(p->rules[2].profile->name, "p");
	assert_int_equal(desired_of(p, 2).mtu, 9000);
	assert_false(p->rules[2].required);
	free(p);
}

/* A port gets the last rule that matches, whole. */
static const struct winner_row {
	const char *sentence, *policy;
	int winner; /* -1: none */
} winners[] = {
	{ "the only rule that matches wins", POLICY(RULE("ens1") "," RULE("eth0")), 0 },
	{ "the last rule that matches wins", POLICY(RULE("ens1") "," RULE("ens*")), 1 },
	{ "the last wins though another names the port",
	  POLICY(RULE("e*") "," RULE("ens1") "," RULE("*")), 2 },
	{ "no rule wins where none matches", POLICY(RULE("eth*")), -1 },
	{ "no rule wins where there is none", POLICY(""), -1 },
	{ "a rule for the driver wins",
	  POLICY("{'match': {'driver': 'mlx5_core'}, 'profile': 'p'}"), 0 },
	{ "all keys of a rule must hold",
	  POLICY("{'match': {'driver': 'mlx5_core', 'name': 'eth0'}, 'profile': 'p'}"), -1 },
};

static void that_rule_wins(void **s)
{
	static const struct identity port = { .name = "ens1", .driver = "mlx5_core" };
	const struct winner_row *row = *s;
	struct policy *p = policy_of(row->policy);
	const struct port_rule *r;
	struct err err = { 0 };

	assert_true(rule_for(p->rules, p->count, &port, &r, &err));
	assert_int_equal(r ? r - p->rules : -1, row->winner);
	free(p);
}

static void rules_are_not_merged(void **s)
{
	struct policy *p =
		policy_of("{'version': 1, 'profiles': {'a': {'mtu': 9000}, 'b': {'trust': 'dscp'}},"
			  " 'rules': [{'match': {'name': '*'}, 'profile': 'a'},"
			  "           {'match': {'name': '*'}, 'profile': 'b'}]}");
	const struct port_rule *r;
	struct config desired;
	struct err err = { 0 };

	(void)s;
	assert_true(rule_for(p->rules, p->count, &(struct identity){ .name = "ens1" }, &r, &err));
	desired = desired_of(p, (size_t)(r - p->rules));
	assert_false(desired.has & SETTING(SETTING_MTU));
	assert_true(desired.has & SETTING(SETTING_TRUST));
	free(p);
}

static const struct shadow_row {
	const char *sentence, *policy;
	int by; /* -1: the first rule can win */
} shadows[] = {
	{ "a later rule for all ports takes every port", POLICY(RULE("ens1") "," RULE("*")), 1 },
	{ "the first that takes all is named",
	  POLICY(RULE("a") "," RULE("b") "," RULE("a*") "," RULE("*")), 2 },
	{ "an earlier rule takes nothing", POLICY(RULE("*") "," RULE("ens1")), -1 },
	{ "a rule does not shadow itself", POLICY(RULE("*")), -1 },
	{ "the same rule again takes every port", POLICY(RULE("a?") "," RULE("a?")), 1 },
	{ "the same name again takes the port", POLICY(RULE("a") "," RULE("b") "," RULE("a")), 2 },
	{ "of several that take all the first is named",
	  POLICY(RULE("a") "," RULE("a") "," RULE("a*") "," RULE("a")), 1 },
	{ "a glob before the same name is named", POLICY(RULE("a") "," RULE("a*") "," RULE("a")),
	  1 },
	{ "fewer names take more",
	  POLICY("{'match': {'name': 'a', 'driver': 'd'}, 'profile': 'p'},"
		 "{'match': {'driver': 'd'}, 'profile': 'p'}"),
	  1 },
	{ "more names take less",
	  POLICY("{'match': {'driver': 'd'}, 'profile': 'p'},"
		 "{'match': {'name': 'a', 'driver': 'd'}, 'profile': 'p'}"),
	  -1 },
	{ "a name among other speeds takes less",
	  POLICY(RULE("a") ",{'match': {'name': 'a', 'speed_mbps': 1000}, 'profile': 'p'}"), -1 },
	{ "a name takes it at all speeds",
	  POLICY("{'match': {'name': 'a', 'speed_mbps': 1000}, 'profile': 'p'}," RULE("a")), 1 },
};

static void the_first_rule_can_win_or_not(void **s)
{
	const struct shadow_row *row = *s;
	struct policy *p = policy_of(row->policy);
	const struct port_rule **by = NULL;
	struct err err = { 0 };

	assert_true(unreachable_rules_find(p->rules, p->count, &by, &err));
	assert_int_equal(by[0] ? by[0] - p->rules : -1, row->by);
	free(by);
	free(p);
}

static void the_words_of_the_header_are_taken(void **s)
{
	struct policy *p = policy_of(
		"{'version': 1, 'name': 'gpu', 'mode': 'enforce', '$schema': 'x', 'rules': []}");

	(void)s;
	assert_string_equal(p->name, "gpu");
	assert_int_equal(p->mode, MODE_ENFORCE);
	assert_string_equal(p->source, "p.json");
	free(p);
}

static void the_mode_is_report_unless_said(void **s)
{
	struct policy *p = policy_of("{'version': 1, 'rules': []}");

	(void)s;
	assert_int_equal(p->mode, MODE_REPORT);
	free(p);
}

static void a_policy_without_a_name_has_its_files(void **s)
{
	static const char text[] = "{\"version\":1,\"rules\":[]}";
	struct policy *p = NULL;
	struct err err = { 0 };

	(void)s;
	assert_true(policy_parse(&p, text, strlen(text), "/etc/losslessctl/policy.json", &err));
	assert_string_equal(p->name, "policy.json");
	assert_string_equal(p->source, "/etc/losslessctl/policy.json");
	free(p);
}

static void a_comment_may_stand_everywhere(void **s)
{
	(void)s;
	free(policy_of(
		"{'version': 1, 'comment': 'x', 'profiles': {'p': {'comment': 'x', 'classes':"
		" [{'comment': 'x', 'name': 'r', 'priority': 0, 'bandwidth': 100}], 'when':"
		" [{'comment': 'x', 'firmware': '*', 'set': {}}]}}, 'rules':"
		" [{'comment': 'x', 'match': {'name': 'a'}, 'profile': 'p'}]}"));
}

static void the_digest_is_of_the_very_bytes(void **s)
{
	static const char text[] = "{\"version\":1,\"rules\":[]}\n";
	char hex[SHA256_HEX];
	struct policy *p = NULL;
	struct err err = { 0 };

	(void)s;
	sha256_hex(text, strlen(text), hex);
	assert_true(policy_parse(&p, text, strlen(text), "p", &err));
	assert_string_equal(p->sha256, hex);
	free(p);
}

static void required_is_taken(void **s)
{
	struct policy *p =
		policy_of(POLICY("{'match': {'name': 'a'}, 'profile': 'p', 'required': true},"
				 "{'match': {'name': 'b'}, 'profile': 'p', 'required': false}"));

	(void)s;
	assert_true(p->rules[0].required);
	assert_false(p->rules[0].may_match_none);
	assert_false(p->rules[1].required);
	assert_true(p->rules[1].may_match_none);
	free(p);
}

#define PROFILE_WITH(optional) \
	"{'version': 1, 'profiles': {'p': {'optional': " optional "}}, " \
	"'rules': [{'match': {'name': 'a'}, 'profile': 'p'}]}"

static const struct optional_row {
	const char *sentence, *policy;
	setting_set optional;
} optionals[] = {
	{ "nothing is optional in an empty list", PROFILE_WITH("[]"), 0 },
	{ "a setting is optional by its name", PROFILE_WITH("['mtu']"), SETTING(SETTING_MTU) },
	{ "a group is optional by a glob", PROFILE_WITH("['pause.*']"),
	  SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX) },
	{ "words add up", PROFILE_WITH("['mtu', 'pfc.cable_m', 'mtu']"),
	  SETTING(SETTING_MTU) | SETTING(SETTING_PFC_CABLE_M) },
	{ "* is every setting", PROFILE_WITH("['*']"), EVERY_SETTING },
	{ "a leaf of two groups is optional by a glob", PROFILE_WITH("['*.mode']"),
	  SETTING(SETTING_DCBX_MODE) | SETTING(SETTING_ROCE_MODE) },
};

static void those_settings_are_optional(void **s)
{
	const struct optional_row *row = *s;
	struct policy *p = policy_of(row->policy);

	assert_true(p->rules[0].profile->optional == row->optional);
	assert_true(desired_of(p, 0).has == 0);
	free(p);
}

static void a_show_document_is_a_policy(void **s)
{
	struct policy *p = policy_of("{'schema': 'losslessctl/show/1', 'host': 'h', 'ports': ["
				     "{'port': 'ens1', 'device': {'driver': 'mlx5_core'},"
				     " 'config': {'mtu': 9000, 'trust': 'dscp',"
				     " 'dscp': {'prio': {'26': 5}, 'rest': 'class_selector'}}},"
				     "{'port': 'ens2', 'config': {'trust': 'pcp'}}]}");

	(void)s;
	assert_int_equal(p->count, 2);
	assert_string_equal(p->rules[0].match.pattern.name, "ens1");
	assert_int_equal(desired_of(p, 0).mtu, 9000);
	assert_int_equal(desired_of(p, 0).dscp.prio[26], 5);
	assert_int_equal(desired_of(p, 0).dscp.prio[63], 7);
	assert_int_equal(desired_of(p, 1).trust, TRUST_PCP);
	free(p);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_policy_has_its_rules_in_order);
	SUITE_ADD_ROWS(&s, winners, that_rule_wins);
	SUITE_ADD(&s, rules_are_not_merged);
	SUITE_ADD_ROWS(&s, shadows, the_first_rule_can_win_or_not);
	SUITE_ADD(&s, the_words_of_the_header_are_taken);
	SUITE_ADD(&s, the_mode_is_report_unless_said);
	SUITE_ADD(&s, a_policy_without_a_name_has_its_files);
	SUITE_ADD(&s, a_comment_may_stand_everywhere);
	SUITE_ADD(&s, the_digest_is_of_the_very_bytes);
	SUITE_ADD(&s, required_is_taken);
	SUITE_ADD_ROWS(&s, optionals, those_settings_are_optional);
	SUITE_ADD(&s, a_show_document_is_a_policy);
	return suite_run(&s, "policy");
}
