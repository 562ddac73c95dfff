#include "severities.h"

#include <string.h>

#include "../util/json_util.h"

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

static bool level_from_json(uint8_t *level, const json_t *object, const char *name,
			    const struct json_path *up, struct err *err)
{
	const json_t *value = json_object_get(object, name);
	const char *word = json_string_value(value);
	struct json_path at = { up, name, 0 };
	enum severity s = word ? severity_from_name(word) : SEVERITIES;

	if (!value)
		return true;
	if (s == SEVERITIES)
		return err_expected(
			err, &at, value,
			"a severity: \"critical\", \"warning\", \"info\" or \"ignore\"");
	*level = (uint8_t)(s + 1);
	return true;
}

/* The valid keys of "severity": all identifiers, and "comment". */
static void list_known_keys(const char *known[LINTS_MAX + SYMPTOM_NAMES_MAX + 2])
{
	const struct lint *r;
	size_t n = 0;

	for (size_t i = 0; (r = lint_at(i)); i++)
		known[n++] = r->name;
	for (size_t i = 0; symptom_names[i]; i++)
		known[n++] = symptom_names[i];
	known[n++] = "comment";
	known[n] = NULL;
}

bool severities_from_json(struct severities *s, json_t *object, const struct json_path *at,
			  struct err *err)
{
	const char *known[LINTS_MAX + SYMPTOM_NAMES_MAX + 2];
	const struct lint *r;
	bool ok;

	if (!object)
		return true;
	if (!json_is_object(object))
		return err_expected(
			err, at, object,
			"an object of lints and symptoms, such as {\"%s\": \"critical\"}",
			"roce-on-wrong-priority");
	list_known_keys(known);
	ok = err_part(err, json_only_keys(object, known, at, err));
	ok = err_part(err, json_check_comment(object, at, err)) && ok;
	for (size_t i = 0; (r = lint_at(i)); i++)
		ok = err_part(err, level_from_json(&s->lints[i], object, r->name, at, err)) && ok;
	for (size_t i = 0; symptom_names[i]; i++)
		ok = err_part(err, level_from_json(&s->symptoms[i], object, symptom_names[i], at,
						   err)) &&
		     ok;
	return ok;
}

/* Lists the most severe level first, like the manual. */
static json_t *level_schema(void)
{
	json_t *words = json_array();

	for (enum severity s = SEVERITIES; s-- > 0;)
		json_array_append_new(words, json_string(severity_name(s)));
	return json_pack("{s:o}", "enum", words);
}

json_t *severities_schema(void)
{
	json_t *properties = json_pack("{s:{s:s}}", "comment", "type", "string");
	const struct lint *r;

	for (size_t i = 0; (r = lint_at(i)); i++)
		json_object_set_new(properties, r->name, level_schema());
	for (size_t i = 0; symptom_names[i]; i++)
		json_object_set_new(properties, symptom_names[i], level_schema());
	return json_pack("{s:s, s:o, s:b}", "type", "object", "properties", properties,
			 "additionalProperties", 0);
}
