#include "policy.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/oom.h"
#include "port_rule.h"
#include "switch_map_json.h"
#include "syntax.h"

#define SHOW_SCHEMA "losslessctl/show/1"

static bool enforce_from_json(struct enforcement *e, json_t *object, struct err *err)
{
	static const char *const known[] = { "allow_link_flap", "comment", NULL };
	struct json_path at = { NULL, "enforce", 0 };

	if (!object)
		return true;
	if (!json_is_object(object))
		return err_policy(err, &at,
				  "expected an object, as in {\"allow_link_flap\": true}");
	return json_only_keys(object, known, &at, err) && json_check_comment(object, &at, err) &&
	       json_read_bool(object, "allow_link_flap", &e->allow_link_flap, &at, err);
}

/* Editors read "$schema"; its value has no meaning here. */
static bool check_schema_of(const json_t *doc, struct err *err)
{
	struct json_path at = { NULL, "$schema", 0 };
	const json_t *schema = json_object_get(doc, "$schema");

	return !schema || json_is_string(schema) ||
	       err_policy(err, &at, "expected a text in quotes");
}

static bool generation_from_json(uint64_t *ret, const json_t *value, struct err *err)
{
	struct json_path at = { NULL, "generation", 0 };
	json_int_t n = json_integer_value(value);

	if (value && (n < 1 || n > GENERATION_MAX))
		return err_policy(err, &at, "expected a whole number from 1 to %lld",
				  (long long)GENERATION_MAX);
	*ret = (uint64_t)n;
	return true;
}

static bool header_from_json(struct policy *p, json_t *doc, struct err *err)
{
	static const char *const known[] = {
		"version",	    "name",  "generation", "mode",    "enforce", "thresholds",
		"profiles",	    "rules", "fabric",	   "comment", "$schema", "severity",
		"refresh_headroom", NULL
	};
	struct json_path version_at = { NULL, "version", 0 }, mode_at = { NULL, "mode", 0 },
			 fabric_at = { NULL, "fabric", 0 },
			 thresholds_at = { NULL, "thresholds", 0 },
			 severity_at = { NULL, "severity", 0 };
	const json_t *version = json_object_get(doc, "version"),
		     *mode = json_object_get(doc, "mode");
	const char *word = json_string_value(mode);

	if (!json_only_keys(doc, known, NULL, err) || !json_check_comment(doc, NULL, err) ||
	    !check_schema_of(doc, err))
		return false;
	if (!version)
		return err_policy(err, NULL, "a policy begins with \"version\": 1");
	if (!json_is_integer(version) || json_integer_value(version) != 1)
		return err_policy(err, &version_at, "this program knows version 1 only");
	if (mode && (!word || (strcmp(word, "report") != 0 && strcmp(word, "enforce") != 0)))
		return err_policy(err, &mode_at, "expected \"report\" or \"enforce\"");
	p->mode = word && strcmp(word, "enforce") == 0 ? MODE_ENFORCE : MODE_REPORT;
	return json_read_string(doc, "name", p->name, ID_MAX, NULL, err) &&
	       generation_from_json(&p->generation, json_object_get(doc, "generation"), err) &&
	       enforce_from_json(&p->enforce, json_object_get(doc, "enforce"), err) &&
	       json_read_bool(doc, "refresh_headroom", &p->refresh_headroom, NULL, err) &&
	       thresholds_from_json(&p->thresholds, json_object_get(doc, "thresholds"),
				    &thresholds_at, err) &&
	       severities_from_json(&p->severities, json_object_get(doc, "severity"), &severity_at,
				    err) &&
	       switch_map_from_json(&p->switch_map, &p->own_switch_map,
				    json_object_get(doc, "fabric"), &fabric_at, err);
}

static bool profiles_from_json(struct policy *p, struct loading *l, struct err *err)
{
	struct json_path at = { NULL, "profiles", 0 };
	struct profile *next = p->profiles;
	const char *key;
	json_t *profile;

	if (l->profiles_json && !json_is_object(l->profiles_json))
		return err_policy(err, &at, "expected an object of profiles");
	json_object_foreach (l->profiles_json, key, profile) {
		struct json_path here = { &at, key, 0 };

		if (!profile_from_json(next++, l->conditionals, profile, &here, err))
			return false;
		l->conditionals += profile_when_count(profile);
	}
	return true;
}

static bool rules_from_json(struct policy *p, struct loading *l, json_t *doc, struct err *err)
{
	struct json_path rules_at = { NULL, "rules", 0 };
	json_t *rule;
	size_t i;

	if (!header_from_json(p, doc, err) || !profiles_from_json(p, l, err))
		return false;
	json_array_foreach (json_object_get(doc, "rules"), i, rule) {
		struct json_path here = { &rules_at, NULL, i };

		if (!port_rule_from_json(&p->rules[i], l, rule, &here, err))
			return false;
	}
	return true;
}

static bool shown_ports_from_json(struct policy *p, struct loading *l, json_t *doc, struct err *err)
{
	struct json_path ports_at = { NULL, "ports", 0 };
	json_t *port;
	size_t i;

	json_array_foreach (json_object_get(doc, "ports"), i, port) {
		struct json_path here = { &ports_at, NULL, i };

		if (!port_rule_from_show(&p->rules[i], l, port, &here, err))
			return false;
	}
	return true;
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
		return err_policy(err, NULL, "a policy is an object: {\"version\": 1, …}");
	if (!json_is_array(rules))
		return err_policy(err, rules ? &rules_at : NULL, "\"%s\" must be a list of %s", key,
				  is_show(doc) ? "ports" : "rules");
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
		*err = (struct err){ 0 };
		return err_no_memory(err);
	}
	if (ok)
		*ret = p;
	return ok;
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
	if (err->kind == ERR_POLICY && !err->at.line)
		json_locate(text, &err->at);
	return err_at(err, false, "%s:%u:%u", source, err->at.line, err->at.column);
}
