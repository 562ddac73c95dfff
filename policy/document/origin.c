#include "origin.h"

#include <stdio.h>

/* Where the policy gives a setting, and in `words` which part of it does; NULL: none does. */
static const struct json_place *place_of(const struct policy *p, const struct port_rule *r,
					 const struct because *b, char words[SOURCE_TEXT_MAX])
{
	const struct json_place *from = r->profile->place;
	char part[40] = "", pointer[120], group[GROUP_MAX];
	size_t first;

	words[0] = '\0';
	switch ((enum policy_part)b->part) {
	case PART_NONE:
		return NULL;
	case PART_CONGESTION_CONTROL:
		snprintf(words, SOURCE_TEXT_MAX, "congestion_control");
		return json_place_below(&p->index, p->index.places, "/congestion_control");
	case PART_CLASSES:
		classes_source(&r->profile->classes, b->setting, words);
		snprintf(part, sizeof(part), "/classes");
		if (classes_first(&r->profile->classes, b->setting, &first))
			snprintf(part, sizeof(part), "/classes/%zu", first);
		return json_place_below(&p->index, from, part);
	case PART_PROFILE:
		break;
	case PART_WHEN:
		snprintf(words, SOURCE_TEXT_MAX, "\"when\" %u", b->when + 1u);
		snprintf(part, sizeof(part), "/when/%u/set", b->when);
		break;
	case PART_RULE:
		from = r->place;
		snprintf(part, sizeof(part), p->is_show_document ? "/config" : "/set");
		if (!p->is_show_document)
			snprintf(words, SOURCE_TEXT_MAX, "rule %zu", (size_t)(r - p->rules) + 1);
		break;
	}
	setting_group(&settings[b->setting], group);
	snprintf(pointer, sizeof(pointer), "%s%s%s/%s", part, group[0] ? "/" : "", group,
		 setting_leaf(&settings[b->setting]));
	return json_place_below(&p->index, from, pointer);
}

const char *origin_text(const struct policy *p, const struct port_rule *r, const struct because *b,
			char buf[ORIGIN_TEXT_MAX])
{
	char words[SOURCE_TEXT_MAX];
	const struct json_place *at = place_of(p, r, b, words);

	/* Long names of classes are cut. */
	if (!at || snprintf(buf, ORIGIN_TEXT_MAX, "%.200s:%u%s%s", p->source, at->line,
			    words[0] ? ", " : "", words) < 0)
		snprintf(buf, ORIGIN_TEXT_MAX, "default");
	return buf;
}

unsigned origin_line(const struct policy *p, const struct port_rule *r, size_t when, setting_set of)
{
	setting_set conditional = when ? r->profile->when[when - 1].set.replaced.has : 0;
	struct because because[SETTING_COUNT];
	struct err never = { 0 }; /* loading has checked each entry of "when" */
	char words[SOURCE_TEXT_MAX];
	struct config desired;

	if (!rule_desired_of(r, when ? 1u << (when - 1) : 0, &desired, because, &never))
		return r->place->line;
	of = of & conditional ? of & conditional : of;
	for (; of; of &= of - 1) {
		const struct because *b = &because[__builtin_ctzll(of)];
		const struct json_place *at = place_of(p, r, b, words);

		/* A setting that another one implies is not set. */
		if (at && b->setting == __builtin_ctzll(of))
			return at->line;
	}
	return r->place->line;
}
