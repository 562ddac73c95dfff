#include "loading.h"

#include <stdio.h>
#include <string.h>

#include "../model/setting.h"
#include "../util/unknown_key.h"
#include "classes.h"

#define KEY "congestion_control"

bool congestion_control_from_json(const struct key *k, void *field, json_t *j,
				  const struct json_path *at, struct err *err)
{
	const struct congestion_control **ret = field;
	const char *name = json_string_value(j);
	struct suggestion near = suggest_for(name ? name : "");

	(void)k;
	if (!name)
		return err_expected(err, at, j,
				    "the name of a congestion control, such as "
				    "\"spectrum-x\"");
	*ret = congestion_control_find(name);
	if (*ret)
		return true;
	for (const struct congestion_control *c = congestion_controls; c->name; c++)
		suggest_offer(&near, c->name);
	err_unknown_name(err, at, "congestion control", &near);
	return err_fix(err, "run `losslessctl explain` to list them; \"other\" is any that is not "
			    "listed");
}

json_t *congestion_control_schema(const struct key *k)
{
	json_t *names = json_array();

	(void)k;
	for (const struct congestion_control *c = congestion_controls; c->name; c++)
		json_array_append_new(names, json_string(c->name));
	return json_pack("{s:o}", "enum", names);
}

/* Some settings of the policy, and the path of the object that has them. */
struct given {
	const struct congestion_control *control;
	const struct config *settings;
	const struct json_path *at;
	const struct profile *profile; /* NULL: a "set" */
};

/* The key of a class that a setting follows from. */
static const char *class_key_of(unsigned setting)
{
	char group[GROUP_MAX];

	setting_group(&settings[setting], group);
	return strcmp(group, "ecn") == 0 ? "ecn" : strcmp(group, "cnp") == 0 ? "cnp" : "lossless";
}

static bool is_derived(const struct given *g, unsigned setting)
{
	return g->profile && !(g->profile->own & SETTING(setting));
}

/* Fails where the class, or the setting's own key, gives the setting. */
static bool contradicts(const struct given *g, unsigned setting, const char *text, struct err *err)
{
	const struct setting *k = &settings[setting];
	char group[GROUP_MAX];
	struct json_path list = { g->at, "classes", 0 }, one = { &list, NULL, 0 },
			 key = { &one, class_key_of(setting), 0 };
	struct json_path object = { g->at, setting_group(k, group), 0 },
			 leaf = { group[0] ? &object : g->at, setting_leaf(k), 0 };
	const struct json_path *at = &leaf;

	if (is_derived(g, setting))
		at = classes_first(&g->profile->classes, setting, &one.index) ? &key : &list;
	return err_policy(err, at, "\"" KEY "\": \"%s\" %s", g->control->name, text);
}

static bool is_not_rejected(const struct given *g, unsigned setting, struct err *err)
{
	const char *key = class_key_of(setting);
	char text[224];

	if (!(g->settings->has & g->control->rejected & SETTING(setting)))
		return true;
	snprintf(text, sizeof(text), "rules out %s: %s",
		 is_derived(g, setting) ? key : settings[setting].path, g->control->reason);
	(void)!contradicts(g, setting, text, err);
	return is_derived(g, setting)
		       ? err_fix(err, "remove \"%s\": the class keeps its DSCPs and its share", key)
		       : err_fix(err, "remove the setting, or \"" KEY "\"");
}

static bool is_as_asserted(const struct given *g, unsigned setting, struct err *err)
{
	const struct setting *k = &settings[setting];
	const struct config *asserted = &g->control->asserted;
	char found[SETTING_TEXT_MAX], expected[SETTING_TEXT_MAX], text[224];

	if (!(g->settings->has & asserted->has & SETTING(setting)) ||
	    setting_equal(k, asserted, g->settings))
		return true;
	setting_text(k, g->settings, found);
	setting_text(k, asserted, expected);
	snprintf(text, sizeof(text), "asserts another value: found %s %.40s, expected %.40s",
		 k->path, found, expected);
	(void)!contradicts(g, setting, text, err);
	return is_derived(g, setting)
		       ? err_fix(err, "make \"lossless\" of the classes agree with it")
		       : err_fix(err, "leave the setting out: each port gets %s", expected);
}

static bool check_given(const struct given *g, struct err *err)
{
	bool ok = true;

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		ok = err_part(err, is_not_rejected(g, i, err)) && ok;
		ok = err_part(err, is_as_asserted(g, i, err)) && ok;
	}
	return ok;
}

static void add_asserted(struct profile *f, const struct config *asserted)
{
	struct config all = config_overlay(asserted, &f->base);

	f->asserted = asserted->has & ~f->base.has;
	f->base = all;
}

static bool check_profile(const struct congestion_control *c, struct profile *f, struct err *err)
{
	struct json_path profiles_at = { NULL, "profiles", 0 }, at = { &profiles_at, f->name, 0 },
			 when_at = { &at, "when", 0 };
	bool ok = err_part(err, check_given(&(struct given){ c, &f->base, &at, f }, err));

	for (size_t i = 0; i < f->when_count; i++) {
		struct json_path entry = { &when_at, NULL, i }, set_at = { &entry, "set", 0 };

		ok = err_part(err, check_given(&(struct given){ c, &f->when[i].set.replaced,
								&set_at, NULL },
					       err)) &&
		     ok;
	}
	add_asserted(f, &c->asserted);
	return ok;
}

static bool check_rule(const struct congestion_control *c, const struct overlay *set, size_t index,
		       struct err *err)
{
	struct json_path rules_at = { NULL, "rules", 0 }, at = { &rules_at, NULL, index },
			 set_at = { &at, "set", 0 };

	return !set || check_given(&(struct given){ c, &set->replaced, &set_at, NULL }, err);
}

bool congestion_apply_to_profiles(const struct congestion_control *c, struct profile *profiles,
				  size_t count, struct err *err)
{
	bool ok = true;

	for (size_t i = 0; c && i < count; i++)
		if (!profiles[i].broken)
			ok = err_part(err, check_profile(c, &profiles[i], err)) && ok;
	return ok;
}

bool congestion_check_rules(const struct congestion_control *c, const struct port_rule *rules,
			    size_t count, struct err *err)
{
	bool ok = true;

	for (size_t i = 0; c && i < count; i++)
		ok = err_part(err, check_rule(c, rules[i].set, i, err)) && ok;
	return ok;
}
