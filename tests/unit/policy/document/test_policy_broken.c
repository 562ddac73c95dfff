/* Tests of broken policies: each is refused at its line and column, with pointer and reason. */
#include <string.h>

#include "tests/support/parse.h"
#include "tests/support/unit.h"
#include "policy/util/exit_code.h"

/* Each row is a whole document, or only the content of a profile, a match or a rule. */
struct broken_row {
	const char *sentence, *text;
	unsigned line, column;
	const char *pointer, *says, *fix;
};

#define IN_PROFILE(json) "{'version':1,'rules':[],'profiles':{'p':\n" json "}}"
#define IN_RULE(json)	 "{'version':1,'profiles':{'p':{}},'rules':[\n" json "]}"

static const struct broken_row document[] = {
	{ "no version is refused", "{'rules':[]}", 1, 1, "", "\"version\" is missing", NULL },
	{ "an empty object is refused", "{}", 1, 1, "", "\"version\" is missing", NULL },
	{ "version 2 is refused", "{'version':2,'rules':[]}", 1, 12, "/version",
	  "expected 1, the only", "" },
	{ "version as a text is refused", "{'version':'1','rules':[]}", 1, 12, "/version",
	  "expected 1, the only", "" },
	{ "version with a fraction is refused", "{'version':1.0,'rules':[]}", 1, 12, "/version",
	  "expected 1, the only", "" },
	{ "no rules is refused", "{'version':1}", 1, 1, "", "\"rules\" is missing", NULL },
	{ "rules as an object is refused", "{'version':1,'rules':{}}", 1, 22, "/rules",
	  "expected a list of rules", "" },
	{ "an unknown mode is refused", "{'version':1,'rules':[],'mode':'watch'}", 1, 32, "/mode",
	  "expected \"report\" or \"enforce\"", "" },
	{ "a mode that is null is refused", "{'version':1,'rules':[],'mode':null}", 1, 32, "/mode",
	  "expected", "" },
	{ "a name that is a number is refused", "{'version':1,'rules':[],'name':5}", 1, 32, "/name",
	  "in double quotes", "" },
	{ "a list of names is refused",
	  "{'version':1,'profiles':{'p':{}},'rules':[{'profile':'p',\n'match':{'name':['a','b']}}]"
	  "}",
	  2, 17, "/rules/0/match/name", "found a list of 2, expected a pattern in double quotes",
	  "write one rule for each" },
	{ "a name of 64 bytes is refused",
	  "{'version':1,'rules':[],\n'name':"
	  "'0123456789012345678901234567890123456789012345678901234567890123'}",
	  2, 8, "/name", "longer than 63 bytes", "" },
	{ "a key in the wrong case is refused", "{'Version':1,'rules':[]}", 1, 2, "/Version",
	  "unknown key \"Version\"", "did you mean \"version\"?" },
	{ "a key misspelt is refused", "{'version':1,'rule':[],'rules':[]}", 1, 14, "/rule",
	  "unknown key \"rule\"", "did you mean \"rules\"?" },
	{ "a key like no other is refused", "{'version':1,'rules':[],\n 'umbrella':1}", 2, 2,
	  "/umbrella", "unknown key \"umbrella\"", "" },
	{ "a key with a slash is refused", "{'version':1,'rules':[],'a/b':1}", 1, 25, "/a~1b",
	  "unknown key \"a/b\"", "" },
	{ "a key with a tilde is refused", "{'version':1,'rules':[],'~':1}", 1, 25, "/~0",
	  "unknown key \"~\"", "" },
	{ "an empty key is refused", "{'version':1,'rules':[],'':1}", 1, 25, "/",
	  "unknown key \"\"", "" },
	{ "a key beyond ASCII is refused", "{'version':1,'rules':[],'größe':1}", 1, 25, "/größe",
	  "unknown key", "" },
	{ "profiles as a list is refused", "{'version':1,'rules':[],'profiles':[]}", 1, 36,
	  "/profiles", "expected an object, such as", "" },
	{ "profiles as null is refused", "{'version':1,'rules':[],'profiles':null}", 1, 36,
	  "/profiles", "expected an object, such as", "" },
};

static const struct broken_row profile[] = {
	{ "a profile that is a number is refused", IN_PROFILE("5"), 2, 1, "/profiles/p",
	  "expected an object of settings", "" },
	{ "a misspelt setting is refused", IN_PROFILE("{'mtuu':1500}"), 2, 2, "/profiles/p/mtuu",
	  "unknown key \"mtuu\"", "did you mean \"mtu\"?" },
	{ "a setting in the wrong case is refused", IN_PROFILE("{'MTU':1500}"), 2, 2,
	  "/profiles/p/MTU", "unknown key \"MTU\"", "did you mean \"mtu\"?" },
	{ "a misspelt setting in its group is refused", IN_PROFILE("{'pfc':\n{'priorites':[3]}}"),
	  3, 2, "/profiles/p/pfc/priorites", "unknown key \"priorites\"",
	  "did you mean \"priorities\"?" },
	{ "a group misspelt is refused", IN_PROFILE("{'pcf':{}}"), 2, 2, "/profiles/p/pcf",
	  "unknown key \"pcf\"", "did you mean \"pfc\"?" },
	{ "a dotted path as a key is refused", IN_PROFILE("{'pfc.cable_m':7}"), 2, 2,
	  "/profiles/p/pfc.cable_m", "unknown key \"pfc.cable_m\"",
	  "write it as \"pfc\": {\"cable_m\": ...}" },
	{ "a leaf in another group is refused", IN_PROFILE("{'ets':{'cable_m':7}}"), 2, 9,
	  "/profiles/p/ets/cable_m", "unknown key \"cable_m\"",
	  "write it as \"pfc\": {\"cable_m\": ...}" },
	{ "a group that is a number is refused", IN_PROFILE("{'pfc':3}"), 2, 8, "/profiles/p/pfc",
	  "an object", "" },
	{ "a number with an exponent is refused", IN_PROFILE("{'mtu':1e3}"), 2, 8,
	  "/profiles/p/mtu", "a whole number, 68 to 65535 bytes", NULL },
	{ "a number with a fraction of nothing is refused", IN_PROFILE("{'mtu':3000.0}"), 2, 8,
	  "/profiles/p/mtu", "a whole number", NULL },
	{ "a number in quotes is refused", IN_PROFILE("{'mtu':'9000'}"), 2, 8, "/profiles/p/mtu",
	  "a whole number", NULL },
	{ "a number beyond 2^53 is refused", IN_PROFILE("{'mtu':9007199254740993}"), 2, 8,
	  "/profiles/p/mtu", "found the number 9007199254740993, expected 68 to 65535 bytes", "" },
	{ "a number below zero is refused", IN_PROFILE("{'roce':{'tos':-1}}"), 2, 16,
	  "/profiles/p/roce/tos", "found the number -1, expected 0 to 255", "" },
	{ "minus zero where 1000 is the least is refused",
	  IN_PROFILE("{'link':{'min_speed_mbps':-0}}"), 2, 27, "/profiles/p/link/min_speed_mbps",
	  "found the number 0, expected 1000 to 10000000 Mb/s", "" },
	{ "a word for true is refused", IN_PROFILE("{'pause':{'rx':'on'}}"), 2, 16,
	  "/profiles/p/pause/rx", "true or false", NULL },
	{ "a word that is not one is refused", IN_PROFILE("{'trust':'DSCP'}"), 2, 10,
	  "/profiles/p/trust", "found the string \"DSCP\", expected \"pcp\" or \"dscp\"",
	  "did you mean \"dscp\"?" },
	{ "a word where a number may stand too is refused",
	  IN_PROFILE("{'cnp':{'rtt_resp_dscp':'unsett'}}"), 2, 25, "/profiles/p/cnp/rtt_resp_dscp",
	  "found the string \"unsett\", expected 0 to 63, or \"unset\"",
	  "did you mean \"unset\"?" },
	{ "a number in quotes where a word may stand too is refused",
	  IN_PROFILE("{'cnp':{'rtt_resp_dscp':'48'}}"), 2, 25, "/profiles/p/cnp/rtt_resp_dscp",
	  "found the string \"48\", expected a whole number, 0 to 63, or \"unset\"",
	  "write 48 without quotes" },
	{ "a number too large where a word may stand too is refused",
	  IN_PROFILE("{'cnp':{'rtt_resp_dscp':64}}"), 2, 25, "/profiles/p/cnp/rtt_resp_dscp",
	  "found the number 64, expected 0 to 63, or \"unset\"", "" },
	{ "a list too short is refused", IN_PROFILE("{'ets':{'bandwidth':[50,50]}}"), 2, 21,
	  "/profiles/p/ets/bandwidth", "a list of 8", "" },
	{ "a wrong item in a list is refused",
	  IN_PROFILE("{'ets':{'tsa':['ets','ets','est',0,0,0,0,0]}}"), 2, 28,
	  "/profiles/p/ets/tsa/2",
	  "found the string \"est\", expected \"strict\", \"cbs\", \"ets\" or \"vendor\"",
	  "did you mean \"ets\"?" },
	{ "a priority twice is refused", IN_PROFILE("{'pfc':{'priorities':[3,4,3]}}"), 2, 27,
	  "/profiles/p/pfc/priorities/2", "priority 3 is named twice", "" },
	{ "priority 8 is refused", IN_PROFILE("{'pfc':{'priorities':[8]}}"), 2, 23,
	  "/profiles/p/pfc/priorities/0", "found the number 8, expected 0 to 7", "" },
	{ "a DSCP map as a list is refused", IN_PROFILE("{'dscp':{'prio':[0]}}"), 2, 17,
	  "/profiles/p/dscp/prio", "an object of DSCP: priority", "" },
	{ "priority 8 of a DSCP is refused", IN_PROFILE("{'dscp':{'prio':{'26':8}}}"), 2, 23,
	  "/profiles/p/dscp/prio/26", "found the number 8, expected 0 to 7", "" },
	{ "optional as a text is refused", IN_PROFILE("{'optional':'mtu'}"), 2, 13,
	  "/profiles/p/optional", "expected a list of settings", "" },
	{ "an optional that names no setting is refused",
	  IN_PROFILE("{'optional':['mtu','pfc.cable']}"), 2, 20, "/profiles/p/optional/1",
	  "no setting is named \"pfc.cable\"", "did you mean \"pfc.cable_m\"?" },
	{ "a glob of optional that names none is refused", IN_PROFILE("{'optional':['ecm.*']}"), 2,
	  14, "/profiles/p/optional/0", "no setting is named \"ecm.*\"", NULL },
};

static const struct broken_row rule[] = {
	{ "a rule that is a text is refused", IN_RULE("'p'"), 2, 1, "/rules/0", "an object", "" },
	{ "a rule without a match is refused", IN_RULE("{'profile':'p'}"), 2, 1, "/rules/0",
	  "has no \"match\"", "for all ports: \"match\": {\"name\": \"*\"}" },
	{ "a rule without a profile is refused", IN_RULE("{'match':{'name':'a'}}"), 2, 1,
	  "/rules/0", "has no \"profile\"", "add \"profile\": \"p\"" },
	{ "an empty match is refused", IN_RULE("{'match':{},'profile':'p'}"), 2, 10,
	  "/rules/0/match", "at least one of name, pci, driver, rdma, mac",
	  "for all ports: {\"name\": \"*\"}" },
	{ "a key of match misspelt is refused", IN_RULE("{'match':{'drivers':'x'},'profile':'p'}"),
	  2, 11, "/rules/0/match/drivers", "unknown key \"drivers\"", "did you mean \"driver\"?" },
	{ "a match that is a number is refused", IN_RULE("{'match':{'name':1},'profile':'p'}"), 2,
	  18, "/rules/0/match/name", "in double quotes", "" },
	{ "a profile that does not exist is refused",
	  IN_RULE("{'match':{'name':'a'},'profile':'q'}"), 2, 33, "/rules/0/profile",
	  "no profile is named \"q\"", NULL },
	{ "a count of 0 is refused", IN_RULE("{'match':{'name':'a'},'profile':'p','count':0}"), 2,
	  45, "/rules/0/count", "found the number 0, expected 1 to 1024", NULL },
	{ "a count beside required false is refused",
	  IN_RULE("{'match':{'name':'a'},'profile':'p','count':2,'required':false}"), 2, 45,
	  "/rules/0/count", "contradict each other", NULL },
	{ "required as a number is refused",
	  IN_RULE("{'match':{'name':'a'},'profile':'p','required':1}"), 2, 48, "/rules/0/required",
	  "true or false", NULL },
	{ "a key of a rule misspelt is refused", IN_RULE("{'match':{'name':'a'},'profil':'p'}"), 2,
	  23, "/rules/0/profil", "unknown key \"profil\"", "did you mean \"profile\"?" },
	{ "a set that is null is refused",
	  IN_RULE("{'match':{'name':'a'},'profile':'p','set':null}"), 2, 43, "/rules/0/set",
	  "an object", "" },
	{ "a set with an unknown setting is refused",
	  IN_RULE("{'match':{'name':'a'},'profile':'p','set':{'x':1}}"), 2, 44, "/rules/0/set/x",
	  "unknown key \"x\"", "" },
	{ "optional in a set is refused",
	  IN_RULE("{'match':{'name':'a'},'profile':'p','set':{'optional':[]}}"), 2, 44,
	  "/rules/0/set/optional", "unknown key \"optional\"", "" },
	{ "a set whose trust contradicts its map is refused",
	  IN_RULE("{'match':{'name':'a'},'profile':'p',\n'set':{'trust':'pcp','dscp':{'rest':0}}}"),
	  3, 16, "/rules/0/set/trust", "no DSCP entry exists",
	  "remove the dscp map, or say \"trust\": \"dscp\"" },
	{ "a map without an entry is refused where a set removed the others",
	  "{'version':1,'profiles':{'p':{'dscp':{'prio':{'26':3},'rest':'none'}}},'rules':[\n"
	  "{'match':{'name':'a'},'profile':'p',\n'set':{'dscp':{'prio':null}}}]}",
	  3, 15, "/rules/0/set/dscp", "this map has none",
	  "name a DSCP in dscp.prio, or say \"rest\": \"class_selector\"" },
	{ "the second rule is counted from 0 is refused",
	  IN_RULE("{'match':{'name':'a'},'profile':'p'},\n{}"), 3, 1, "/rules/1",
	  "has no \"match\"", "for all ports: \"match\": {\"name\": \"*\"}" },
};

static const struct broken_row show[] = {
	{ "a show document whose port has no name is refused",
	  "{'schema':'losslessctl/show/1','ports':[{'config':{}}]}", 1, 41, "/ports/0",
	  "an object with", "" },
	{ "a show document with a wrong value is refused",
	  "{'schema':'losslessctl/show/1','ports':[\n{'port':'a','config':{'mtu':-1}}]}", 2, 29,
	  "/ports/0/config/mtu", "found the number -1, expected 0 to 4294967295 bytes", "" },
	{ "a show document of another version is refused",
	  "{'schema':'losslessctl/show/2','rules':[]}", 1, 11, "/schema",
	  "this is a document of losslessctl/show/2, and no policy", NULL },
	{ "a bundle is one error, and not one for each key",
	  "{'schema':'losslessctl/bundle/1','host':'a','ports':[]}", 1, 11, "/schema",
	  "this is a document of losslessctl/bundle/1, and no policy", NULL },
};

static void is_refused_there(void **s)
{
	const struct broken_row *row = *s;
	struct err err = refusal_of(row->text);
	char where[40];

	assert_int_equal(err.kind, ERR_POLICY);
	assert_int_equal(exit_code_of_err(&err), 65);
	if (!strstr(err.text, row->says))
		fail_msg("says: %s", err.text);
	assert_string_equal(err.at.pointer, row->pointer);
	assert_int_equal(err.at.line, row->line);
	assert_int_equal(err.at.column, row->column);
	if (row->fix)
		assert_string_equal(err.fix, row->fix);
	snprintf(where, sizeof(where), "p.json:%u:%u", row->line, row->column);
	assert_string_equal(err.where, where);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, document, is_refused_there);
	SUITE_ADD_ROWS(&s, profile, is_refused_there);
	SUITE_ADD_ROWS(&s, rule, is_refused_there);
	SUITE_ADD_ROWS(&s, show, is_refused_there);
	return suite_run(&s, "broken");
}
