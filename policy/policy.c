#include "policy.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric_json.h"
#include "json.h"
#include "keys.h"
#include "profile.h"

#define SHOW_SCHEMA "losslessctl/show/1"

static bool take_match(struct match *m, json_t *j, const struct at *at, struct err *err)
{
	const char *known[MATCH_COUNT + 1] = { NULL };

	if (!json_is_object(j) || json_object_size(j) == 0)
		return err_policy(
			err, at,
			"expected an object with at least one of name, pci, driver, rdma, mac");
	for (size_t i = 0; i < MATCH_COUNT; i++)
		known[i] = match_keys[i].name;
	if (!json_only_keys(j, known, at, err))
		return false;
	for (size_t i = 0; i < MATCH_COUNT; i++)
		if (!json_take_string(j, match_keys[i].name,
				      (char *)&m->pattern + match_keys[i].offset, ID_MAX, at, err))
			return false;
	return true;
}

static bool no_such_profile(json_t *profiles, const char *name, const struct at *at,
			    struct err *err)
{
	struct suggestion near = suggest_for(name);
	const char *key;
	json_t *v;

	json_object_foreach (profiles, key, v)
		suggest_offer(&near, key);
	err_policy(err, at, "no profile is named \"%s\"", name);
	return near.best ? err_hint(err, "did you mean \"%s\"?", near.best) : false;
}

static bool take_want(struct port_rule *r, json_t *rule, json_t *profiles, const struct at *at,
		      struct err *err)
{
	struct at root = { NULL, "profiles", 0 }, profile_at = { &root, r->profile, 0 };
	struct at set_at = { at, "set", 0 }, name_at = { at, "profile", 0 };
	const json_t *profile = json_object_get(profiles, r->profile),
		     *set = json_object_get(rule, "set");

	if (!r->profile[0])
		return err_policy(err, at, "a rule needs a \"profile\"");
	if (!profile)
		return no_such_profile(profiles, r->profile, &name_at, err);
	if (!profile_take(&r->want, &r->optional, profile, &profile_at, err))
		return false;
	if (set && !config_amend(&r->want, set, &set_at, err))
		return false;
	return profile_complete(&r->want, set ? &set_at : &profile_at, err);
}

static bool take_rule(struct port_rule *r, json_t *rule, json_t *profiles, const struct at *at,
		      struct err *err)
{
	static const char *const known[] = { "match", "profile", "set", "required", NULL };
	struct at match_at = { at, "match", 0 }, required_at = { at, "required", 0 };
	const json_t *required = json_object_get(rule, "required");
	json_t *match = json_object_get(rule, "match");

	if (!json_is_object(rule))
		return err_policy(err, at, "expected an object with \"match\" and \"profile\"");
	if (!json_only_keys(rule, known, at, err))
		return false;
	if (!match)
		return err_policy(err, at, "a rule needs a \"match\"");
	if (required && !json_is_boolean(required))
		return err_policy(err, &required_at, "expected true or false");
	r->required = json_is_true(required);
	return take_match(&r->match, match, &match_at, err) &&
	       json_take_string(rule, "profile", r->profile, ID_MAX, at, err) &&
	       take_want(r, rule, profiles, at, err);
}

static bool take_header(struct policy *p, json_t *doc, struct err *err)
{
	static const char *const known[] = { "version", "name",	  "mode",    "profiles",
					     "ports",	"fabric", "$schema", NULL };
	struct at version_at = { NULL, "version", 0 }, mode_at = { NULL, "mode", 0 },
		  fabric_at = { NULL, "fabric", 0 };
	const json_t *version = json_object_get(doc, "version"),
		     *mode = json_object_get(doc, "mode");
	const char *word = json_string_value(mode);

	if (!json_only_keys(doc, known, NULL, err))
		return false;
	if (!version)
		return err_policy(err, NULL, "a policy begins with \"version\": 1");
	if (!json_is_integer(version) || json_integer_value(version) != 1)
		return err_policy(err, &version_at, "this program knows version 1 only");
	if (mode && (!word || (strcmp(word, "report") != 0 && strcmp(word, "enforce") != 0)))
		return err_policy(err, &mode_at, "expected \"report\" or \"enforce\"");
	p->mode = word && strcmp(word, "enforce") == 0 ? MODE_ENFORCE : MODE_REPORT;
	return json_take_string(doc, "name", p->name, ID_MAX, NULL, err) &&
	       fabric_take(&p->fabric, &p->own_fabric, json_object_get(doc, "fabric"), &fabric_at,
			   err);
}

static bool take_policy(struct policy *p, json_t *doc, struct err *err)
{
	struct at ports_at = { NULL, "ports", 0 }, profiles_at = { NULL, "profiles", 0 };
	json_t *profiles = json_object_get(doc, "profiles"), *rule;
	size_t i;

	if (!take_header(p, doc, err) || !profiles_check(profiles, &profiles_at, err))
		return false;
	json_array_foreach (json_object_get(doc, "ports"), i, rule) {
		struct at here = { &ports_at, NULL, i };

		if (!take_rule(&p->rules[i], rule, profiles, &here, err))
			return false;
	}
	return true;
}

/* A show document: its ports by name, its config as what is wanted. */
static bool take_show(struct policy *p, json_t *doc, struct err *err)
{
	struct at ports_at = { NULL, "ports", 0 };
	json_t *port;
	size_t i;

	json_array_foreach (json_object_get(doc, "ports"), i, port) {
		struct at here = { &ports_at, NULL, i }, config_at = { &here, "config", 0 };
		struct port_rule *r = &p->rules[i];

		if (!json_is_object(port) || !json_object_get(port, "port"))
			return err_policy(err, &here,
					  "expected an object with \"port\" and \"config\"");
		if (!json_take_string(port, "port", r->match.pattern.name, ID_MAX, &here, err) ||
		    !config_amend_seen(&r->want, json_object_get(port, "config"), &config_at,
				       err) ||
		    !profile_complete(&r->want, &config_at, err))
			return false;
	}
	return true;
}

static bool is_show(const json_t *doc)
{
	const char *schema = json_string_value(json_object_get(doc, "schema"));

	return schema && strcmp(schema, SHOW_SCHEMA) == 0;
}

static bool syntax_error(const json_error_t *e, struct err *err)
{
	err->at.line = e->line > 0 ? (unsigned)e->line : 1;
	err->at.column = e->column > 0 ? (unsigned)e->column : 1;
	return err_set(err, ERR_POLICY, EINVAL, "%s", e->text);
}

static bool take_document(struct policy **ret, const char *text, size_t size, struct err *err)
{
	struct at ports_at = { NULL, "ports", 0 };
	json_error_t where;
	json_auto_t *doc = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
	const json_t *ports = json_object_get(doc, "ports");
	size_t count = json_array_size(ports);
	struct policy *p;
	bool ok;

	if (!doc)
		return syntax_error(&where, err);
	if (!json_is_object(doc))
		return err_policy(err, NULL, "a policy is an object: {\"version\": 1, …}");
	if (!json_is_array(ports))
		return err_policy(err, ports ? &ports_at : NULL,
				  "\"ports\" must be a list of rules");
	p = calloc(1, sizeof(*p) + count * sizeof(p->rules[0]));
	if (!p)
		return err_set(err, ERR_SYSTEM, ENOMEM, "out of memory");
	p->count = count;
	ok = is_show(doc) ? take_show(p, doc, err) : take_policy(p, doc, err);
	if (ok)
		*ret = p;
	else
		free(p);
	return ok;
}

/* The document's own name, or the file's without its folder. */
static void name_it(struct policy *p, const char *text, size_t size, const char *source)
{
	const char *slash = strrchr(source, '/');

	snprintf(p->source, sizeof(p->source), "%s", source);
	if (!p->name[0])
		snprintf(p->name, sizeof(p->name), "%s", slash ? slash + 1 : source);
	sha256_hex(text, size, p->sha256);
}

bool policy_parse(struct policy **ret, const char *text, size_t size, const char *source,
		  struct err *err)
{
	if (size > POLICY_MAX_BYTES)
		return err_at(err,
			      err_set(err, ERR_POLICY, EFBIG, "larger than %u bytes",
				      POLICY_MAX_BYTES),
			      "%s", source);
	if (take_document(ret, text, size, err)) {
		name_it(*ret, text, size, source);
		return true;
	}
	if (err->kind == ERR_POLICY && !err->at.line)
		position_find(text, &err->at, strncmp(err->text, "unknown key", 11) == 0);
	return err_at(err, false, "%s:%u:%u", source, err->at.line, err->at.column);
}

const struct port_rule *policy_rule_for(const struct policy *p, const struct identity *id)
{
	for (size_t i = p->count; i-- > 0;)
		if (match_holds(&p->rules[i].match, id))
			return &p->rules[i];
	return NULL;
}

const struct port_rule *policy_rule_shadowed(const struct policy *p, const struct port_rule *r)
{
	for (const struct port_rule *later = r + 1; later < p->rules + p->count; later++)
		if (match_covers(&later->match, &r->match))
			return later;
	return NULL;
}
