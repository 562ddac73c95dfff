#include "policy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/oom.h"
#include "loading.h"
#include "switch_map_json.h"
#include "syntax.h"

/* ---- keys ---- */

static bool version_from_json(const struct key *k, void *field, json_t *j,
			      const struct json_path *at, struct err *err)
{
	(void)k;
	(void)field;
	return (json_is_integer(j) && json_integer_value(j) == 1) ||
	       err_expected(err, at, j, "1, the only version so far");
}

static json_t *version_schema(const struct key *k)
{
	(void)k;
	return json_pack("{s:i}", "const", 1);
}

static bool fabric_from_json(const struct key *k, void *field, json_t *j,
			     const struct json_path *at, struct err *err)
{
	struct policy *p = field;

	(void)k;
	return switch_map_from_json(&p->switch_map, &p->own_switch_map, j, at, err);
}

/* clang-format off */
static const struct key enforce_keys[] = {
	{ "allow_link_flap", NULL, KEY_BOOL, KEY_FIELD(struct enforcement, allow_link_flap),
	  .doc = "The agent may make repairs that flap the link." },
	{ .name = NULL },
};
/* clang-format on */

static const struct key_object enforce_object = {
	.keys = enforce_keys,
	.expected = "an object, such as {\"allow_link_flap\": true}",
};

static bool is_misplaced(const struct json_path *at, struct suggestion *near, struct err *err)
{
	return err_misplaced(err, at, near,
			     "move it into a profile: \"profiles\": {\"NAME\": {\"%s\": ...}}");
}

static void add_title(json_t *schema)
{
	json_object_set_new(schema, "$schema",
			    json_string("https://json-schema.org/draft/2020-12/schema"));
	json_object_set_new(schema, "$id", json_string("urn:losslessctl:policy:1"));
	json_object_set_new(schema, "title", json_string("losslessctl policy"));
}

#define POLICY(member) KEY_FIELD(struct policy, member)

/* clang-format off */
static const struct key policy_keys[] = {
	{ "$schema", NULL, KEY_OTHER, .from_json = ignored_from_json }, /* for editors */
	{ "version", NULL, KEY_OTHER, .from_json = version_from_json, .schema = version_schema,
	  .missing = "\"version\" is missing",
	  .missing_fix = "begin the policy with \"version\": 1",
	  .doc = "The version of the policy language: 1.",
	  .more = "Every policy has it. Later programs may add keys to a version, but do not "
		  "change their meaning." },
	{ "name", NULL, KEY_TEXT, POLICY(name),
	  .doc = "The name of the policy in reports (default: the file's name).",
	  .more = "In a match it is the name of a port, or of the bond that the port belongs "
		  "to." },
	{ "generation", NULL, KEY_NUMBER, POLICY(generation), 1, GENERATION_MAX,
	  .doc = "A whole number that grows with each version of a signed policy.",
	  .more = "A host with /etc/losslessctl/allowed_signers refuses a policy whose number "
		  "is smaller than the largest one that it has accepted." },
	{ "mode", NULL, KEY_WORD, POLICY(mode),
	  .words = (const char *const[]){ "report", "enforce", NULL },
	  .doc = "For the agent: \"report\" (the default) or \"enforce\".",
	  .more = "In mode enforce the agent repairs drift. apply always writes and verify "
		  "never does, in either mode." },
	{ "enforce", NULL, KEY_OBJECT, POLICY(enforce), .objects = &enforce_object,
	  .doc = "For the agent: permissions for its repairs in mode enforce.",
	  .more = "allow_link_flap permits repairs that flap the link. Without it the agent "
		  "only reports such drift." },
	{ "refresh_headroom", NULL, KEY_BOOL, POLICY(refresh_headroom),
	  .doc = "For the agent: write PFC again when the link comes up.",
	  .more = "true or false (the default), in either mode. The adapter computes headroom "
		  "from the link's speed, so an apply without a link leaves the wrong "
		  "headroom. The agent then writes PFC again, unchanged." },
	{ "thresholds", NULL, KEY_OBJECT, POLICY(thresholds), .objects = &thresholds_object,
	  .doc = "Thresholds above which a counter becomes a symptom.",
	  .more = "window_s is the length of a window (default: 10). The others are shares and "
		  "rates within it, as in {\"pause_received_percent\": 20}. `losslessctl "
		  "explain` lists all of them." },
	{ "severity", NULL, KEY_OBJECT, POLICY(severities), .objects = &severities_object,
	  .doc = "The severity of lints and symptoms, by identifier.",
	  .more = "As in {\"roce-on-wrong-priority\": \"critical\", \"host-tcp-ecn-disabled\": "
		  "\"ignore\"}. Severities: critical, warning, info, ignore. A lint that is "
		  "lowered from critical no longer stops apply." },
	{ "ready", NULL, KEY_OBJECT, POLICY(ready), .objects = &ready_object,
	  .doc = "Expectations of `losslessctl ready` about the host and its ports, by check.",
	  .more = "As in {\"pci-acs\": \"off\", \"pci-max-read-request\": 4096, \"memlock\": "
		  "\"ignore\"}. A check without an expectation only reports its value. "
		  "`losslessctl explain` lists all of them." },
	{ "fabric", NULL, KEY_OTHER, .from_json = fabric_from_json, .schema = switch_map_schema,
	  .doc = "The switch's QoS map, which decides whether the host's marks are lossless.",
	  .more = "The name of a ready-made map (`losslessctl explain` lists them), or an "
		  "object that describes the switch's map." },
	{ "congestion_control", NULL, KEY_OTHER, POLICY(congestion_control),
	  .from_json = congestion_control_from_json, .schema = congestion_control_schema,
	  .doc = "The controller of congestion: \"dcqcn\", \"spectrum-x\", \"mrc\", \"uec\" or "
		 "\"other\".",
	  .more = "Without it nothing changes, as with \"dcqcn\". Each of the others names the "
		  "controller that owns congestion: its settings are verified and never "
		  "written, settings that have no effect are errors, and some settings follow "
		  "from it. `losslessctl explain NAME` lists them." },
	{ "job", NULL, KEY_OBJECT, POLICY(job), .objects = &job_object,
	  .doc = "Expectations about the environment of jobs, for env and verify.",
	  .more = "control_dscp, socket_ifname, ib_timeout, ib_retry_count and nccl_version, "
		  "as in {\"ib_timeout\": 22}. The traffic class comes from the ports' "
		  "settings." },
	{ "probe", NULL, KEY_OBJECT, POLICY(probe), .objects = &probe_object,
	  .doc = "The paths that `losslessctl probe` proves, and what is in class.",
	  .more = "paths and min_share, as in {\"paths\": [\"verbs\"], \"min_share\": 0.95}. "
		  "Without it, all paths are proven, and 0.99 of the bytes must be in class." },
	{ "profiles", NULL, KEY_MAP, .size = ID_MAX, .max = PROFILES_MAX,
	  .objects = &profile_object,
	  .doc = "Named sets of settings that rules assign to ports.",
	  .more = "losslessctl neither changes nor verifies a setting that the profile does "
		  "not have." },
	{ "rules", NULL, KEY_LIST, .max = RULES_MAX, .objects = &rule_object,
	  .missing = "\"rules\" is missing: expected a list of rules",
	  .missing_fix = "add \"rules\": [{\"match\": {\"name\": \"ens*\"}, \"profile\": "
			 "\"NAME\"}]",
	  .doc = "The list of rules that assign profiles to ports.",
	  .more = "The last rule that matches a port wins. Rules are not merged with each "
		  "other." },
	{ .name = NULL },
};
/* clang-format on */

const struct key_object policy_object = {
	.keys = policy_keys,
	.other = is_misplaced,
	.add_to_schema = add_title,
};

json_t *policy_schema(void)
{
	return object_schema(&policy_object);
}

/* ---- the document ---- */

#define SHOW_SCHEMA "losslessctl/show/1"

/* Checks the list that becomes rules. */
static bool check_list(const json_t *doc, const char *key, struct err *err)
{
	struct json_path at = { NULL, key, 0 };
	const json_t *list = json_object_get(doc, key);

	if (!list)
		return err_policy(err, NULL, "\"%s\" is missing: expected a list of %s", key, key);
	return json_is_array(list) || err_expected(err, &at, list, "a list of %s", key);
}

static bool profiles_from_json(struct policy *p, struct loading *l, struct err *err)
{
	struct json_path at = { NULL, "profiles", 0 };
	struct profile *next = p->profiles;
	json_t *profile;
	bool ok = true;

	if (l->profiles_json && !json_is_object(l->profiles_json))
		return err_expected(err, &at, l->profiles_json,
				    "an object, such as {\"roce\": {\"mtu\": 9000}}");
	json_member_foreach (l->profiles_json, &at, here, profile) {
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

	json_item_foreach (json_object_get(doc, "rules"), &rules_at, here, rule)
		ok = err_part(err,
			      port_rule_from_json(&p->rules[here.index], l, rule, &here, err)) &&
		     ok;
	return ok;
}

static bool rules_from_json(struct policy *p, struct loading *l, json_t *doc, struct err *err)
{
	bool ok = err_part(err, object_from_json(&policy_object, p, doc, NULL, err));

	ok = err_part(err, !json_object_get(doc, "rules") || check_list(doc, "rules", err)) && ok;
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
	bool ok = err_part(err, check_list(doc, "ports", err));

	json_item_foreach (json_object_get(doc, "ports"), &ports_at, here, port)
		ok = err_part(err,
			      port_rule_from_show(&p->rules[here.index], l, port, &here, err)) &&
		     ok;
	return ok;
}

/* The schema of a document of a verb, or "". */
static const char *schema_of(const json_t *doc)
{
	const char *schema = json_string_value(json_object_get(doc, "schema"));

	return schema ? schema : "";
}

static bool is_show(const json_t *doc)
{
	return strcmp(schema_of(doc), SHOW_SCHEMA) == 0;
}

/* The key of the list that becomes rules: the ports of a show document are rules by name. */
static const char *rules_key(const json_t *doc)
{
	return is_show(doc) ? "ports" : "rules";
}

/*
 * Allocates one block for all rules, profiles, conditionals and overlays, and the text and the
 * places of the document.
 */
static struct policy *new_policy(const json_t *doc, const struct json_index *in, size_t size,
				 struct loading *ret)
{
	const json_t *list = json_object_get(doc, rules_key(doc));
	json_t *profiles = json_object_get(doc, "profiles"), *profile;
	size_t rules = json_array_size(list), conditionals = 0, overlays = 0;
	size_t count = is_show(doc) ? 1 : json_object_size(profiles);
	size_t values = in->places->size;
	const char *key;
	struct policy *p;

	json_object_foreach (profiles, key, profile)
		conditionals += profile_when_count(profile);
	for (size_t i = 0; i < rules; i++)
		overlays += is_show(doc) || json_object_get(json_array_get(list, i), "set");
	p = calloc(1, sizeof(*p) + rules * sizeof(p->rules[0]) + count * sizeof(p->profiles[0]) +
			      conditionals * sizeof(struct conditional) +
			      overlays * sizeof(struct overlay) + values * sizeof(*in->places) +
			      size + 1);
	if (!p)
		return NULL;
	p->count = rules;
	p->profiles = (struct profile *)&p->rules[rules];
	p->profiles_count = count;
	*ret = (struct loading){ p->profiles, count, profiles,
				 (struct conditional *)&p->profiles[count], NULL };
	ret->overlays = (struct overlay *)&ret->conditionals[conditionals];
	p->index.places =
		memcpy(&ret->overlays[overlays], in->places, values * sizeof(*in->places));
	p->index.text = memcpy(&p->index.places[values], in->text, size);
	return p;
}

/* One error says more than one for each key. */
static bool is_no_policy(const char *schema, struct err *err)
{
	struct json_path at = { NULL, "schema", 0 };

	err_policy(err, &at, "this is a document of %s, and no policy", schema);
	return err_fix(err, "pass the policy instead; verbs that read take a bundle with --state "
			    "FILE");
}

static bool is_within_limits(const json_t *doc, struct err *err)
{
	const char *key = rules_key(doc);
	struct json_path rules_at = { NULL, key, 0 }, profiles_at = { NULL, "profiles", 0 };
	const json_t *rules = json_object_get(doc, key);

	if (!json_is_object(doc))
		return err_expected(err, NULL, doc, "an object: {\"version\": 1, ...}");
	if (strncmp(schema_of(doc), "losslessctl/", 12) == 0 && !is_show(doc))
		return is_no_policy(schema_of(doc), err);
	if (json_array_size(rules) > RULES_MAX)
		return err_policy(err, &rules_at, "more than %d rules", RULES_MAX);
	if (json_object_size(json_object_get(doc, "profiles")) > PROFILES_MAX)
		return err_policy(err, &profiles_at, "more than %d profiles", PROFILES_MAX);
	return true;
}

/* Rules and profiles keep their places. */
static void take_places(struct policy *p)
{
	const struct json_place *at = json_place_below(&p->index, p->index.places,
						       p->is_show_document ? "/ports" : "/rules");

	at++;
	for (size_t i = 0; i < p->count; at += at->size)
		p->rules[i++].place = at;
	at = json_place_below(&p->index, p->index.places, "/profiles") + 1;
	for (size_t i = 0; i < p->profiles_count && !p->is_show_document; at += at->size)
		p->profiles[i++].place = at;
}

static bool policy_from_json(struct policy **ret, json_t *doc, const struct json_index *in,
			     size_t size, struct err *err)
{
	struct loading l;
	struct policy *p;
	bool ok;

	if (!is_within_limits(doc, err))
		return false;
	p = new_policy(doc, in, size, &l);
	if (!p)
		return err_no_memory(err);
	p->is_show_document = is_show(doc);
	p->thresholds = thresholds_defaults();
	p->ready = ready_defaults();
	ok = p->is_show_document ? shown_ports_from_json(p, &l, doc, err)
				 : rules_from_json(p, &l, doc, err);
	if (!ok) {
		free(p);
		return false;
	}
	take_places(p);
	*ret = p;
	return true;
}

/* Finds the line of each error. */
static void locate_errors(const struct json_index *in, struct err *err)
{
	if (err->kind == ERR_POLICY)
		json_locate(in, &err->at);
	for (size_t i = 0; err->all && i < err->all->count; i++)
		json_locate(in, &err->all->list[i].at);
}

/*
 * Loads the text. jansson (2.14) passes over a NUL behind a literal or a number, but the index of
 * places ends there.
 */
static json_t *load_text(const char *text, size_t size, json_error_t *where)
{
	json_t *doc = json_loadb(text, size, JSON_REJECT_DUPLICATES, where);
	const char *nul = memchr(text, '\0', size);

	if (!doc || !nul)
		return doc;
	json_decref(doc);
	*where = (json_error_t){ .position = (int)(nul - text) };
	return NULL;
}

static bool document_from_text(struct policy **ret, const char *text, size_t size, struct err *err)
{
	json_error_t where;
	json_auto_t *doc = load_text(text, size, &where);
	struct json_index in;
	bool ok;

	if (!doc)
		return err_syntax(err, text, size, &where);
	if (!json_index_new(text, &in, err))
		return false;
	ok = policy_from_json(ret, doc, &in, size, err);
	if (!ok)
		locate_errors(&in, err);
	free(in.places);
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
static bool fail_at(const char *source, struct err *err)
{
	struct err_list *all = err->all;

	if (err->kind != ERR_NONE)
		err_locate(err, "%s:%u:%u", source, err->at.line, err->at.column);
	if (!all || (err->kind != ERR_NONE && err->kind != ERR_POLICY))
		return false;
	err_collect(err, false);
	for (size_t i = 0; i < all->count; i++)
		err_locate(&all->list[i], "%s:%u:%u", source, all->list[i].at.line,
			   all->list[i].at.column);
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
	return fail_at(source, err);
}
