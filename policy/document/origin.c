#include "origin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/oom.h"
#include "classes.h"

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
	const struct policy_places *places; /* NULL: not known */
	unsigned line;			    /* where the value is given */
	char *buf;			    /* NULL: only the line is needed */
};

/* The place of the rule or profile whose part this pointer is. */
static const struct json_start *start_of(const struct origin *o, const char *pointer)
{
	bool in_profile = strncmp(pointer, "/profiles/", strlen("/profiles/")) == 0;

	return in_profile ? &o->places->profiles[o->r->profile - o->p->profiles]
			  : &o->places->rules[o->r - o->p->rules];
}

static unsigned line_of(const struct origin *o, const struct json_path *at)
{
	struct json_location place = { .pointer = "" };
	const struct json_start *start;
	const char *below;

	json_path_to_pointer(at, place.pointer, sizeof(place.pointer));
	if (!o->places || !at->parent) { /* a key beside rules and profiles */
		json_locate(o->p->text, &place);
		return place.line;
	}
	start = start_of(o, place.pointer);
	below = strchr(place.pointer + 1, '/');
	below = below ? strchr(below + 1, '/') : NULL;
	memmove(place.pointer, below ? below : "", below ? strlen(below) + 1 : 1);
	json_locate(start->at, &place);
	return start->line + place.line - 1;
}

/* Notes the line, and writes "FILE:LINE, " and the words. */
static void write_place(struct origin *o, const struct json_path *at, const char *words)
{
	o->line = line_of(o, at);
	if (!o->buf)
		return;
	snprintf(o->buf, ORIGIN_TEXT_MAX, "%.200s:%u%s%s", o->p->source, o->line,
		 words[0] ? ", " : "", words);
}

/* The same for the setting's own key below an object of settings. */
static void write_key(struct origin *o, const struct json_path *object, const char *words)
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

static bool from_rule(struct origin *o)
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

static bool from_when(struct origin *o, const struct json_path *profile_at)
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

static bool from_profile(struct origin *o, const struct json_path *profile_at)
{
	const struct profile *profile = o->r->profile;
	struct json_path classes_at = { profile_at, "classes", 0 },
			 class_at = { &classes_at, NULL, 0 };
	char words[SOURCE_TEXT_MAX];
	bool one;

	if (!(profile->base.has & SETTING(o->setting)))
		return false;
	if (profile->asserted & SETTING(o->setting)) {
		write_place(o, &(struct json_path){ NULL, "congestion_control", 0 },
			    "congestion_control");
		return true;
	}
	if (profile->own & SETTING(o->setting)) {
		write_key(o, profile_at, "");
		return true;
	}
	one = classes_first(&profile->classes, o->setting, &class_at.index);
	classes_source(&profile->classes, o->setting, words);
	write_place(o, one ? &class_at : &classes_at, words);
	return true;
}

static bool from_part(struct origin *o)
{
	struct json_path profiles = { NULL, "profiles", 0 },
			 profile = { &profiles, o->r->profile->name, 0 };

	return from_rule(o) || from_when(o, &profile) || from_profile(o, &profile);
}

const char *origin_text(const struct policy *p, const struct port_rule *r,
			const struct identity *id, unsigned setting, char buf[ORIGIN_TEXT_MAX])
{
	struct origin o = { p, r, 0, setting, NULL, 0, buf };
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

bool policy_places_find(const struct policy *p, struct policy_places *ret, struct err *err)
{
	struct policy_places places = { calloc(p->count + 1, sizeof(*places.rules)),
					calloc(p->profiles_count + 1, sizeof(*places.profiles)) };

	if (!places.rules || !places.profiles) {
		policy_places_free(&places);
		return err_no_memory(err);
	}
	json_find_starts(p->text, p->is_show_document ? "ports" : "rules", places.rules, p->count);
	json_find_starts(p->text, "profiles", places.profiles, p->profiles_count);
	*ret = places;
	return true;
}

void policy_places_free(struct policy_places *places)
{
	free(places->rules);
	free(places->profiles);
}

static bool first_of(struct origin *o, setting_set of)
{
	for (o->setting = 0; o->setting < SETTING_COUNT; o->setting++)
		if ((of & SETTING(o->setting)) && from_part(o))
			return true;
	return false;
}

unsigned origin_line(const struct policy *p, const struct policy_places *places,
		     const struct port_rule *r, size_t when, setting_set of)
{
	struct origin o = { p, r, when ? 1u << (when - 1) : 0, 0, places, 0, NULL };
	setting_set conditional = when ? r->profile->when[when - 1].set.replaced.has : 0;

	return first_of(&o, of & conditional) || first_of(&o, of)
		       ? o.line
		       : places->rules[r - p->rules].line;
}
