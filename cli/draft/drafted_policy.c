#include "drafted_policy.h"

#include <string.h>

#include "../../policy/document/config_json.h"

static bool is_alike(const struct drafted_port *a, const struct drafted_port *b)
{
	return a->draft.unset == b->draft.unset && json_equal(a->draft.profile, b->draft.profile);
}

static bool has_driver(const struct drafted_port *a, const char *driver)
{
	return driver[0] && strcmp(a->port->id.driver, driver) == 0;
}

/* The first port that is like port i: it stands for all of them. */
static size_t first_of(const struct drafted_port *ports, size_t i)
{
	size_t first = 0;

	while (!is_alike(&ports[first], &ports[i]))
		first++;
	return first;
}

/* True if all ports of the driver of port i are like it. */
static bool is_whole_driver(const struct drafted_port *ports, size_t count, size_t i)
{
	const char *driver = ports[i].port->id.driver;

	for (size_t j = 0; j < count; j++)
		if (has_driver(&ports[j], driver) && !is_alike(&ports[j], &ports[i]))
			return false;
	return driver[0] != '\0';
}

/* True if a rule of an earlier port has this one too. */
static bool has_rule(const struct drafted_port *ports, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (has_driver(&ports[j], ports[i].port->id.driver))
			return true;
	return false;
}

/* {"roce": {"tos": null}} */
static json_t *nulls(setting_set set)
{
	json_t *out = json_object();
	char group[GROUP_MAX];

	for (unsigned k = 0; k < SETTING_COUNT; k++) {
		json_t *in = out;

		if (!(set & SETTING(k)))
			continue;
		setting_group(&settings[k], group);
		if (group[0] && !json_object_get(out, group))
			json_object_set_new(out, group, json_object());
		if (group[0])
			in = json_object_get(out, group);
		json_object_set_new(in, setting_leaf(&settings[k]), json_null());
	}
	return out;
}

static json_t *rule_of(const struct drafted_port *p, bool whole_driver, const char *profile)
{
	const struct identity *id = &p->port->id;
	json_t *rule = json_pack("{s:{s:s}, s:s}", "match", whole_driver ? "driver" : "name",
				 whole_driver ? id->driver : id->name, "profile", profile);

	if (p->draft.unset)
		json_object_set_new(rule, "set", nulls(p->draft.unset));
	return rule;
}

/* "host" if one profile has all ports, else "host-1" and so on. */
static const char *profile_name(const struct drafted_port *ports, size_t count, size_t i,
				char buf[32])
{
	size_t number = 0, groups = 0;

	for (size_t j = 0; j < count; j++) {
		groups += first_of(ports, j) == j;
		if (j == first_of(ports, i))
			number = groups;
	}
	snprintf(buf, 32, groups == 1 ? "host" : "host-%zu", number);
	return buf;
}

json_t *drafted_policy(const struct drafted_port *ports, size_t count, bool by_name)
{
	json_t *profiles = json_object(), *rules = json_array();
	char name[32];

	for (size_t i = 0; i < count; i++) {
		bool whole = !by_name && is_whole_driver(ports, count, i);

		profile_name(ports, count, i, name);
		json_object_set(profiles, name, ports[i].draft.profile);
		if (!whole || !has_rule(ports, i))
			json_array_append_new(rules, rule_of(&ports[i], whole, name));
	}
	return json_pack("{s:o, s:o}", "profiles", profiles, "rules", rules);
}
