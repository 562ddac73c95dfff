/* Tests of the origin of a desired value in the policy. */
#include <stdlib.h>
#include <string.h>

#include "policy/document/origin.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

/* Lines 3 to 11 have the profiles, 13 and later the rules. */
static const char document[] =
	"{'version': 1,\n"
	" 'profiles': {\n"
	"  'gpu': {\n"
	"   'mtu': 4200,\n"
	"   'dcbx': {'mode': 'switch'},\n"
	"   'when': [{'speed_mbps': '>=100000', 'set': {\n"
	"     'pfc': {'cable_m': 30}}}],\n"
	"   'classes': [\n"
	"    {'name': 'rest', 'priority': 0, 'bandwidth': 50},\n"
	"    {'name': 'roce', 'priority': 3, 'bandwidth': 50, 'lossless': true, 'dscp': [26]}]},\n"
	"  'plain/old': {'trust': 'pcp', 'pfc': {'priorities': [3]}},\n"
	"  'map': {'dscp': {'rest': 0}}},\n"
	" 'rules': [\n"
	"  {'match': {'name': 'a'}, 'profile': 'gpu',\n"
	"   'set': {\n"
	"    'roce': {'mode': 'v2'}}},\n"
	"  {'match': {'name': 'b'}, 'profile': 'plain/old'},\n"
	"  {'match': {'name': 'c'}, 'profile': 'map'},\n"
	"  {'match': {'name': 'd'}, 'profile': 'gpu', 'set': {'pfc': {'cable_m': 5},\n"
	"   'mtu': 9000}}]}\n";

static const struct row {
	const char *sentence;
	unsigned rule, setting;
	uint32_t speed_mbps;
	const char *origin;
} rows[] = {
	{ "the set of a rule", 0, SETTING_ROCE_MODE, 1000, "p.json:16, rule 1" },
	{ "the set of a rule overrides its profile", 3, SETTING_MTU, 1000, "p.json:20, rule 4" },
	{ "the set of a rule overrides \"when\"", 3, SETTING_PFC_CABLE_M, 200000,
	  "p.json:19, rule 4" },
	{ "an entry of \"when\"", 0, SETTING_PFC_CABLE_M, 200000, "p.json:7, \"when\" 1" },
	{ "an entry of \"when\" that does not match gives nothing", 0, SETTING_PFC_CABLE_M, 1000,
	  "default" },
	{ "a profile", 0, SETTING_MTU, 1000, "p.json:4" },
	{ "a profile whose name has a slash", 1, SETTING_PFC_PRIORITIES, 1000, "p.json:11" },
	{ "one class", 0, SETTING_PFC_PRIORITIES, 1000, "p.json:10, class \"roce\"" },
	{ "all classes", 0, SETTING_ETS_PRIO_TC, 1000, "p.json:8, the classes" },
	{ "the setting that implies another", 0, SETTING_DCBX_WILLING, 1000, "p.json:5" },
	{ "a DSCP map that trust implies", 1, SETTING_DSCP_PRIO, 1000, "p.json:11" },
	{ "a DSCP map of its rest", 2, SETTING_DSCP_PRIO, 1000, "p.json:12" },
	{ "trust that a DSCP map implies", 2, SETTING_TRUST, 1000, "p.json:12" },
	{ "a setting that the policy omits", 0, SETTING_CNP_DSCP, 1000, "default" },
};

/* The origin of a rule's setting on a port. */
static const char *origin_on(const struct policy *p, size_t rule, const struct identity *id,
			     unsigned setting, char text[ORIGIN_TEXT_MAX])
{
	struct because because[SETTING_COUNT];
	struct config desired;
	struct err err = { 0 };

	assert_true(rule_desired(&p->rules[rule], id, &desired, because, &err));
	return origin_text(p, &p->rules[rule], &because[setting], text);
}

static void comes_from(void **s)
{
	const struct row *row = *s;
	struct policy *p = policy_of(document);
	struct identity id = { .speed_mbps = row->speed_mbps };
	char text[ORIGIN_TEXT_MAX];

	assert_string_equal(origin_on(p, row->rule, &id, row->setting, text), row->origin);
	free(p);
}

static void a_show_document_names_its_line(void **s)
{
	struct policy *p = policy_of("{'schema': 'losslessctl/show/1', 'ports': [\n"
				     " {'port': 'a', 'config': {'mtu': 1500,\n"
				     "  'pfc': {'priorities': [3]}}}]}");
	struct identity id = { .name = "a" };
	char text[ORIGIN_TEXT_MAX];

	(void)s;
	assert_string_equal(origin_on(p, 0, &id, SETTING_PFC_PRIORITIES, text), "p.json:3");
	free(p);
}

static void a_value_that_is_removed_and_implied_is_implied(void **s)
{
	struct policy *p = policy_of("{'version': 1, 'profiles': {'p': {'dcbx': {\n"
				     " 'mode': 'switch',\n"
				     " 'willing': false}}},\n"
				     " 'rules': [{'match': {'name': 'a'}, 'profile': 'p',\n"
				     "  'set': {'dcbx': {'willing': null}}}]}");
	struct identity id = { .name = "a" };
	char text[ORIGIN_TEXT_MAX];

	(void)s;
	assert_string_equal(origin_on(p, 0, &id, SETTING_DCBX_WILLING, text), "p.json:2");
	assert_int_equal(origin_line(p, &p->rules[0], 0, SETTING(SETTING_DCBX_MODE)), 2);
	free(p);
}

static void a_value_that_is_removed_has_the_line_of_that(void **s)
{
	struct policy *p =
		policy_of("{'version': 1, 'profiles': {'p': {\n"
			  " 'mtu': 9000}},\n"
			  " 'rules': [{'match': {'name': 'a'}, 'profile': 'p', 'set': {\n"
			  "  'mtu': null}}]}");

	(void)s;
	assert_int_equal(origin_line(p, &p->rules[0], 0, SETTING(SETTING_MTU)), 4);
	free(p);
}

static void the_longest_file_name_leaves_the_place(void **s)
{
	struct policy *p = policy_of(document);
	struct identity id = { .speed_mbps = 1000 };
	char text[ORIGIN_TEXT_MAX];

	(void)s;
	memset(p->source, 'n', sizeof(p->source) - 1);
	assert_non_null(
		strstr(origin_on(p, 0, &id, SETTING_PFC_PRIORITIES, text), "n:10, class \"roce\""));
	free(p);
}

/* `when` counts the entries of "when" from 1; 0 is none. */
static const struct line_row {
	const char *sentence;
	size_t rule, when;
	setting_set about;
	unsigned line;
} line_rows[] = {
	{ "a setting of the rule", 0, 0, SETTING(SETTING_ROCE_MODE), 16 },
	{ "a setting of the profile", 0, 0, SETTING(SETTING_MTU), 4 },
	{ "a setting of the classes", 0, 0, SETTING(SETTING_ETS_PRIO_TC), 8 },
	{ "the first setting that is given", 0, 0, SETTING(SETTING_CNP_DSCP) | SETTING(SETTING_MTU),
	  4 },
	{ "a setting of an entry of \"when\" is the first", 0, 1,
	  SETTING(SETTING_MTU) | SETTING(SETTING_PFC_CABLE_M), 7 },
	{ "a profile whose name has a slash", 1, 0, SETTING(SETTING_PFC_PRIORITIES), 11 },
	{ "a setting of the last rule", 3, 0, SETTING(SETTING_MTU), 20 },
	{ "no setting: the rule", 1, 0, 0, 17 },
	{ "a setting that the policy omits: the rule", 3, 0, SETTING(SETTING_CNP_DSCP), 19 },
};

static void has_its_line(void **s)
{
	const struct line_row *row = *s;
	struct policy *p = policy_of(document);

	assert_int_equal(origin_line(p, &p->rules[row->rule], row->when, row->about), row->line);
	free(p);
}

static void a_show_document_has_lines(void **s)
{
	struct policy *p = policy_of("{'schema': 'losslessctl/show/1', 'ports': [\n"
				     " {'port': 'a', 'config': {'mtu': 1500}},\n"
				     " {'port': 'b', 'config': {'mtu': 1500,\n"
				     "  'pfc': {'priorities': [3]}}}]}");

	(void)s;
	assert_int_equal(origin_line(p, &p->rules[1], 0, SETTING(SETTING_PFC_PRIORITIES)), 4);
	assert_int_equal(origin_line(p, &p->rules[1], 0, 0), 3);
	free(p);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, comes_from);
	SUITE_ADD(&s, a_show_document_names_its_line);
	SUITE_ADD_ROWS(&s, line_rows, has_its_line);
	SUITE_ADD(&s, a_show_document_has_lines);
	SUITE_ADD(&s, a_value_that_is_removed_and_implied_is_implied);
	SUITE_ADD(&s, a_value_that_is_removed_has_the_line_of_that);
	SUITE_ADD(&s, the_longest_file_name_leaves_the_place);
	return suite_run(&s, "policy_origin");
}
