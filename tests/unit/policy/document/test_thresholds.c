/* Tests of a policy's "thresholds": defaults, accepted values, and refusals with their places. */
#include <stdlib.h>
#include <string.h>

#include "policy/document/policy.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

#define POLICY(thresholds) \
	"{'version':1," thresholds "'profiles':{'p':{'mtu':1500}}," \
	"'rules':[{'match':{'name':'a'},'profile':'p'}]}"

static void every_row_is_within_its_own_bounds(void **s)
{
	(void)s;
	for (size_t i = 0; i < THRESHOLD_COUNT; i++) {
		const struct threshold *l = &thresholds[i];

		assert_true(l->name && l->unit && l->doc);
		assert_true(l->min >= 1); /* an idle port would reach 0 */
		assert_true(l->min <= l->default_value && l->default_value <= l->max);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(l->name, thresholds[k].name);
	}
}

static void what_is_not_mentioned_is_the_preset(void **s)
{
	struct policy *p = policy_of(POLICY("'thresholds':{'window_s':30},"));

	(void)s;
	assert_int_equal(p->thresholds.value[THRESHOLD_WINDOW_S], 30);
	for (size_t i = 0; i < THRESHOLD_COUNT; i++)
		if (i != THRESHOLD_WINDOW_S)
			assert_int_equal(p->thresholds.value[i], thresholds[i].default_value);
	free(p);
}

static void a_policy_without_limits_has_the_presets(void **s)
{
	static const char *const texts[] = { POLICY(""), POLICY("'thresholds':{},"),
					     POLICY("'thresholds':{'comment':'none yet'},") };
	struct thresholds default_values = thresholds_defaults();

	(void)s;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct policy *p = policy_of(texts[i]);

		assert_memory_equal(&p->thresholds, &default_values, sizeof(default_values));
		free(p);
	}
}

static struct policy *with_limit(const struct threshold *l, uint32_t value, struct err *err)
{
	char text[JSON_TEXT_MAX], quoted[JSON_TEXT_MAX];
	struct policy *p = NULL;

	snprintf(text, sizeof(text), POLICY("'thresholds':{'%s':%u},"), l->name, value);
	json_quoted(text, quoted);
	return policy_parse(&p, quoted, strlen(quoted), "test", err) ? p : NULL;
}

static void every_bound_is_inside_and_what_is_beyond_is_not(void **s)
{
	(void)s;
	for (size_t i = 0; i < THRESHOLD_COUNT; i++) {
		const uint32_t in[] = { thresholds[i].min, thresholds[i].max },
			       out[] = { thresholds[i].min - 1, thresholds[i].max + 1 };

		for (int k = 0; k < 2; k++) {
			struct err err = { 0 };
			struct policy *p = with_limit(&thresholds[i], in[k], &err);
			char at[64];

			assert_non_null(p);
			assert_int_equal(p->thresholds.value[i], in[k]);
			free(p);
			assert_null(with_limit(&thresholds[i], out[k], &err));
			snprintf(at, sizeof(at), "/thresholds/%s", thresholds[i].name);
			assert_string_equal(err.at.pointer, at);
			assert_non_null(strstr(err.text, thresholds[i].unit));
		}
	}
}

static const struct refused_row {
	const char *sentence, *text, *pointer, *says, *fix;
} refused[] = {
	{ "a list of thresholds", "'thresholds':[],", "/thresholds", "expected an object", "" },
	{ "thresholds that are null", "'thresholds':null,", "/thresholds", "expected an object",
	  "" },
	{ "a misspelt threshold", "'thresholds':{'windows_s':1},", "/thresholds/windows_s",
	  "unknown key", "did you mean \"window_s\"?" },
	{ "a number in quotes", "'thresholds':{'window_s':'10'},", "/thresholds/window_s",
	  "expected a whole number, 1 to 3600", "" },
	{ "a fraction", "'thresholds':{'window_s':1.5},", "/thresholds/window_s",
	  "expected a whole number", "" },
	{ "a number below zero", "'thresholds':{'link_down_events':-1},",
	  "/thresholds/link_down_events", "found the number -1, expected 1 to 1000 times", "" },
	{ "a number beyond 32 bits", "'thresholds':{'link_down_events':4294967299},",
	  "/thresholds/link_down_events", "expected 1 to 1000 times", "" },
	{ "a comment that is no text", "'thresholds':{'comment':1},", "/thresholds/comment", "",
	  "" },
	{ "enforce that is true", "'enforce':true,", "/enforce", "expected an object", "" },
	{ "a misspelt permission", "'enforce':{'allow_link_flaps':true},",
	  "/enforce/allow_link_flaps", "unknown key", "did you mean \"allow_link_flap\"?" },
	{ "a permission that is a number", "'enforce':{'allow_link_flap':1},",
	  "/enforce/allow_link_flap", "true or false", "" },
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

static void nothing_may_be_done_that_is_not_permitted(void **s)
{
	struct policy *p = policy_of(POLICY(""));

	(void)s;
	assert_false(p->enforce.allow_link_flap || p->refresh_headroom);
	assert_int_equal(p->mode, MODE_REPORT);
	free(p);
	p = policy_of(POLICY("'mode':'enforce','enforce':{'comment':''},'refresh_headroom':true,"));
	assert_true(p->refresh_headroom && !p->enforce.allow_link_flap);
	assert_int_equal(p->mode, MODE_ENFORCE);
	free(p);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, every_row_is_within_its_own_bounds);
	SUITE_ADD(&s, what_is_not_mentioned_is_the_preset);
	SUITE_ADD(&s, a_policy_without_limits_has_the_presets);
	SUITE_ADD(&s, every_bound_is_inside_and_what_is_beyond_is_not);
	SUITE_ADD_ROWS(&s, refused, is_refused);
	SUITE_ADD(&s, nothing_may_be_done_that_is_not_permitted);
	return suite_run(&s, "thresholds");
}
