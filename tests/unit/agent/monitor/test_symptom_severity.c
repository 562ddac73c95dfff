/* Tests of a policy's "severity": its values, the defaults, and the refused documents. */
#include <stdlib.h>
#include <string.h>

#include "agent/monitor/symptom.h"
#include "policy/lint/finding.h"
#include "policy/document/policy.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

#define POLICY(severity) \
	"{'version':1," severity "'profiles':{'p':{'mtu':1500}}," \
	"'rules':[{'match':{'name':'a'},'profile':'p'}]}"

static size_t lint_named(const char *name)
{
	size_t i = 0;

	while (strcmp(lint_at(i)->name, name) != 0)
		i++;
	return i;
}

static void there_is_room_for_every_lint(void **s)
{
	size_t n = 0;

	(void)s;
	while (lint_at(n))
		n++;
	assert_true(n <= LINTS_MAX);
	assert_true(lint_index(lint_of_document(LINT_CLASS_OVERRIDDEN)) <= LINT_BITS);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(lint_index(lint_at(i)), i);
}

static void a_policy_knows_every_symptom_of_the_engine(void **s)
{
	size_t n = 0;

	(void)s;
	for (; symptom_names[n]; n++) {
		size_t i = 0;

		while (i < symptoms_count && strcmp(symptoms[i].name, symptom_names[n]) != 0)
			i++;
		assert_true(i < symptoms_count);
	}
	assert_int_equal(n, symptoms_count);
}

static void what_is_not_named_keeps_its_own(void **s)
{
	struct policy *p = policy_of(POLICY("'severity':{'comment':'none yet'},"));

	(void)s;
	for (size_t i = 0; lint_at(i); i++) {
		assert_int_equal(severity_of_lint(&p->severities, i), lint_at(i)->severity);
		assert_int_equal(severity_of_lint(NULL, i), lint_at(i)->severity);
	}
	for (size_t i = 0; i < symptoms_count; i++) {
		assert_int_equal(symptom_severity_of(&symptoms[i], &p->severities),
				 symptoms[i].severity);
		assert_int_equal(symptom_severity_of(&symptoms[i], NULL), symptoms[i].severity);
	}
	free(p);
}

static struct policy *with(const char *name, const char *word, struct err *err)
{
	char text[JSON_TEXT_MAX], quoted[JSON_TEXT_MAX];
	struct policy *p = NULL;

	snprintf(text, sizeof(text), POLICY("'severity':{'%s':'%s'},"), name, word);
	json_quoted(text, quoted);
	return policy_parse(&p, quoted, strlen(quoted), "test", err) ? p : NULL;
}

static const char *const names[] = { "ignore", "info", "warning", "critical" };

static void every_lint_takes_every_word(void **s)
{
	(void)s;
	for (size_t i = 0; lint_at(i); i++)
		for (unsigned w = 0; w < COUNT(names); w++) {
			struct err err = { 0 };
			struct policy *p = with(lint_at(i)->name, names[w], &err);

			assert_non_null(p);
			assert_int_equal(severity_of_lint(&p->severities, i), w);
			free(p);
		}
}

static void every_symptom_takes_every_word(void **s)
{
	(void)s;
	for (size_t i = 0; i < symptoms_count; i++)
		for (unsigned w = 0; w < COUNT(names); w++) {
			struct err err = { 0 };
			struct policy *p = with(symptoms[i].name, names[w], &err);

			assert_non_null(p);
			assert_int_equal(symptom_severity_of(&symptoms[i], &p->severities), w);
			assert_string_equal(severity_name(w), names[w]);
			free(p);
		}
}

static const struct refused_row {
	const char *sentence, *text, *pointer, *says, *fix;
} refused[] = {
	{ "a list", "'severity':[],", "/severity", "expected an object of lints and symptoms", "" },
	{ "null", "'severity':null,", "/severity", "expected an object", "" },
	{ "an identifier that there is not", "'severity':{'host-tcp-ecn-disable':'ignore'},",
	  "/severity/host-tcp-ecn-disable", "unknown key",
	  "did you mean \"host-tcp-ecn-disabled\"?" },
	{ "a pattern", "'severity':{'*':'ignore'},", "/severity/*", "unknown key", "" },
	{ "another word", "'severity':{'host-tcp-ecn-disabled':'error'},",
	  "/severity/host-tcp-ecn-disabled",
	  "found the string \"error\", expected a severity: \"critical\", \"warning\", ", "" },
	{ "a number", "'severity':{'lossless-drops':1},", "/severity/lossless-drops",
	  "expected a severity: ", "" },
	{ "a comment that is no text", "'severity':{'comment':1},", "/severity/comment",
	  "expected a string", "" },
};

static void is_refused(void **s)
{
	const struct refused_row *row = *s;
	char text[JSON_TEXT_MAX];
	struct err err;

	snprintf(text, sizeof(text), POLICY("%s"), row->text);
	err = refusal_of(text);
	assert_string_equal(err.at.pointer, row->pointer);
	if (!strstr(err.text, row->says) || !strstr(err.fix, row->fix))
		fail_msg("says \"%s\", \"%s\"", err.text, err.fix);
}

#define BOTH "{'pause':{'rx':true,'tx':true},'pfc':{'priorities':[3]}}"

static void a_port_that_breaks_a_lint_has_a_finding(void **s)
{
	struct config actual = config_of(BOTH);
	struct capabilities capabilities = { 0 };
	struct lint_input in = { &actual, SETTING(SETTING_PFC_PRIORITIES), &capabilities, NULL };
	size_t lint = lint_named("pfc-with-global-pause");
	lint_set found = findings_of(&in, 0);
	char text[LINT_TEXT_MAX];

	(void)s;
	assert_true(found & LINT(lint));
	assert_int_equal(findings_of_severity(found, NULL, SEVERITY_CRITICAL), LINT(lint));
	assert_string_equal(finding_message(&in, lint, text),
			    "PFC and 802.3x global pause are both on");
	in.desired = SETTING(SETTING_MTU); /* the policy has none of the lint's settings */
	assert_false(findings_of(&in, 0) & LINT(lint));
}

static void a_policy_may_have_it_ignored(void **s)
{
	struct policy *p = policy_of(POLICY("'severity':{'pfc-with-global-pause':'ignore'},"));
	struct config actual = config_of(BOTH);
	struct capabilities capabilities = { 0 };
	struct lint_input in = { &actual, EVERY_SETTING, &capabilities, &p->severities };
	size_t lint = lint_named("pfc-with-global-pause");

	(void)s;
	assert_false(findings_of(&in, 0) & LINT(lint));
	assert_false(findings_of(&in, LINT(lint)) & LINT(lint));
	free(p);
}

static void what_cannot_be_read_is_neither_found_nor_gone(void **s)
{
	struct config actual = config_of("{'pfc':{'priorities':[3]}}");
	struct capabilities capabilities = { 0 };
	struct lint_input in = { &actual, EVERY_SETTING, &capabilities, NULL };
	size_t lint = lint_named("pfc-with-global-pause");

	(void)s;
	assert_false(findings_of(&in, 0) & LINT(lint));
	assert_true(findings_of(&in, LINT(lint)) & LINT(lint));
	actual = config_of("{'pause':{'rx':false,'tx':false},'pfc':{'priorities':[3]}}");
	assert_false(findings_of(&in, LINT(lint)) & LINT(lint));
}

static void complaints_are_weighed(void **s)
{
	struct policy *p = policy_of(POLICY("'severity':{'lossless-drops':'ignore',"
					    "'cnp-ignored':'critical'},"));
	struct active_symptom list[] = { { .symptom = &symptoms[0], .text = "first" },
					 { .symptom = &symptoms[1], .text = "second" },
					 { .symptom = &symptoms[8], .text = "third" } };

	(void)s;
	assert_string_equal(symptoms[1].name, "lossless-drops");
	assert_string_equal(symptoms[8].name, "cnp-ignored");
	active_symptoms_set_severity(list, COUNT(list), &p->severities);
	assert_int_equal(list[0].severity, symptoms[0].severity);
	assert_int_equal(list[1].severity, SEVERITY_IGNORE);
	assert_int_equal(list[2].severity, SEVERITY_CRITICAL);
	free(p);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, there_is_room_for_every_lint);
	SUITE_ADD(&s, a_policy_knows_every_symptom_of_the_engine);
	SUITE_ADD(&s, what_is_not_named_keeps_its_own);
	SUITE_ADD(&s, every_lint_takes_every_word);
	SUITE_ADD(&s, every_symptom_takes_every_word);
	SUITE_ADD_ROWS(&s, refused, is_refused);
	SUITE_ADD(&s, a_port_that_breaks_a_lint_has_a_finding);
	SUITE_ADD(&s, a_policy_may_have_it_ignored);
	SUITE_ADD(&s, what_cannot_be_read_is_neither_found_nor_gone);
	SUITE_ADD(&s, complaints_are_weighed);
	return suite_run(&s, "severity");
}
