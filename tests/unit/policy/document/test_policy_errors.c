/*
 * Tests of reporting all errors of a policy in one run, in document order, without errors that
 * follow from others.
 */
#include <string.h>

#include "tests/support/parse.h"
#include "tests/support/unit.h"

#define RULE(name) "{'match':{'name':'" name "'},'profile':'p'}"

/* `places` is "LINE:COLUMN" of each error. */
static const struct errors_row {
	const char *sentence, *text, *places;
} rows[] = {
	{ "one error is one", "{'version':1,'rules':[],'mode':5}", "1:32" },
	{ "a mistake of syntax stands alone", "{'version':2,'rules':[},", "1:23" },
	{ "of the header all are found",
	  "{'version':2,\n'mode':5,\n'name':6,\n'rules':7,\n'fabric':8,\n'x':9}",
	  "1:12 2:8 3:8 4:9 5:10 6:1" },
	{ "nothing of both is missing twice", "{}", "1:1 1:1" },
	{ "a setting beside the profiles is found, and no rules", "{'version':1,'mtu':9000}",
	  "1:1 1:14" },
	{ "settings and groups of a profile",
	  "{'version':1,'rules':[],'profiles':{'p':{\n'mtu':'a',\n'pfc':{'priorities':8,\n'x':1},"
	  "\n'ets':{'tsa':['a','ets','ets','ets','ets','ets','ets','b']}}}}",
	  "2:7 3:21 4:1 5:15 5:55" },
	{ "an unknown key once", "{'version':1,'rules':[],'profiles':{'p':{'Mtuu':9000}}}",
	  "1:42" },
	{ "profiles beside each other",
	  "{'version':1,'rules':[],'profiles':{'p':{'mtu':1},\n'q':{'mtu':2},\n'r':3}}",
	  "1:48 2:12 3:5" },
	{ "rules beside each other",
	  "{'version':1,'profiles':{'p':{}},'rules':[\n{},\n{'match':{},'profile':'q'},\n" RULE(
		  "a") ",\n5]}",
	  "2:1 2:1 3:10 3:23 5:1" },
	{ "a rule of a broken profile is not to blame",
	  "{'version':1,'profiles':{'p':{'mtu':1}},'rules':[" RULE("a") "]}", "1:37" },
	{ "a contradiction of a profile is reported once",
	  "{'version':1,'profiles':{'p':{'trust':'pcp','dscp':{'rest':0}}},'rules':[" RULE(
		  "a") "," RULE("b") "]}",
	  "1:39" },
	{ "rules behind profiles that are none",
	  "{'version':1,'profiles':3,'rules':[" RULE("a") "]}", "1:25" },
	{ "classes, each with its first",
	  "{'version':1,'rules':[],'profiles':{'p':{'classes':[\n{'name':'a','priority':9},\n"
	  "{'priority':1,'ecn':1}]}}}",
	  "2:24 3:1 3:21" },
	{ "entries of when",
	  "{'version':1,'rules':[],'profiles':{'p':{'when':[\n{'set':5},\n{'speed_mbps':'x'}]}}}",
	  "2:1 2:8 3:1 3:15" },
	{ "thresholds and severities",
	  "{'version':1,'rules':[],\n'thresholds':{'window_s':0,'x':1},\n'severity':{'y':1,"
	  "'lossless-drops':2}}",
	  "2:26 2:28 3:13 3:36" },
	{ "ports of a show document",
	  "{'schema':'losslessctl/show/1','ports':[\n{'config':{}},\n{'port':'a','config':5}]}",
	  "2:1 3:22" },
};

static void all_are_found(void **s)
{
	const struct errors_row *row = *s;
	struct err_list *all = calloc(1, sizeof(*all));
	struct err err = { .all = all };
	char quoted[JSON_TEXT_MAX], places[400] = "";
	struct policy *p = NULL;

	json_quoted(row->text, quoted);
	assert_false(policy_parse(&p, quoted, strlen(quoted), "p.json", &err));
	for (size_t i = 0; i < all->count; i++) {
		const struct err *e = &all->list[i];

		snprintf(places + strlen(places), sizeof(places) - strlen(places), "%s%u:%u",
			 i ? " " : "", e->at.line, e->at.column);
		assert_int_equal(e->kind, ERR_POLICY);
		assert_true(e->text[0]);
		assert_int_equal(strncmp(e->where, "p.json:", 7), 0);
	}
	assert_string_equal(places, row->places);
	assert_string_equal(err.text, all->list[0].text);
	free(all);
}

static void more_than_fit_are_counted(void **s)
{
	struct err_list *all = calloc(1, sizeof(*all));
	struct err err = { .all = all };
	char text[JSON_TEXT_MAX] = "{\"version\":1,\"rules\":[5";
	struct policy *p = NULL;

	(void)s;
	for (int i = 0; i < ERRORS_MAX + 2; i++)
		strcat(text, ",5");
	strcat(text, "]}");
	assert_false(policy_parse(&p, text, strlen(text), "p.json", &err));
	assert_int_equal(all->count, ERRORS_MAX);
	assert_int_equal(all->omitted, 3);
	free(all);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, all_are_found);
	SUITE_ADD(&s, more_than_fit_are_counted);
	return suite_run(&s, "errors");
}
