#include "origin.h"

#include <stdio.h>
#include <string.h>

#include "classes_derive.h"

/* A value that completes the desired settings because another setting is given (resolve.c). */
static const struct {
	unsigned setting, given;
} implied[] = {
	{ SETTING_DSCP_PRIO, SETTING_DSCP_REST },    { SETTING_DSCP_PRIO, SETTING_TRUST },
	{ SETTING_TRUST, SETTING_DSCP_PRIO },	     { SETTING_TRUST, SETTING_DSCP_REST },
	{ SETTING_DCBX_WILLING, SETTING_DCBX_MODE }, { SETTING_DCBX_ADVERTISE, SETTING_DCBX_MODE },
};

#define IMPLIED (sizeof(implied) / sizeof(implied[0]))

/* The part of a policy that gives a value, as the location of its settings and in words. */
struct origin {
	const struct policy *p;
	const struct port_rule *r;
	uint32_t entries; /* "when" entries that match the port */
	unsigned setting;
	char *buf;
};

/* Writes "FILE:LINE, " and the words. */
static void write_place(const struct origin *o, const struct json_path *at, const char *words)
{
	struct json_location place = { .pointer = "" };

	json_path_to_pointer(at, place.pointer, sizeof(place.pointer));
	json_locate(o->p->text, &place);
	snprintf(o->buf, ORIGIN_TEXT_MAX, "%.200s:%u%s%s", o->p->source, place.line,
		 words[0] ? ", " : "", words);
}

/* The same for the setting's own key below an object of settings. */
static void write_key(const struct origin *o, const struct json_path *object, const char *words)
{
	char group[GROUP_MAX];
	struct json_path group_at = { object, setting_group(&settings[o->setting], group), 0 };
	struct json_path leaf_at = { group[0] ? &group_at : object,
				     setting_leaf(&settings[o->setting]), 0 };

	write_place(o, &leaf_at, words);
}

static bool gives(const struct overlay *l, unsigned setting)
{
	return l->replaced.has & SETTING(setting);
}

static bool from_rule(const struct origin *o)
{
	bool shown = o->p->is_show_document;
	struct json_path list = { NULL, shown ? "ports" : "rules", 0 },
			 rule = { &list, NULL, (size_t)(o->r - o->p->rules) },
			 set = { &rule, shown ? "config" : "set", 0 };
	char words[32] = "";

	if (!o->r->set || !gives(o->r->set, o->setting))
		return false;
	if (!shown)
		snprintf(words, sizeof(words), "rule %zu", rule.index + 1);
	write_key(o, &set, words);
	return true;
}

static bool from_when(const struct origin *o, const struct json_path *profile_at)
{
	const struct profile *profile = o->r->profile;
	struct json_path list = { profile_at, "when", 0 };
	char words[32];

	for (size_t i = profile->when_count; i-- > 0;) {
		struct json_path entry = { &list, NULL, i }, set = { &entry, "set", 0 };

		if (!(o->entries >> i & 1) || !gives(&profile->when[i].set, o->setting))
			continue;
		snprintf(words, sizeof(words), "\"when\" %zu", i + 1);
		write_key(o, &set, words);
		return true;
	}
	return false;
}

static bool from_profile(const struct origin *o, const struct json_path *profile_at)
{
	const struct profile *profile = o->r->profile;
	struct json_path classes_at = { profile_at, "classes", 0 },
			 class_at = { &classes_at, NULL, 0 };
	char words[SOURCE_TEXT_MAX];
	bool one;

	if (!(profile->base.has & SETTING(o->setting)))
		return false;
	if (profile->own & SETTING(o->setting)) {
		write_key(o, profile_at, "");
		return true;
	}
	one = classes_first(&profile->classes, o->setting, &class_at.index);
	classes_source(&profile->classes, o->setting, words);
	write_place(o, one ? &class_at : &classes_at, words);
	return true;
}

static bool from_part(const struct origin *o)
{
	struct json_path profiles = { NULL, "profiles", 0 },
			 profile = { &profiles, o->r->profile->name, 0 };

	return from_rule(o) || from_when(o, &profile) || from_profile(o, &profile);
}

const char *origin_text(const struct policy *p, const struct port_rule *r,
			const struct identity *id, unsigned setting, char buf[ORIGIN_TEXT_MAX])
{
	struct origin o = { p, r, 0, setting, buf };
	struct err quiet = { 0 }; /* the rule was resolved for this port before */
	bool found;

	if (!rule_entries(r, id, &o.entries, &quiet))
		o.entries = 0;
	found = from_part(&o);
	for (size_t i = 0; i < IMPLIED && !found; i++) {
		o.setting = implied[i].given;
		found = implied[i].setting == setting && from_part(&o);
	}
	if (!found)
		snprintf(buf, ORIGIN_TEXT_MAX, "default");
	return buf;
}
