/* The keys of a policy beside its profiles and rules. */
#include <string.h>

#include "config_json.h"
#include "congestion.h"
#include "policy.h"
#include "switch_map_json.h"

static const char *const header_keys[] = { "version",
					   "name",
					   "generation",
					   "mode",
					   "enforce",
					   "thresholds",
					   "profiles",
					   "rules",
					   "fabric",
					   "comment",
					   "$schema",
					   "severity",
					   "refresh_headroom",
					   "ready",
					   "job",
					   "probe",
					   "congestion_control",
					   NULL };

static bool check_header_keys(struct policy *p, json_t *doc, struct err *err)
{
	(void)p;
	return config_only_keys(doc, header_keys,
				"move it into a profile: \"profiles\": {\"NAME\": {\"%s\": ...}}",
				NULL, err);
}

/* Editors read "$schema"; its value has no meaning here. */
static bool check_header_texts(struct policy *p, json_t *doc, struct err *err)
{
	struct json_path at = { NULL, "$schema", 0 };
	const json_t *schema = json_object_get(doc, "$schema");
	bool ok = err_part(err, json_check_comment(doc, NULL, err));

	(void)p;
	return err_part(err, !schema || json_is_string(schema) ||
				     err_expected(err, &at, schema, "a string in double quotes")) &&
	       ok;
}

static bool check_version(struct policy *p, json_t *doc, struct err *err)
{
	struct json_path at = { NULL, "version", 0 };
	const json_t *version = json_object_get(doc, "version");

	(void)p;
	if (!version) {
		err_policy(err, NULL, "\"version\" is missing");
		return err_fix(err, "begin the policy with \"version\": 1");
	}
	return (json_is_integer(version) && json_integer_value(version) == 1) ||
	       err_expected(err, &at, version, "1, the only version so far");
}

static bool mode_from_json(struct policy *p, json_t *doc, struct err *err)
{
	struct json_path at = { NULL, "mode", 0 };
	const json_t *mode = json_object_get(doc, "mode");
	const char *word = json_string_value(mode);

	if (mode && (!word || (strcmp(word, "report") != 0 && strcmp(word, "enforce") != 0)))
		return err_expected(err, &at, mode, "\"report\" or \"enforce\"");
	p->mode = word && strcmp(word, "enforce") == 0 ? MODE_ENFORCE : MODE_REPORT;
	return true;
}

static bool name_from_json(struct policy *p, json_t *doc, struct err *err)
{
	return json_read_string(doc, "name", p->name, ID_MAX, NULL, err);
}

static bool generation_from_json(struct policy *p, json_t *doc, struct err *err)
{
	struct json_path at = { NULL, "generation", 0 };
	const json_t *value = json_object_get(doc, "generation");
	json_int_t n = json_integer_value(value);

	if (value && (n < 1 || n > GENERATION_MAX))
		return err_expected(err, &at, value, "a whole number, 1 to %lld",
				    (long long)GENERATION_MAX);
	p->generation = (uint64_t)n;
	return true;
}

static bool enforce_from_json(struct policy *p, json_t *doc, struct err *err)
{
	static const char *const known[] = { "allow_link_flap", "comment", NULL };
	struct json_path at = { NULL, "enforce", 0 };
	json_t *object = json_object_get(doc, "enforce");
	bool ok;

	if (!object)
		return true;
	if (!json_is_object(object))
		return err_expected(err, &at, object,
				    "an object, such as {\"allow_link_flap\": true}");
	ok = err_part(err, json_only_keys(object, known, &at, err));
	ok = err_part(err, json_check_comment(object, &at, err)) && ok;
	return err_part(err, json_read_bool(object, "allow_link_flap", &p->enforce.allow_link_flap,
					    &at, err)) &&
	       ok;
}

static bool refresh_headroom_from_json(struct policy *p, json_t *doc, struct err *err)
{
	return json_read_bool(doc, "refresh_headroom", &p->refresh_headroom, NULL, err);
}

static bool header_thresholds(struct policy *p, json_t *doc, struct err *err)
{
	struct json_path at = { NULL, "thresholds", 0 };

	return thresholds_from_json(&p->thresholds, json_object_get(doc, "thresholds"), &at, err);
}

static bool header_job(struct policy *p, json_t *doc, struct err *err)
{
	struct json_path at = { NULL, "job", 0 };

	return job_from_json(&p->job, json_object_get(doc, "job"), &at, err);
}

static bool header_probe(struct policy *p, json_t *doc, struct err *err)
{
	struct json_path at = { NULL, "probe", 0 };

	return probe_from_json(&p->probe, json_object_get(doc, "probe"), &at, err);
}

static bool header_severities(struct policy *p, json_t *doc, struct err *err)
{
	struct json_path at = { NULL, "severity", 0 };

	return severities_from_json(&p->severities, json_object_get(doc, "severity"), &at, err);
}

static bool header_ready(struct policy *p, json_t *doc, struct err *err)
{
	struct json_path at = { NULL, "ready", 0 };

	return ready_from_json(&p->ready, json_object_get(doc, "ready"), &at, err);
}

static bool header_switch_map(struct policy *p, json_t *doc, struct err *err)
{
	struct json_path at = { NULL, "fabric", 0 };

	return switch_map_from_json(&p->switch_map, &p->own_switch_map,
				    json_object_get(doc, "fabric"), &at, err);
}

static bool header_congestion_control(struct policy *p, json_t *doc, struct err *err)
{
	struct json_path at = { NULL, "congestion_control", 0 };

	return congestion_control_from_json(&p->congestion_control,
					    json_object_get(doc, "congestion_control"), &at, err);
}

static bool (*const header_parts[])(struct policy *p, json_t *doc, struct err *err) = {
	check_header_keys,
	check_header_texts,
	check_version,
	mode_from_json,
	name_from_json,
	generation_from_json,
	enforce_from_json,
	refresh_headroom_from_json,
	header_thresholds,
	header_severities,
	header_ready,
	header_switch_map,
	header_congestion_control,
	header_job,
	header_probe,
};

bool policy_header_from_json(struct policy *p, json_t *doc, struct err *err)
{
	bool ok = true;

	for (size_t i = 0; i < sizeof(header_parts) / sizeof(header_parts[0]); i++)
		ok = err_part(err, header_parts[i](p, doc, err)) && ok;
	return ok;
}
