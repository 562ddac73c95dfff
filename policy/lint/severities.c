#include "severities.h"

#include <string.h>

const char *const symptom_names[] = {
	"storm-watchdog-tripped",
	"lossless-drops",
	"pause-storm-sent",
	"pause-deadlock-suspected",
	"pause-storm-received",
	"host-congestion",
	"pause-without-cnp",
	"ecn-marks-without-cnp",
	"cnp-ignored",
	"roce-on-wrong-priority",
	"rx-link-errors",
	"rdma-icrc-errors",
	"rdma-out-of-order",
	"pause-on-lossy-priority",
	"global-pause-active",
	"link-flapping",
	"receiver-not-ready",
	NULL,
};
_Static_assert(sizeof(symptom_names) / sizeof(symptom_names[0]) <= SYMPTOM_NAMES_MAX + 1,
	       "room for all symptoms");

enum severity severity_of_lint(const struct severities *s, size_t i)
{
	return s && s->lints[i] ? (enum severity)(s->lints[i] - 1) : lint_at(i)->severity;
}

bool severity_of_symptom(const struct severities *s, const char *name, enum severity *ret)
{
	size_t i = 0;

	while (symptom_names[i] && strcmp(symptom_names[i], name) != 0)
		i++;
	if (!s || !symptom_names[i] || !s->symptoms[i])
		return false;
	*ret = (enum severity)(s->symptoms[i] - 1);
	return true;
}

static bool level_from_json(const struct key *k, void *field, json_t *value,
			    const struct json_path *at, struct err *err)
{
	const char *word = json_string_value(value);
	enum severity s = word ? severity_from_name(word) : SEVERITIES;

	(void)k;
	if (s == SEVERITIES)
		return err_expected(
			err, at, value,
			"a severity: \"critical\", \"warning\", \"info\" or \"ignore\"");
	*(uint8_t *)field = (uint8_t)(s + 1);
	return true;
}

/* Lists the most severe level first, like the manual. */
static json_t *level_schema(const struct key *k)
{
	json_t *words = json_array();

	(void)k;
	for (enum severity s = SEVERITIES; s-- > 0;)
		json_array_append_new(words, json_string(severity_name(s)));
	return json_pack("{s:o}", "enum", words);
}

/* The lints, then the symptoms. */
static bool severity_row(size_t i, struct key *ret)
{
	size_t lints = 0;

	*ret = (struct key){ .type = KEY_OTHER,
			     .from_json = level_from_json,
			     .schema = level_schema };
	for (; lint_at(lints); lints++)
		if (lints == i) {
			ret->name = lint_at(i)->name;
			ret->offset = offsetof(struct severities, lints) + i;
			return true;
		}
	ret->name = symptom_names[i - lints];
	ret->offset = offsetof(struct severities, symptoms) + i - lints;
	return ret->name;
}

const struct key_object severities_object = {
	.row = severity_row,
	.expected = "an object of lints and symptoms, such as {\"roce-on-wrong-priority\": "
		    "\"critical\"}",
};
