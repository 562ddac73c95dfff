/* Tests of a policy's congestion control: settings that it sets, leaves to others, or rejects. */
#include <stdlib.h>
#include <string.h>

#include "policy/document/loading.h"
#include "policy/document/origin.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

#define POLICY(name, profile, set) \
	"{'version': 1, 'congestion_control': '" name "', 'profiles': {'p': " profile \
	"}, 'rules': " \
	"[{'match': {'name': 'a'}, 'profile': 'p', 'set': " set "}]}"
#define CLASSES(roce, cnp) \
	"{'classes': [{'name': 'roce', 'priority': 3, 'dscp': [26], 'bandwidth': 50" roce "}," \
	" {'name': 'cnp', 'priority': 6, 'dscp': [48], 'strict': true" cnp "}," \
	" {'name': 'rest', 'priority': 0, 'bandwidth': 50}]}"
#define LOSSLESS ", 'lossless': true"

static void every_row_is_whole(void **s)
{
	(void)s;
	for (const struct congestion_control *c = congestion_controls; c->name; c++) {
		assert_ptr_equal(congestion_control_find(c->name), c);
		assert_true(c->description && c->source);
		assert_int_equal(c->rejected != 0, c->reason != NULL);
		assert_true(c->owner || !(c->verified | c->rejected | c->asserted.has));
		assert_false(c->verified & c->rejected);
		assert_false((c->verified | c->rejected) & ~congestion_settings);
		assert_false(c->asserted.has & congestion_settings);
	}
	assert_null(congestion_control_find("dctcp"));
	assert_int_equal(congestion_verified(NULL), 0);
}

static const struct refusal_row {
	const char *sentence, *policy, *where, *text;
} refusals[] = {
	{ "an unknown name is refused", POLICY("spectrumx", "{}", "{}"), "/congestion_control",
	  "no congestion control is named \"spectrumx\"" },
	{ "DCQCN has no effect with Spectrum-X",
	  POLICY("spectrum-x", "{'dcqcn': {'rpg_gd': 11}}", "{}"), "/profiles/p/dcqcn/rpg_gd",
	  "\"congestion_control\": \"spectrum-x\" rules out dcqcn.rpg_gd: the adapter's DCQCN slot "
	  "is off, so it has no effect" },
	{ "nor have its CNPs", POLICY("spectrum-x", "{}", "{'cnp': {'dscp': 48}}"),
	  "/rules/0/set/cnp/dscp", "\"congestion_control\": \"spectrum-x\" rules out cnp.dscp:" },
	{ "nor has their class", POLICY("spectrum-x", CLASSES(LOSSLESS, ", 'cnp': true"), "{}"),
	  "/profiles/p/classes/1/cnp", "\"congestion_control\": \"spectrum-x\" rules out cnp:" },
	{ "in an entry of \"when\" neither",
	  POLICY("spectrum-x", "{'when': [{'speed_mbps': 1000, 'set': {'cnp': {'priority': 6}}}]}",
		 "{}"),
	  "/profiles/p/when/0/set/cnp/priority", "rules out cnp.priority:" },
	{ "Spectrum-X trusts DSCP", POLICY("spectrum-x", "{'trust': 'pcp'}", "{}"),
	  "/profiles/p/trust", "asserts another value: found trust pcp, expected dscp" },
	{ "Spectrum-X pauses priority 3",
	  POLICY("spectrum-x", "{'pfc': {'priorities': [3, 4]}}", "{}"),
	  "/profiles/p/pfc/priorities",
	  "asserts another value: found pfc.priorities 3, 4, expected 3" },
	{ "so a class is lossless", POLICY("spectrum-x", CLASSES("", ""), "{}"),
	  "/profiles/p/classes", "found pfc.priorities none, expected 3" },
	{ "MRC has no lossless class", POLICY("mrc", CLASSES(LOSSLESS, ""), "{}"),
	  "/profiles/p/classes/0/lossless", "found pfc.priorities 3, expected none" },
	{ "MRC has no ECN of DCQCN", POLICY("mrc", CLASSES(", 'ecn': true", ""), "{}"),
	  "/profiles/p/classes/0/ecn", "\"congestion_control\": \"mrc\" rules out ecn:" },
};

static void is_refused_there(void **s)
{
	const struct refusal_row *row = *s;
	struct err err = refusal_of(row->policy);

	assert_string_equal(err.at.pointer, row->where);
	if (!strstr(err.text, row->text))
		fail_msg("says: %s", err.text);
	assert_string_not_equal(err.fix, "");
}

static const struct desired_row {
	const char *sentence, *policy;
	setting_set has, has_not;
} desired[] = {
	{ "Spectrum-X gives trust, its map and PFC", POLICY("spectrum-x", "{}", "{}"),
	  SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_PFC_PRIORITIES),
	  0 },
	{ "its lossless class agrees", POLICY("spectrum-x", CLASSES(LOSSLESS, ""), "{}"),
	  SETTING(SETTING_TRUST) | SETTING(SETTING_PFC_PRIORITIES), SETTING(SETTING_CNP_DSCP) },
	{ "ECN may be verified with Spectrum-X",
	  POLICY("spectrum-x", CLASSES(LOSSLESS ", 'ecn': true", ""), "{}"),
	  SETTING(SETTING_ECN_NP), 0 },
	{ "null removes what it asserts",
	  POLICY("spectrum-x", "{}", "{'pfc': {'priorities': null}}"), SETTING(SETTING_TRUST),
	  SETTING(SETTING_PFC_PRIORITIES) },
	{ "MRC gives PFC off", POLICY("mrc", "{}", "{}"), SETTING(SETTING_PFC_PRIORITIES),
	  SETTING(SETTING_TRUST) },
	{ "DCQCN gives nothing and takes all",
	  POLICY("dcqcn", "{'dcqcn': {'rpg_gd': 11}, 'cnp': {'dscp': 48}}", "{}"),
	  SETTING(SETTING_DCQCN_RPG_GD) | SETTING(SETTING_CNP_DSCP),
	  SETTING(SETTING_TRUST) | SETTING(SETTING_PFC_PRIORITIES) },
	{ "UEC may have all verified",
	  POLICY("uec", "{'dcqcn': {'rpg_gd': 11}, 'cnp': {'dscp': 48}}", "{}"),
	  SETTING(SETTING_DCQCN_RPG_GD) | SETTING(SETTING_CNP_DSCP),
	  SETTING(SETTING_PFC_PRIORITIES) },
};

static void is_desired(void **s)
{
	const struct desired_row *row = *s;
	struct policy *p = policy_of(row->policy);
	struct config c = desired_of(p, 0);

	assert_true((c.has & row->has) == row->has);
	assert_false(c.has & row->has_not);
	free(p);
}

static void what_is_asserted_names_its_key(void **s)
{
	struct policy *p = policy_of("{'version': 1,\n 'congestion_control': 'spectrum-x',\n"
				     " 'profiles': {'p': {}},\n"
				     " 'rules': [{'match': {'name': 'a'}, 'profile': 'p'}]}");
	struct because because[SETTING_COUNT];
	struct config c;
	struct err err = { 0 };
	char text[ORIGIN_TEXT_MAX];

	(void)s;
	assert_true(rule_desired_of(p->rules, 0, &c, because, &err));
	assert_int_equal(c.pfc.priorities, 1 << 3);
	assert_string_equal(origin_text(p, p->rules, &because[SETTING_PFC_PRIORITIES], text),
			    "p.json:2, congestion_control");
	assert_string_equal(origin_text(p, p->rules, &because[SETTING_DSCP_PRIO], text),
			    "p.json:2, congestion_control");
	assert_int_equal(origin_line(p, p->rules, 0, SETTING(SETTING_TRUST)), 2);
	free(p);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, every_row_is_whole);
	SUITE_ADD_ROWS(&s, refusals, is_refused_there);
	SUITE_ADD_ROWS(&s, desired, is_desired);
	SUITE_ADD(&s, what_is_asserted_names_its_key);
	return suite_run(&s, "congestion");
}
