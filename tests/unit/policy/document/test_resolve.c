/* Tests of port-dependent parts of a policy: "when", and rules with a speed or firmware. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/parse.h"
#include "tests/support/unit.h"

#define POLICY(when, set) \
	"{'version':1,'profiles':{'p':{'mtu':1500,'pfc':{'cable_m':5},'when':" when "}}," \
	"'rules':[{'match':{'name':'a'},'profile':'p'" set "}]}"

#define FAST "{'speed_mbps':'>=100000','set':{'mtu':9000}}"
#define NEW  "{'firmware':'>=28.39','set':{'mtu':4200,'pfc':{'cable_m':null}}}"

static const struct when_row {
	const char *sentence, *policy;
	uint32_t speed_mbps;
	const char *firmware;
	uint32_t mtu, cable_m; /* 0: not desired */
} rows[] = {
	{ "an entry that holds is laid over", POLICY("[" FAST "]", ""), 100000, "", 9000, 5 },
	{ "an entry that does not hold is not", POLICY("[" FAST "]", ""), 40000, "", 1500, 5 },
	{ "a later entry is laid over an earlier", POLICY("[" FAST "," NEW "]", ""), 200000,
	  "28.41.1000", 4200, 0 },
	{ "in the order of the document", POLICY("[" NEW "," FAST "]", ""), 200000, "28.41.1000",
	  9000, 0 },
	{ "all conditions of an entry must hold",
	  POLICY("[{'speed_mbps':100000,'firmware':'22.*','set':{'mtu':9000}}]", ""), 100000,
	  "28.41.1000", 1500, 5 },
	{ "set is laid over all of them", POLICY("[" FAST "]", ",'set':{'mtu':2000}"), 100000, "",
	  2000, 5 },
	{ "one condition that fails needs no answer of the other",
	  POLICY("[{'speed_mbps':1000,'firmware':'22.*','set':{'mtu':9000}}]", ""), 100000, "",
	  1500, 5 },
	{ "an empty list changes nothing", POLICY("[]", ""), 0, "", 1500, 5 },
};

static struct identity port_of(uint32_t speed_mbps, const char *firmware)
{
	struct identity id = { .name = "a", .speed_mbps = speed_mbps };

	snprintf(id.firmware, sizeof(id.firmware), "%s", firmware);
	return id;
}

#define NO_MAP "'dscp':{'prio':null}"
#define CLASSES(more, set) \
	"{'version':1,'profiles':{'p':{'classes':[{'name':'roce','priority':3,'dscp':[26]," \
	"'lossless':true,'bandwidth':50},{'name':'rest','priority':0,'bandwidth':50}]" more "}}," \
	"'rules':[{'match':{'name':'a'},'profile':'p'" set "}]}"

static const struct removal_row {
	const char *sentence, *policy;
} removals[] = {
	{ "a map that a rule removes stays the port's", CLASSES("", ",'set':{" NO_MAP "}") },
	{ "a map that the profile removes stays the port's", CLASSES("," NO_MAP, "") },
	{ "a map that an entry of when removes stays the port's",
	  CLASSES(",'when':[{'speed_mbps':100000,'set':{" NO_MAP "}}]", "") },
};

/* null neither changes nor verifies the map, and the classes imply no other one. */
static void the_map_stays(void **s)
{
	const struct removal_row *row = *s;
	struct policy *p = policy_of(row->policy);
	struct identity id = port_of(100000, "");
	struct config desired;
	struct err err = { 0 };

	assert_true(rule_desired(&p->rules[0], &id, &desired, NULL, &err));
	assert_true(desired.has & SETTING(SETTING_PFC_PRIORITIES));
	assert_true(!(desired.has & (SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_DSCP_REST) |
				     SETTING(SETTING_TRUST))));
	free(p);
}

static void wants(void **s)
{
	const struct when_row *row = *s;
	struct policy *p = policy_of(row->policy);
	struct identity id = port_of(row->speed_mbps, row->firmware);
	struct config desired;
	struct err err = { 0 };

	assert_true(rule_desired(&p->rules[0], &id, &desired, NULL, &err));
	assert_int_equal(desired.mtu, row->mtu);
	assert_int_equal(desired.has & SETTING(SETTING_PFC_CABLE_M) ? desired.pfc.cable_m : 0,
			 row->cable_m);
	free(p);
}

static const struct unknown_row {
	const char *sentence, *policy;
	uint32_t speed_mbps;
	const char *firmware, *says;
} unknowns[] = {
	{ "a speed that is not known is no answer", POLICY("[" FAST "]", ""), 0, "28.41.1000",
	  "asks for speed_mbps" },
	{ "a version that is not known is no answer", POLICY("[" NEW "]", ""), 100000, "",
	  "asks for firmware" },
	{ "a version that is a word cannot be compared", POLICY("[" NEW "]", ""), 100000, "N/A",
	  "asks for firmware" },
	{ "an entry that would change nothing asks, too",
	  POLICY("[{'speed_mbps':1000,'set':{'mtu':1500}}]", ""), 0, "", "asks for speed_mbps" },
};

static void cannot_be_told(void **s)
{
	const struct unknown_row *row = *s;
	struct policy *p = policy_of(row->policy);
	struct identity id = port_of(row->speed_mbps, row->firmware);
	struct config desired = { .mtu = 1 };
	struct err err = { 0 };

	assert_false(rule_desired(&p->rules[0], &id, &desired, NULL, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_int_equal(desired.mtu, 1);
	if (!strstr(err.text, row->says) || !err.fix[0])
		fail_msg("says \"%s\", \"%s\"", err.text, err.fix);
	free(p);
}

#define RULES \
	"{'version':1,'profiles':{'p':{}},'rules':[" \
	"{'match':{'name':'*'},'profile':'p'}," \
	"{'match':{'name':'a','speed_mbps':'>=100000'},'profile':'p'}," \
	"{'match':{'name':'b','firmware':'28.*'},'profile':'p'}]}"

static const struct rule_row {
	const char *sentence, *name;
	uint32_t speed_mbps;
	const char *firmware;
	bool known;
	int rule;
} rules_of[] = {
	{ "a rule whose speed holds wins", "a", 100000, "", true, 1 },
	{ "a rule whose speed does not hold leaves the port to another", "a", 25000, "", true, 0 },
	{ "an unknown speed is no fall to another rule", "a", 0, "", false, 1 },
	{ "a speed that no rule asks for may be unknown", "c", 0, "", true, 0 },
	{ "a rule whose version holds wins", "b", 0, "28.41.1000 (MT_0000000834)", true, 2 },
	{ "an unknown version is no fall to another rule", "b", 0, "", false, 2 },
};

static void that_rule_or_none(void **s)
{
	const struct rule_row *row = *s;
	struct policy *p = policy_of(RULES);
	struct identity id = port_of(row->speed_mbps, row->firmware);
	const struct port_rule *r;
	struct err err = { 0 };

	snprintf(id.name, sizeof(id.name), "%s", row->name);
	assert_int_equal(rule_for(p->rules, p->count, &id, &r, &err), row->known);
	assert_int_equal(r - p->rules, row->rule);
	assert_int_equal(err.kind, row->known ? ERR_NONE : ERR_UNKNOWN);
	free(p);
}

static const struct refused_row {
	const char *sentence, *when, *pointer, *text, *fix;
} refused[] = {
	{ "an object for a list", "{'speed_mbps':1000,'set':{}}", "",
	  "expected a list of conditions", "[{\"speed_mbps\"" },
	{ "an entry that is a word", "['fast']", "/0", "expected an object", "" },
	{ "an entry without a condition", "[{'set':{}}]", "/0", "needs \"speed_mbps\" or", "" },
	{ "an entry without a set", "[{'speed_mbps':1000}]", "/0", "needs a \"set\"", "" },
	{ "a key of match that is no condition", "[{'name':'a','set':{}}]", "/0/name",
	  "unknown key", "" },
	{ "a misspelt condition", "[{'speed_mbs':1,'set':{}}]", "/0/speed_mbs", "unknown key",
	  "did you mean \"speed_mbps\"?" },
	{ "a speed with a unit", "[{'speed_mbps':'100G','set':{}}]", "/0/speed_mbps",
	  "expected a number", "100000 for 100 Gb/s" },
	{ "a version that is no number", "[{'firmware':'>=x','set':{}}]", "/0/firmware",
	  "numbers with dots", "" },
	{ "an unknown setting in a set", "[{'speed_mbps':1000,'set':{'mtuu':1}}]", "/0/set/mtuu",
	  "unknown key", "did you mean \"mtu\"?" },
	{ "classes in a set", "[{'speed_mbps':1000,'set':{'classes':[]}}]", "/0/set/classes",
	  "unknown key", "" },
	{ "a comment that is no text", "[{'speed_mbps':1000,'set':{},'comment':[]}]", "/0/comment",
	  "expected a string", "" },
};

static void is_refused(void **s)
{
	const struct refused_row *row = *s;
	char text[JSON_TEXT_MAX], pointer[160];
	struct err err;

	snprintf(text, sizeof(text), POLICY("%s", ""), row->when);
	snprintf(pointer, sizeof(pointer), "/profiles/p/when%s", row->pointer);
	err = refusal_of(text);
	assert_string_equal(err.at.pointer, pointer);
	if (!strstr(err.text, row->text) || !strstr(err.fix, row->fix))
		fail_msg("says \"%s\", \"%s\"", err.text, err.fix);
}

static void thirty_two_entries_are_the_most(void **s)
{
	char when[JSON_TEXT_MAX] = "[", text[JSON_TEXT_MAX + 256];
	struct err err;

	(void)s;
	for (int i = 0; i <= WHEN_MAX; i++)
		snprintf(when + strlen(when), sizeof(when) - strlen(when),
			 "%s{'speed_mbps':%d,'set':{'mtu':%d}}", i ? "," : "", 1000 + i, 1500 + i);
	snprintf(text, sizeof(text), POLICY("%s]", ""), when);
	err = refusal_of(text);
	assert_string_equal(err.text, "more than 32 entries");
	*strrchr(when, ',') = '\0'; /* first the last entry's second member, then the rest of it */
	*strrchr(when, ',') = '\0';
	snprintf(text, sizeof(text), POLICY("%s]", ""), when);
	free(policy_of(text));
}

static void an_entry_that_contradicts_the_profile_is_refused_at_its_place(void **s)
{
	struct err err =
		refusal_of("{'version':1,'profiles':{'p':{'dscp':{'prio':{'26':3}},'when':["
			   "{'speed_mbps':1000,'set':{'mtu':1500}},{'speed_mbps':2000,'set':{'"
			   "trust':'pcp'}}]}},"
			   "'rules':[{'match':{'name':'a'},'profile':'p'}]}");

	(void)s;
	assert_string_equal(err.at.pointer, "/profiles/p/when/1/set/trust");
	assert_non_null(strstr(err.text, "no DSCP entry exists"));
}

/* Each entry is valid alone: the contradiction shows only on a port where both hold. */
static void entries_that_contradict_each_other_are_refused_on_the_port(void **s)
{
	struct policy *p = policy_of("{'version':1,'profiles':{'p':{'when':["
				     "{'speed_mbps':1000,'set':{'trust':'pcp'}},"
				     "{'speed_mbps':1000,'set':{'dscp':{'prio':{'26':3}}}}]}},"
				     "'rules':[{'match':{'name':'a'},'profile':'p'}]}");
	struct identity id = port_of(1000, "");
	struct config desired;
	struct err err = { 0 };

	(void)s;
	assert_false(rule_desired(&p->rules[0], &id, &desired, NULL, &err));
	assert_int_equal(err.kind, ERR_POLICY);
	free(p);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, removals, the_map_stays);
	SUITE_ADD_ROWS(&s, rows, wants);
	SUITE_ADD_ROWS(&s, unknowns, cannot_be_told);
	SUITE_ADD_ROWS(&s, rules_of, that_rule_or_none);
	SUITE_ADD_ROWS(&s, refused, is_refused);
	SUITE_ADD(&s, thirty_two_entries_are_the_most);
	SUITE_ADD(&s, an_entry_that_contradicts_the_profile_is_refused_at_its_place);
	SUITE_ADD(&s, entries_that_contradict_each_other_are_refused_on_the_port);
	return suite_run(&s, "when");
}
