/* Tests of classes: the settings derived from them, and contradictions. */
#include <stdlib.h>
#include <string.h>

#include "policy/document/classes.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

#define ROCE "{'name':'roce','priority':3,'dscp':[26],'lossless':true,'bandwidth':50,'ecn':true}"
#define CNP  "{'name':'cnp','priority':6,'dscp':[48],'strict':true,'cnp':true}"
#define REST "{'name':'rest','priority':0,'bandwidth':50}"
#define ALL  "[" ROCE "," CNP "," REST "]"

#define POLICY(list, more) \
	"{'version':1,'profiles':{'p':{'classes':" list more "}}," \
	"'rules':[{'match':{'name':'a'},'profile':'p'}]}"

/* A desired setting of the only rule, as JSON. */
static const struct derived_row {
	const char *sentence, *policy, *setting, *value; /* value "": not desired */
} derived[] = {
	{ "lossless classes are paused", POLICY(ALL, ""), "pfc.priorities", "[3]" },
	{ "without a lossless class no priority is paused",
	  POLICY("[{'name':'r','priority':0,'bandwidth':100}]", ""), "pfc.priorities", "[]" },
	{ "a lossless class excludes receiving pause", POLICY(ALL, ""), "pause.rx", "false" },
	{ "a lossless class excludes sending pause", POLICY(ALL, ""), "pause.tx", "false" },
	{ "without a lossless class pause is left alone",
	  POLICY("[{'name':'r','priority':0,'bandwidth':100}]", ""), "pause.rx", "" },
	{ "each class has the traffic class of its priority", POLICY(ALL, ""), "ets.prio_tc",
	  "[0,0,0,3,0,0,6,0]" },
	{ "other priorities go to the class of the rest",
	  POLICY("[{'name':'d','priority':0,'dscp':[0],'bandwidth':40},"
		 "{'name':'rest','priority':2,'bandwidth':60}]",
		 ""),
	  "ets.prio_tc", "[0,2,2,2,2,2,2,2]" },
	{ "strict classes are strict, all others ets", POLICY(ALL, ""), "ets.tsa",
	  "['ets','ets','ets','ets','ets','ets','strict','ets']" },
	{ "where no class has a share nothing is ets",
	  POLICY("[{'name':'r','priority':0,'strict':true}]", ""), "ets.tsa",
	  "['strict','strict','strict','strict','strict','strict','strict','strict']" },
	{ "shares are those of the classes", POLICY(ALL, ""), "ets.bandwidth",
	  "[50,0,0,50,0,0,0,0]" },
	{ "classes go by DSCP", POLICY(ALL, ""), "trust", "'dscp'" },
	{ "ToS is the DSCP of the lossless class, ECN capable", POLICY(ALL, ""), "roce.tos",
	  "106" },
	{ "so is the traffic class", POLICY(ALL, ""), "roce.traffic_class", "106" },
	{ "of several DSCPs the first marks",
	  POLICY("[{'name':'a','priority':3,'dscp':[30,24],'lossless':true,'bandwidth':50}," REST
		 "]",
		 ""),
	  "roce.tos", "122" },
	{ "of two lossless classes none marks",
	  POLICY("[" ROCE
		 ",{'name':'b','priority':4,'dscp':[30],'lossless':true,'bandwidth':0}," REST "]",
		 ""),
	  "roce.tos", "" },
	{ "without a lossless class the one with ECN marks",
	  POLICY("[{'name':'b','priority':4,'dscp':[30],'ecn':true,'bandwidth':50}," REST "]", ""),
	  "roce.tos", "122" },
	{ "of two classes with ECN none marks",
	  POLICY("[{'name':'b','priority':4,'dscp':[30],'ecn':true,'bandwidth':40},"
		 "{'name':'c','priority':5,'dscp':[31],'ecn':true,'bandwidth':10}," REST "]",
		 ""),
	  "roce.tos", "" },
	{ "ECN on the rest marks nothing",
	  POLICY("[{'name':'r','priority':0,'ecn':true,'bandwidth':100}]", ""), "roce.tos", "" },
	{ "classes with ECN react", POLICY(ALL, ""), "ecn.rp_priorities", "[3]" },
	{ "a class with ECN makes the port answer", POLICY(ALL, ""), "ecn.np", "true" },
	{ "without a class with ECN it is left alone",
	  POLICY("[{'name':'r','priority':0,'bandwidth':100}]", ""), "ecn.np", "" },
	{ "CNPs have the DSCP of their class", POLICY(ALL, ""), "cnp.dscp", "48" },
	{ "and its priority", POLICY(ALL, ""), "cnp.priority", "6" },
	{ "without a class of CNPs they are left alone",
	  POLICY("[{'name':'r','priority':0,'bandwidth':100}]", ""), "cnp.dscp", "" },
	{ "a setting beside classes overrides", POLICY(ALL, ",'roce':{'tos':98}"), "roce.tos",
	  "98" },
	{ "and leaves its neighbours derived", POLICY(ALL, ",'roce':{'tos':98}"),
	  "roce.traffic_class", "106" },
	{ "null removes a derived setting", POLICY(ALL, ",'roce':{'traffic_class':null}"),
	  "roce.traffic_class", "" },
	{ "a setting that no class covers is accepted", POLICY(ALL, ",'mtu':9000"), "mtu", "9000" },
};

static void is_derived(void **s)
{
	const struct derived_row *row = *s;
	struct policy *p = policy_of(row->policy);
	struct config desired = desired_of(p, 0);
	json_t *is = setting_to_json(setting_find(row->setting), &desired),
	       *expected = row->value[0] ? json_of(row->value) : json_null();

	if (!json_equal(is, expected))
		fail_msg("%s is %s", row->setting, json_dumps(is, JSON_ENCODE_ANY));
	json_decref(is);
	json_decref(expected);
	free(p);
}

static void all_dscps_have_a_class(void **s)
{
	struct policy *p = policy_of(POLICY(ALL, ""));
	struct config desired = desired_of(p, 0);

	(void)s;
	for (int d = 0; d < DSCPS; d++)
		assert_int_equal(desired.dscp.prio[d], d == 26 ? 3 : d == 48 ? 6 : 0);
	assert_false(desired.has & SETTING(SETTING_DSCP_REST));
	free(p);
}

static void an_own_map_keeps_the_rest_of_the_classes(void **s)
{
	struct policy *p = policy_of(POLICY(ALL, ",'dscp':{'prio':{'10':1}}"));
	struct config desired = desired_of(p, 0);

	(void)s;
	for (int d = 0; d < DSCPS; d++)
		assert_int_equal(desired.dscp.prio[d], d == 10 ? 1 : 0);
	free(p);
}

static const struct source_row {
	const char *sentence;
	enum setting_id setting;
	const char *source;
} sources[] = {
	{ "PFC comes from the lossless class", SETTING_PFC_PRIORITIES, "class \"roce\"" },
	{ "CNP comes from the class of CNPs", SETTING_CNP_DSCP, "class \"cnp\"" },
	{ "shares come from the classes that have one", SETTING_ETS_BANDWIDTH,
	  "classes \"roce\", \"rest\"" },
	{ "the map comes from all of them", SETTING_DSCP_PRIO, "the classes" },
	{ "marking comes from the class that marks", SETTING_ROCE_TOS, "class \"roce\"" },
};

static void comes_from(void **s)
{
	const struct source_row *row = *s;
	struct policy *p = policy_of(POLICY(ALL, ""));
	char text[SOURCE_TEXT_MAX];

	assert_string_equal(classes_source(&p->profiles[0].classes, row->setting, text),
			    row->source);
	free(p);
}

static const struct refused_row {
	const char *sentence, *classes, *pointer, *text, *fix;
} refused[] = {
	{ "no list", "{}", "", "expected a list of 1 to 8 classes", "" },
	{ "an empty list", "[]", "", "expected a list of 1 to 8 classes", "" },
	{ "a class that is a word", "['roce']", "/0", "expected an object", "" },
	{ "a class without a name", "[{'priority':0,'bandwidth':100}]", "/0", "has no \"name\"",
	  "" },
	{ "a class without a priority", "[{'name':'a','bandwidth':100}]", "/0",
	  "has no \"priority\"", "" },
	{ "a misspelt key", "[{'name':'a','priority':0,'bandwith':100}]", "/0/bandwith",
	  "unknown key", "did you mean \"bandwidth\"?" },
	{ "a name with a blank", "[{'name':'a b','priority':0,'bandwidth':100}]", "/0/name",
	  "expected a name", "" },
	{ "an empty name", "[{'name':'','priority':0,'bandwidth':100}]", "/0/name",
	  "expected a name", "" },
	{ "a name of 32 letters",
	  "[{'name':'abcdefghijklmnopqrstuvwxyz012345','priority':0,'bandwidth':100}]", "/0/name",
	  "expected a name", "" },
	{ "two classes of one name", "[" REST ",{'name':'rest','priority':1,'bandwidth':50}]",
	  "/1/name", "two classes are named \"rest\"", "" },
	{ "priority 8", "[{'name':'a','priority':8,'bandwidth':100}]", "/0/priority",
	  "found the number 8, expected 0 to 7", "" },
	{ "two classes of one priority",
	  "[" REST ",{'name':'b','priority':0,'dscp':[1],'bandwidth':50}]", "/1/priority",
	  "classes \"rest\" and \"b\" both have priority 0", "priority of its own" },
	{ "DSCP 64", "[{'name':'a','priority':0,'dscp':[64],'bandwidth':100}]", "/0/dscp/0",
	  "found the number 64, expected 0 to 63", "" },
	{ "a DSCP twice in a class", "[{'name':'a','priority':0,'dscp':[1,1],'bandwidth':100}]",
	  "/0/dscp/1", "DSCP 1 is named twice", "" },
	{ "an empty list of DSCPs", "[{'name':'a','priority':0,'dscp':[],'bandwidth':100}]",
	  "/0/dscp", "one or more DSCPs", "leave \"dscp\" out" },
	{ "a DSCP in two classes",
	  "[" ROCE ",{'name':'b','priority':1,'dscp':[9,26],'bandwidth':0}," REST "]", "/1/dscp",
	  "classes \"roce\" and \"b\" both name DSCP 26", "belongs to one class" },
	{ "no class for the rest", "[" ROCE "]", "", "none gets all other traffic", "rest" },
	{ "two classes for the rest", "[" REST ",{'name':'b','priority':1,'bandwidth':50}]", "/1",
	  "classes \"rest\" and \"b\" both have no DSCPs", "only one" },
	{ "a rest that is lossless", "[{'name':'r','priority':0,'lossless':true,'bandwidth':100}]",
	  "/0/lossless", "gets all other traffic, and is lossless", "name its DSCPs" },
	{ "strict with a share", "[{'name':'r','priority':0,'strict':true,'bandwidth':100}]",
	  "/0/bandwidth", "is strict, and has a bandwidth", "remove one" },
	{ "neither strict nor a share", "[{'name':'r','priority':0}]", "/0",
	  "neither a bandwidth nor", "add up to 100" },
	{ "shares of 99", "[{'name':'r','priority':0,'bandwidth':99}]", "", "add up to 99", "100" },
	{ "a share of 101", "[{'name':'r','priority':0,'bandwidth':101}]", "/0/bandwidth",
	  "found the number 101, expected 0 to 100", "" },
	{ "CNPs that are lossless",
	  "[{'name':'c','priority':6,'dscp':[48],'lossless':true,'cnp':true,'strict':true}," REST
	  "]",
	  "/0/lossless", "has \"cnp\": true and is lossless", "must not wait" },
	{ "CNPs without a DSCP", "[{'name':'c','priority':6,'cnp':true,'bandwidth':100}]", "/0/cnp",
	  "and 0 DSCPs", "48" },
	{ "CNPs with two DSCPs",
	  "[{'name':'c','priority':6,'dscp':[48,49],'cnp':true,'strict':true}," REST "]", "/0/dscp",
	  "and 2 DSCPs", "48" },
	{ "two classes of CNPs",
	  "[" CNP ",{'name':'d','priority':5,'dscp':[40],'strict':true,'cnp':true}," REST "]",
	  "/1/cnp", "both have \"cnp\": true", "one class" },
	{ "a switch that is a word", "[{'name':'r','priority':0,'strict':'yes'}]", "/0/strict",
	  "expected true or false", "" },
	{ "a comment that is no text", "[{'name':'r','priority':0,'bandwidth':100,'comment':1}]",
	  "/0/comment", "expected a string", "" },
};

static void is_refused(void **s)
{
	const struct refused_row *row = *s;
	char text[JSON_TEXT_MAX], pointer[160];
	struct err err;

	snprintf(text, sizeof(text), POLICY("%s", ""), row->classes);
	snprintf(pointer, sizeof(pointer), "/profiles/p/classes%s", row->pointer);
	err = refusal_of(text);
	assert_int_equal(err.kind, ERR_POLICY);
	assert_string_equal(err.at.pointer, pointer);
	if (!strstr(err.text, row->text) || !strstr(err.fix, row->fix))
		fail_msg("says \"%s\", \"%s\"", err.text, err.fix);
}

static void classes_do_not_go_by_pcp(void **s)
{
	struct err err = refusal_of(POLICY(ALL, ",'trust':'pcp'"));

	(void)s;
	assert_string_equal(err.at.pointer, "/profiles/p/trust");
	assert_non_null(strstr(err.text, "classes go by DSCP"));
}

static void eight_classes_are_not_too_many(void **s)
{
	char list[2048] = "[" REST;

	(void)s;
	for (int i = 1; i < PRIOS; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list),
			 ",{'name':'c%d','priority':%d,'dscp':[%d],'bandwidth':%d}", i, i, i,
			 i == 1 ? 50 : 0);
	snprintf(list + strlen(list), sizeof(list) - strlen(list), "]");
	{
		char text[JSON_TEXT_MAX];
		struct policy *p;

		snprintf(text, sizeof(text), POLICY("%s", ""), list);
		p = policy_of(text);
		assert_int_equal(p->profiles[0].classes.count, PRIOS);
		free(p);
	}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, derived, is_derived);
	SUITE_ADD(&s, all_dscps_have_a_class);
	SUITE_ADD(&s, an_own_map_keeps_the_rest_of_the_classes);
	SUITE_ADD_ROWS(&s, sources, comes_from);
	SUITE_ADD_ROWS(&s, refused, is_refused);
	SUITE_ADD(&s, classes_do_not_go_by_pcp);
	SUITE_ADD(&s, eight_classes_are_not_too_many);
	return suite_run(&s, "classes");
}
