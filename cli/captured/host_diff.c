#include "host_diff.h"

#include <string.h>

#include "../../agent/engine/verify/setups.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/document/config_json.h"
#include "../../policy/util/json_dump.h"

struct visit {
	void (*each)(const struct host_difference *d, void *arg);
	void *arg;
	const char *port;
};

static void report_setting(const struct visit *v, unsigned k, const struct config *a,
			   const struct config *b)
{
	struct config only_a = *a, only_b = *b;
	json_auto_t *x, *y;
	char before[SETTING_TEXT_MAX], after[SETTING_TEXT_MAX];

	if (a->has & b->has & SETTING(k))
		setting_drop_equal(&settings[k], &only_a, &only_b);
	x = setting_to_json(&settings[k], &only_a);
	y = setting_to_json(&settings[k], &only_b);
	setting_change_text(&settings[k], a, b, before, after);
	v->each(&(struct host_difference){ v->port, settings[k].path, { x, y }, { before, after } },
		v->arg);
}

static void compare_settings(const struct visit *v, const struct config *a, const struct config *b)
{
	const struct setup x = { v->port, a, NULL }, y = { v->port, b, NULL };

	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if (setups_differ(&x, &y, k))
			report_setting(v, k, a, b);
}

static const char *text_of(const json_t *value, char *dump)
{
	if (!value || json_is_null(value))
		return "unknown";
	return json_is_string(value) ? json_string_value(value) : dump ? dump : "";
}

static void report_fact(const struct visit *v, const char *key, const json_t *a, const json_t *b)
{
	_free_ char *x = json_dump_sanitized(a, JSON_COMPACT | JSON_ENCODE_ANY);
	_free_ char *y = json_dump_sanitized(b, JSON_COMPACT | JSON_ENCODE_ANY);

	v->each(&(struct host_difference){ v->port,
					   key,
					   { a, b },
					   { text_of(a, x), text_of(b, y) } },
		v->arg);
}

/* Values that each port and each host have of their own, or that change by themselves. */
static bool is_own(const char *key)
{
	static const char *const keys[] = { "pci",
					    "mac",
					    "rdma",
					    "gids",
					    "dcbx_owner_detail",
					    "rdma_port",
					    "upper",
					    "congestion_control",
					    "other_writers" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return false;
}

/* Compares the keys that both objects have: an older version knows fewer. */
static void compare_facts(const struct visit *v, json_t *a, const json_t *b)
{
	const char *key;
	json_t *value;

	json_object_foreach (a, key, value) {
		const json_t *other = json_object_get(b, key);

		if (!is_own(key) && other && !json_equal(value, other))
			report_fact(v, key, value, other);
	}
}

/* The index of the port with this name; the number of ports: there is none. */
static size_t place_of(const struct captured_host *h, const char *name)
{
	size_t at = 0;

	while (at < h->view.count && strcmp(h->ports[at].port.id.name, name) != 0)
		at++;
	return at;
}

static json_t *port_at(const struct captured_host *h, size_t i)
{
	return json_array_get(json_object_get(h->document, "ports"), i);
}

static void compare_port(const struct visit *v, const struct captured_host *a, size_t i,
			 const struct captured_host *b, size_t j)
{
	static const char *const objects[] = { "device", "capabilities" };

	compare_settings(v, &a->ports[i].seen.actual, &b->ports[j].seen.actual);
	for (size_t k = 0; k < sizeof(objects) / sizeof(objects[0]); k++)
		compare_facts(v, json_object_get(port_at(a, i), objects[k]),
			      json_object_get(port_at(b, j), objects[k]));
}

void host_diff_each(const struct captured_host *a, const struct captured_host *b,
		    void (*each)(const struct host_difference *d, void *arg), void *arg)
{
	struct visit v = { each, arg, NULL };

	for (size_t i = 0; i < a->view.count; i++) {
		size_t j = place_of(b, a->ports[i].port.id.name);

		v.port = a->ports[i].port.id.name;
		if (j < b->view.count)
			compare_port(&v, a, i, b, j);
	}
	v.port = NULL;
	compare_facts(&v, json_object_get(a->document, "platform"),
		      json_object_get(b->document, "platform"));
}

json_t *host_diff_only(const struct captured_host *a, const struct captured_host *b)
{
	json_t *list = json_array();

	for (size_t i = 0; i < a->view.count; i++)
		if (!captured_find(&b->view, a->ports[i].port.id.name))
			json_array_append_new(list, json_string(a->ports[i].port.id.name));
	return list;
}
