#include "congestion_topic.h"

#include <stdio.h>
#include <string.h>

#include "../../policy/document/config_json.h"
#include "../../policy/model/congestion_control.h"
#include "../../policy/model/setting.h"

#define NAMES_MAX 512

bool topic_congestion_entry(size_t i, struct entry *ret)
{
	const struct congestion_control *c = &congestion_controls[i];

	if (!c->name)
		return false;
	*ret = (struct entry){ c->name, c->description, "congestion control", NULL };
	return true;
}

/* True of the first setting of "dcqcn.*" that is listed: it stands for all. */
static bool is_first_of_dcqcn(unsigned setting)
{
	return setting == SETTING_DCQCN_CLAMP_TGT_RATE;
}

static bool is_dcqcn(unsigned setting)
{
	return strncmp(settings[setting].path, "dcqcn.", 6) == 0;
}

/* Lists the settings; NULL if there are none. */
static const char *names_of(setting_set set, char buf[NAMES_MAX])
{
	const char *before = "";
	size_t used = 0;

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		if (!(set & SETTING(i)) || (is_dcqcn(i) && !is_first_of_dcqcn(i)))
			continue;
		used += (size_t)snprintf(buf + used, NAMES_MAX - used, "%s%s", before,
					 is_dcqcn(i) ? "dcqcn.*" : settings[i].path);
		before = ", ";
	}
	return used ? buf : NULL;
}

static const char *asserted_text(const struct config *asserted, char buf[NAMES_MAX])
{
	const char *before = "";
	size_t used = 0;

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		char value[SETTING_TEXT_MAX];

		if (!(asserted->has & SETTING(i)))
			continue;
		setting_text(&settings[i], asserted, value);
		used += (size_t)snprintf(buf + used, NAMES_MAX - used, "%s%s %.40s", before,
					 settings[i].path, value);
		before = ", ";
	}
	return used ? buf : NULL;
}

static json_t *paths_of(setting_set set)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (set & SETTING(i))
			json_array_append_new(list, json_string(settings[i].path));
	return list;
}

void topic_congestion_fields(struct explain_page *p, size_t i)
{
	const struct congestion_control *c = &congestion_controls[i];
	char names[NAMES_MAX];

	page_text(p, "owner", "owner", c->owner);
	page_text(p, "asserts", NULL, asserted_text(&c->asserted, names));
	page_text(p, "verifies", NULL, names_of(c->verified, names));
	page_text(p, "rejects", NULL, names_of(c->rejected, names));
	page_text(p, "why", "rationale", c->reason);
	page_text(p, "source", "source", c->source);
	page_json(p, "asserted", config_to_json(&c->asserted, c->asserted.has));
	page_json(p, "verified_only", paths_of(c->verified));
	page_json(p, "rejected", paths_of(c->rejected));
}
