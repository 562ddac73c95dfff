#include "captured_host.h"

#include <string.h>

#include "../../agent/engine/verify/compare_ports.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/util/json_dump.h"

struct visit {
	void (*each)(const struct host_difference *d, void *arg);
	void *arg;
	const char *port;
};

/* Returns the word in place of a value that a port does not have. */
static const char *text_without(const struct observation *o, unsigned k, const char *text)
{
	return o->actual.has & SETTING(k)    ? text
	       : o->unsupported & SETTING(k) ? "unsupported"
	       : o->missing & SETTING(k)     ? "not created yet"
					     : "unknown";
}

static void report_setting(const struct visit *v, unsigned k, const struct observation *a,
			   const struct observation *b)
{
	struct config only_a = a->actual, only_b = b->actual;
	json_auto_t *x, *y;
	char before[SETTING_TEXT_MAX], after[SETTING_TEXT_MAX];
	bool is_known = !((a->unknown | b->unknown) & SETTING(k));

	if (only_a.has & only_b.has & SETTING(k))
		setting_drop_equal(&settings[k], &only_a, &only_b);
	x = setting_to_json(&settings[k], &only_a);
	y = setting_to_json(&settings[k], &only_b);
	setting_change_text(&settings[k], &a->actual, &b->actual, before, after);
	v->each(&(struct host_difference){ v->port,
					   settings[k].path,
					   { x, y },
					   { text_without(a, k, before),
					     text_without(b, k, after) },
					   is_known },
		v->arg);
}

static struct setup setup_of(const struct captured_port *p)
{
	return (struct setup){ .port = p->port.id.name,
			       .actual = &p->seen.actual,
			       .elsewhere = observation_elsewhere(&p->seen, &p->port) };
}

static void compare_settings(const struct visit *v, const struct captured_port *a,
			     const struct captured_port *b)
{
	const struct setup x = setup_of(a), y = setup_of(b);

	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if (setups_differ(&x, &y, k))
			report_setting(v, k, &a->seen, &b->seen);
}

static bool is_in(const char *const keys[], const char *key)
{
	while (*keys && strcmp(*keys, key) != 0)
		keys++;
	return *keys;
}

/* Facts that a port or a host may lack: null says so. Of others, null says that nobody knows. */
static const char *const may_lack[] = {
	"bond",	       "mlx5",	    "mlx5_version",	 "rate_object",
	"slow_kernel", "upper_mtu", "largest_upper_mtu", "congestion_program",
	"mqprio",      NULL
};

/* Values that each port and each host have of their own, or that change by themselves. */
static const char *const own[] = { "alt_names",
				   "bond_alt_names",
				   "congestion_control",
				   "dcbx_owner_detail",
				   "gids",
				   "largest_upper",
				   "mac",
				   "other_writers",
				   "pci",
				   "rdma",
				   "rdma_port",
				   "upper",
				   NULL };

static const char *text_of(const char *key, const json_t *value, char *dump)
{
	if (json_is_null(value))
		return is_in(may_lack, key) ? "none" : "unknown";
	return json_is_string(value) ? json_string_value(value) : dump ? dump : "";
}

static bool fact_is_known(const char *key, const json_t *value)
{
	return !json_is_null(value) || is_in(may_lack, key);
}

static void report_fact(const struct visit *v, const char *key, const json_t *a, const json_t *b)
{
	_free_ char *x = json_dump_sanitized(a, JSON_COMPACT | JSON_ENCODE_ANY);
	_free_ char *y = json_dump_sanitized(b, JSON_COMPACT | JSON_ENCODE_ANY);

	v->each(&(struct host_difference){ v->port,
					   key,
					   { a, b },
					   { text_of(key, a, x), text_of(key, b, y) },
					   fact_is_known(key, a) && fact_is_known(key, b) },
		v->arg);
}

/* Compares the keys that both objects have: an older version knows fewer. */
static void compare_facts(const struct visit *v, json_t *a, const json_t *b)
{
	const char *key;
	json_t *value;

	json_object_foreach (a, key, value) {
		const json_t *other = json_object_get(b, key);

		if (!is_in(own, key) && other && !json_equal(value, other))
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

	compare_settings(v, &a->ports[i], &b->ports[j]);
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
