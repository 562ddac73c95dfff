/* The keys of a policy beside its profiles and rules. */
#include "policy.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/oom.h"
#include "config_json.h"
#include "congestion.h"
#include "port_rule.h"
#include "switch_map_json.h"
#include "syntax.h"

/* ---- the header ---- */

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

/* ---- the document ---- */

#define SHOW_SCHEMA "losslessctl/show/1"

/* Checks the list that becomes rules. */
static bool check_rules(const json_t *doc, const char *key, const char *items, struct err *err)
{
	struct json_path at = { NULL, key, 0 };
	const json_t *rules = json_object_get(doc, key);

	if (!rules) {
		err_policy(err, NULL, "\"%s\" is missing: expected a list of %s", key, items);
		return err_fix(err, "add \"rules\": [{\"match\": {\"name\": \"ens*\"}, "
				    "\"profile\": \"NAME\"}]");
	}
	return json_is_array(rules) || err_expected(err, &at, rules, "a list of %s", items);
}

static bool profiles_from_json(struct policy *p, struct loading *l, struct err *err)
{
	struct json_path at = { NULL, "profiles", 0 };
	struct profile *next = p->profiles;
	const char *key;
	json_t *profile;
	bool ok = true;

	if (l->profiles_json && !json_is_object(l->profiles_json))
		return err_expected(err, &at, l->profiles_json,
				    "an object, such as {\"roce\": {\"mtu\": 9000}}");
	json_object_foreach (l->profiles_json, key, profile) {
		struct json_path here = { &at, key, 0 };

		ok = err_part(err,
			      profile_from_json(next++, l->conditionals, profile, &here, err)) &&
		     ok;
		l->conditionals += profile_when_count(profile);
	}
	return ok;
}

static bool each_rule_from_json(struct policy *p, struct loading *l, json_t *doc, struct err *err)
{
	struct json_path rules_at = { NULL, "rules", 0 };
	json_t *rule;
	bool ok = true;
	size_t i;

	json_array_foreach (json_object_get(doc, "rules"), i, rule) {
		struct json_path here = { &rules_at, NULL, i };

		ok = err_part(err, port_rule_from_json(&p->rules[i], l, rule, &here, err)) && ok;
	}
	return ok;
}

static bool rules_from_json(struct policy *p, struct loading *l, json_t *doc, struct err *err)
{
	bool ok = err_part(err, policy_header_from_json(p, doc, err));

	ok = err_part(err, check_rules(doc, "rules", "rules", err)) && ok;
	ok = err_part(err, profiles_from_json(p, l, err)) && ok;
	ok = err_part(err, each_rule_from_json(p, l, doc, err)) && ok;
	ok = err_part(err, congestion_apply_to_profiles(p->congestion_control, p->profiles,
							p->profiles_count, err)) &&
	     ok;
	return err_part(err,
			congestion_check_rules(p->congestion_control, p->rules, p->count, err)) &&
	       ok;
}

static bool shown_ports_from_json(struct policy *p, struct loading *l, json_t *doc, struct err *err)
{
	struct json_path ports_at = { NULL, "ports", 0 };
	json_t *port;
	bool ok = err_part(err, check_rules(doc, "ports", "ports", err));
	size_t i;

	json_array_foreach (json_object_get(doc, "ports"), i, port) {
		struct json_path here = { &ports_at, NULL, i };

		ok = err_part(err, port_rule_from_show(&p->rules[i], l, port, &here, err)) && ok;
	}
	return ok;
}

static bool is_show(const json_t *doc)
{
	const char *schema = json_string_value(json_object_get(doc, "schema"));

	return schema && strcmp(schema, SHOW_SCHEMA) == 0;
}

/* The key of the list that becomes rules: the ports of a show document are rules by name. */
static const char *rules_key(const json_t *doc)
{
	return is_show(doc) ? "ports" : "rules";
}

/* Allocates one block for all rules, profiles, conditionals and overlays, and the document. */
static struct policy *new_policy(const json_t *doc, const char *text, size_t size,
				 struct loading *ret)
{
	const json_t *list = json_object_get(doc, rules_key(doc));
	json_t *profiles = json_object_get(doc, "profiles"), *profile;
	size_t rules = json_array_size(list), conditionals = 0, overlays = 0;
	size_t count = is_show(doc) ? 1 : json_object_size(profiles);
	const char *key;
	struct policy *p;

	json_object_foreach (profiles, key, profile)
		conditionals += profile_when_count(profile);
	for (size_t i = 0; i < rules; i++)
		overlays += is_show(doc) || json_object_get(json_array_get(list, i), "set");
	p = calloc(1, sizeof(*p) + rules * sizeof(p->rules[0]) + count * sizeof(p->profiles[0]) +
			      conditionals * sizeof(struct conditional) +
			      overlays * sizeof(struct overlay) + size + 1);
	if (!p)
		return NULL;
	p->count = rules;
	p->profiles = (struct profile *)&p->rules[rules];
	p->profiles_count = count;
	*ret = (struct loading){ p->profiles, count, profiles,
				 (struct conditional *)&p->profiles[count], NULL };
	ret->overlays = (struct overlay *)&ret->conditionals[conditionals];
	p->text = memcpy(&ret->overlays[overlays], text, size);
	return p;
}

static bool is_within_limits(const json_t *doc, struct err *err)
{
	const char *key = rules_key(doc);
	struct json_path rules_at = { NULL, key, 0 }, profiles_at = { NULL, "profiles", 0 };
	const json_t *rules = json_object_get(doc, key);

	if (!json_is_object(doc))
		return err_expected(err, NULL, doc, "an object: {\"version\": 1, ...}");
	if (json_array_size(rules) > RULES_MAX)
		return err_policy(err, &rules_at, "more than %d rules", RULES_MAX);
	if (json_object_size(json_object_get(doc, "profiles")) > PROFILES_MAX)
		return err_policy(err, &profiles_at, "more than %d profiles", PROFILES_MAX);
	return true;
}

static bool document_from_text(struct policy **ret, const char *text, size_t size, struct err *err)
{
	json_error_t where;
	json_auto_t *doc = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
	struct loading l;
	struct policy *p;
	bool ok;

	if (!doc)
		return err_syntax(err, text, size, &where);
	if (!is_within_limits(doc, err))
		return false;
	p = new_policy(doc, text, size, &l);
	if (!p)
		return err_no_memory(err);
	p->is_show_document = is_show(doc);
	p->thresholds = thresholds_defaults();
	p->ready = ready_defaults();
	ok = p->is_show_document ? shown_ports_from_json(p, &l, doc, err)
				 : rules_from_json(p, &l, doc, err);
	if (ok)
		*ret = p;
	else
		free(p);
	return ok;
}

/* Sets the name: the document's own, or the file's without its directory. */
static void set_name(struct policy *p, const char *text, size_t size, const char *source)
{
	const char *slash = strrchr(source, '/');

	snprintf(p->source, sizeof(p->source), "%s", source);
	if (!p->name[0])
		snprintf(p->name, sizeof(p->name), "%s", slash ? slash + 1 : source);
	sha256_hex(text, size, p->sha256);
}

/*
 * After a failed allocation the result is discarded: jansson may have left out a value, with or
 * without an error.
 */
static bool document_unless_oom(struct policy **ret, const char *text, size_t size, struct err *err)
{
	struct policy *p = NULL;
	bool ok = document_from_text(&p, text, size, err);

	if (oom_happened()) {
		free(p);
		if (err->all)
			err->all->count = err->all->omitted = 0;
		*err = (struct err){ .all = err->all };
		return err_no_memory(err);
	}
	if (ok)
		*ret = p;
	return ok;
}

static bool is_later(const struct err *a, const struct err *b)
{
	return a->at.line > b->at.line || (a->at.line == b->at.line && a->at.column > b->at.column);
}

/* In document order; those of one place keep theirs. */
static void sort_errors(struct err_list *all)
{
	for (size_t i = 1; i < all->count; i++)
		for (size_t n = i; n > 0 && is_later(&all->list[n - 1], &all->list[n]); n--) {
			struct err before = all->list[n - 1];

			all->list[n - 1] = all->list[n];
			all->list[n] = before;
		}
}

/* Names the place of each error in the file. */
static void locate_errors(struct err_list *all, const char *text, const char *source)
{
	for (size_t i = 0; i < all->count; i++) {
		struct err *e = &all->list[i];

		if (!e->at.line)
			json_locate(text, &e->at);
		err_locate(e, "%s:%u:%u", source, e->at.line, e->at.column);
	}
}

static bool fail_at(const char *text, const char *source, struct err *err)
{
	struct err_list *all = err->all;

	if (err->kind == ERR_POLICY && !err->at.line)
		json_locate(text, &err->at);
	if (err->kind != ERR_NONE)
		err_locate(err, "%s:%u:%u", source, err->at.line, err->at.column);
	if (!all || (err->kind != ERR_NONE && err->kind != ERR_POLICY))
		return false;
	err_collect(err, false);
	locate_errors(all, text, source);
	sort_errors(all);
	*err = all->list[0];
	err->all = all;
	return false;
}

bool policy_parse(struct policy **ret, const char *text, size_t size, const char *source,
		  struct err *err)
{
	if (size > POLICY_MAX_BYTES)
		return err_at(err,
			      err_set(err, ERR_POLICY, EFBIG, "larger than %u MiB",
				      POLICY_MAX_BYTES >> 20),
			      "%s", source);
	if (document_unless_oom(ret, text, size, err) && *ret) {
		set_name(*ret, text, size, source);
		return true;
	}
	return fail_at(text, source, err);
}
