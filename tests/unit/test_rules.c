#include <string.h>

#include "../../policy/dscp.h"
#include "../../policy/rules.h"
#include "parse.h"
#include "unit.h"

#define ALL_ETS	    "['ets','ets','ets','ets','ets','ets','ets','ets']"
#define OWN_CLASSES "'prio_tc': [0,0,0,3,0,0,6,0]"

/* Which rules a config breaks, by name, in the order of rules[]; "": none. */
static const struct rule_row {
	const char *sentence, *config, *breaks;
} rows[] = {
	{ "shares of 100 add up", "{'ets': {'tsa': " ALL_ETS ", 'bandwidth': [50,50,0,0,0,0,0,0]}}",
	  "" },
	{ "shares of 99 do not add up",
	  "{'ets': {'tsa': " ALL_ETS ", 'bandwidth': [50,49,0,0,0,0,0,0]}}", "ets-shares-add-up" },
	{ "shares of 101 do not add up",
	  "{'ets': {'tsa': " ALL_ETS ", 'bandwidth': [50,51,0,0,0,0,0,0]}}", "ets-shares-add-up" },
	{ "shares of 356, which is 100 in a byte, do not add up",
	  "{'ets': {'tsa': " ALL_ETS ", 'bandwidth': [100,100,100,56,0,0,0,0]}}",
	  "ets-shares-add-up" },
	{ "shares of nothing do not add up",
	  "{'ets': {'tsa': " ALL_ETS ", 'bandwidth': [0,0,0,0,0,0,0,0]}}", "ets-shares-add-up" },
	{ "without an ets class there is nothing to add up",
	  "{'ets': {'tsa': "
	  "['strict','strict','vendor','vendor','strict','strict','strict','strict'],"
	  " 'bandwidth': [0,0,0,0,0,0,0,0]}}",
	  "" },
	{ "a strict class without a share is well",
	  "{'ets': {'tsa': ['ets','ets','ets','ets','ets','ets','ets','strict'],"
	  " 'bandwidth': [100,0,0,0,0,0,0,0]}}",
	  "" },
	{ "a strict class with a share is wrong",
	  "{'ets': {'tsa': ['ets','ets','ets','ets','ets','ets','ets','strict'],"
	  " 'bandwidth': [100,0,0,0,0,0,0,10]}}",
	  "ets-shares-only-for-ets" },
	{ "a strict class's share does not count towards 100",
	  "{'ets': {'tsa': ['ets','ets','ets','ets','ets','ets','ets','strict'],"
	  " 'bandwidth': [90,0,0,0,0,0,0,10]}}",
	  "ets-shares-add-up ets-shares-only-for-ets" },
	{ "a vendor class with a share is wrong",
	  "{'ets': {'tsa': ['ets','vendor','ets','ets','ets','ets','ets','ets'],"
	  " 'bandwidth': [100,1,0,0,0,0,0,0]}}",
	  "ets-shares-only-for-ets" },
	{ "the credit-based shaper is wrong",
	  "{'ets': {'tsa': ['ets','ets','ets','ets','ets','ets','ets','cbs']}}",
	  "ets-no-credit-based-shaper" },
	{ "every other selection is no credit-based shaper",
	  "{'ets': {'tsa': ['ets','strict','vendor','ets','ets','ets','ets','ets']}}", "" },
	{ "PFC without pause is well",
	  "{'pfc': {'priorities': [3]}, 'pause': {'rx': false, 'tx': false}}", "" },
	{ "pause without PFC is well",
	  "{'pfc': {'priorities': []}, 'pause': {'rx': true, 'tx': true}}", "" },
	{ "PFC beside pause.rx is wrong",
	  "{'pfc': {'priorities': [3]}, 'pause': {'rx': true, 'tx': false}}",
	  "pfc-excludes-pause" },
	{ "PFC beside pause.tx is wrong",
	  "{'pfc': {'priorities': [0]}, 'pause': {'rx': false, 'tx': true}}",
	  "pfc-excludes-pause" },
	{ "a lossless priority with its own class is well",
	  "{'pfc': {'priorities': [3]}, 'ets': {" OWN_CLASSES "}}", "" },
	{ "a lossless priority that shares a class is wrong",
	  "{'pfc': {'priorities': [3]}, 'ets': {'prio_tc': [0,0,0,3,3,0,6,0]}}",
	  "lossless-has-own-class" },
	{ "lossless priorities may share a class among themselves",
	  "{'pfc': {'priorities': [3,4]}, 'ets': {'prio_tc': [0,0,0,3,3,0,6,0]}}", "" },
	{ "a lossless priority 7 that shares a class is wrong",
	  "{'pfc': {'priorities': [7]}, 'ets': {'prio_tc': [0,1,2,3,4,5,6,6]}}",
	  "lossless-has-own-class" },
	{ "a lossless priority in a strict class is wrong",
	  "{'pfc': {'priorities': [6]}, 'ets': {" OWN_CLASSES ","
	  " 'tsa': ['ets','ets','ets','ets','ets','ets','strict','ets']}}",
	  "lossless-is-not-strict" },
	{ "the class is judged, not the priority",
	  "{'pfc': {'priorities': [3]}, 'ets': {'prio_tc': [0,0,0,6,0,0,3,0],"
	  " 'tsa': ['ets','ets','ets','strict','ets','ets','ets','ets']}}",
	  "" },
	{ "a ToS whose DSCP maps to a lossless priority is well",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 3}}, 'roce': {'tos': 106}}", "" },
	{ "a ToS whose DSCP maps to a lossy priority is wrong",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 4}}, 'roce': {'tos': 106}}",
	  "tos-reaches-lossless" },
	{ "a ToS whose DSCP is kept out of judgement is not judged",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'48': 6}, 'rest': 'keep'}, 'roce': "
	  "{'tos': 106}}",
	  "" },
	{ "a ToS is not wrong where nothing is lossless",
	  "{'pfc': {'priorities': []}, 'dscp': {'prio': {'26': 4}}, 'roce': {'tos': 106}}", "" },
	{ "a ToS of 0 is well", "{'roce': {'tos': 0}}", "" },
	{ "a ToS with ECT(0) is well", "{'roce': {'tos': 106}}", "" },
	{ "a ToS with ECT(1) is well", "{'roce': {'tos': 105}}", "" },
	{ "a ToS that is not ECN capable is wrong", "{'roce': {'tos': 104}}",
	  "tos-is-ecn-capable" },
	{ "a ToS with congestion experienced is wrong", "{'roce': {'tos': 107}}",
	  "tos-is-ecn-capable" },
	{ "RoCE v2 on a port that trusts DSCP is well", "{'trust': 'dscp', 'roce': {'mode': 'v2'}}",
	  "" },
	{ "RoCE v1 on a port that trusts DSCP is wrong",
	  "{'trust': 'dscp', 'roce': {'mode': 'v1'}}", "roce-is-routable" },
	{ "RoCE v1 on a port that trusts PCP is well", "{'trust': 'pcp', 'roce': {'mode': 'v1'}}",
	  "" },
};

static struct config completed(const char *text)
{
	struct config c = config_of(text);
	struct err err = { 0 };

	assert_true(dscp_complete(&c, &err));
	return c;
}

static bool named(const char *list, const char *name)
{
	const char *at = strstr(list, name);
	char end = at ? at[strlen(name)] : 'x';

	return end == '\0' || end == ' ';
}

static void breaks_exactly_those(void **s)
{
	const struct rule_row *row = *s;
	struct config c = completed(row->config);
	char broken[256] = "";

	for (size_t i = 0; i < rules_count; i++)
		if (rule_broken(&rules[i], &c))
			snprintf(broken + strlen(broken), sizeof(broken) - strlen(broken), "%s%s",
				 broken[0] ? " " : "", rules[i].name);
	assert_string_equal(broken, row->breaks);
}

/* Holding counts only where the rule does judge. */
static void every_rule_has_a_config_that_breaks_it_and_one_that_holds(void **s)
{
	(void)s;
	for (size_t i = 0; i < rules_count; i++) {
		unsigned breaking = 0, holding = 0;

		for (size_t r = 0; r < COUNT(rows); r++) {
			struct config c = completed(rows[r].config);
			bool judged = (c.has & rules[i].judges) == rules[i].judges;

			breaking += named(rows[r].breaks, rules[i].name);
			holding += judged && !named(rows[r].breaks, rules[i].name);
		}
		if (!breaking || !holding)
			fail_msg("%s: %u configs break it, %u hold", rules[i].name, breaking,
				 holding);
	}
}

static void a_rule_does_not_judge_what_is_not_known(void **s)
{
	(void)s;
	for (size_t i = 0; i < rules_count; i++)
		for (size_t r = 0; r < COUNT(rows); r++)
			for (unsigned k = 0; k < KNOB_COUNT; k++) {
				struct config c = completed(rows[r].config);

				c.has &= ~KNOB(k);
				if ((rules[i].judges & KNOB(k)) && rule_broken(&rules[i], &c))
					fail_msg("%s judges without %s", rules[i].name,
						 knobs[k].path);
			}
}

/* A rule that looks at a knob that it does not name would judge what nobody read. */
static void a_rule_looks_only_at_what_it_names(void **s)
{
	(void)s;
	for (size_t i = 0; i < rules_count; i++)
		for (size_t r = 0; r < COUNT(rows); r++)
			for (unsigned k = 0; k < KNOB_COUNT; k++) {
				struct config c = completed(rows[r].config), other = c;

				for (size_t e = 0; e < knobs[k].count; e++)
					knob_set_element(&knobs[k], &other, e, knobs[k].max);
				if (!(rules[i].judges & KNOB(k)) &&
				    rule_broken(&rules[i], &c) != rule_broken(&rules[i], &other))
					fail_msg("%s looks at %s", rules[i].name, knobs[k].path);
			}
}

static void an_empty_config_breaks_nothing(void **s)
{
	struct config c = { 0 };

	(void)s;
	for (size_t i = 0; i < rules_count; i++)
		assert_false(rule_broken(&rules[i], &c));
}

static void every_rule_has_a_name_and_explains_itself(void **s)
{
	(void)s;
	for (size_t i = 0; i < rules_count; i++) {
		const struct rule *r = &rules[i];

		assert_int_equal(strspn(r->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(r->name));
		assert_true(r->judges != 0 && (r->judges & ~EVERY_KNOB) == 0);
		assert_true(r->says[0] && r->says[strlen(r->says) - 1] != '.');
		assert_true(r->mend[0] && r->mend[strlen(r->mend) - 1] != '.');
		assert_true(r->why[0] && r->why[strlen(r->why) - 1] == '.');
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(r->name, rules[j].name);
	}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, breaks_exactly_those);
	SUITE_ADD(&s, every_rule_has_a_config_that_breaks_it_and_one_that_holds);
	SUITE_ADD(&s, a_rule_does_not_judge_what_is_not_known);
	SUITE_ADD(&s, a_rule_looks_only_at_what_it_names);
	SUITE_ADD(&s, an_empty_config_breaks_nothing);
	SUITE_ADD(&s, every_rule_has_a_name_and_explains_itself);
	return suite_run(&s, "rules");
}
