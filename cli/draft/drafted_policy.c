#include "drafted_policy.h"

#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/document/settings_json.h"

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

/* ---- JSON on lines ---- */

#define COLUMNS 100

static bool print_value(FILE *to, const json_t *value, int indent, size_t column);

/* `key` is NULL in a list. */
static bool print_entry(FILE *to, const char *key, const json_t *value, int indent, bool is_first)
{
	json_auto_t *name = key ? json_string(key) : NULL;
	_free_ char *text = key ? json_dumps(name, JSON_ENCODE_ANY) : NULL;
	int used = 0;

	if (key && !text)
		return false;
	fprintf(to, "%s\n%*s", is_first ? "" : ",", indent, "");
	if (text)
		used = fprintf(to, "%s: ", text);
	return print_value(to, value, indent, (size_t)indent + (size_t)used);
}

static bool print_entries(FILE *to, const json_t *value, int indent)
{
	bool is_list = json_is_array(value), ok = true;
	const json_t *entry;
	const char *key;
	size_t i;

	fputc(is_list ? '[' : '{', to);
	json_array_foreach (value, i, entry)
		ok = ok && print_entry(to, NULL, entry, indent + 2, i == 0);
	i = 0;
	json_object_foreach ((json_t *)value, key, entry)
		ok = ok && print_entry(to, key, entry, indent + 2, i++ == 0);
	fprintf(to, "\n%*s%c", indent, "", is_list ? ']' : '}');
	return ok;
}

static bool print_value(FILE *to, const json_t *value, int indent, size_t column)
{
	_free_ char *text = json_dumps(value, JSON_ENCODE_ANY);
	bool is_list = json_is_array(value) && json_array_size(value) > 0;
	bool is_object = json_is_object(value) && json_object_size(value) > 0;

	if (!text)
		return false;
	if ((is_list || is_object) && column + strlen(text) > COLUMNS)
		return print_entries(to, value, indent);
	fputs(text, to);
	return true;
}

bool json_text_print(FILE *to, const json_t *value)
{
	bool ok = print_entries(to, value, 0);

	fputc('\n', to);
	return ok;
}
