#include "captured_host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../policy/model/setting.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../backends.h"
#include "../sandbox/policy_file.h"

#define PORTS_MAX     1024
#define SHOW_SCHEMA   "losslessctl/show/1"
#define BUNDLE_SCHEMA "losslessctl/bundle/1"
#define ERROR_SCHEMA  "losslessctl/error/1"

static bool has_schema(const json_t *doc, const char *schema)
{
	return strcmp(json_text(doc, "schema"), schema) == 0;
}

bool captured_host_part(const struct captured_host *h, const char *key, json_t **ret,
			struct err *err)
{
	json_t *part = json_object_get(h->bundle, key);

	*ret = part;
	if (!part) {
		err_record(err, ERR_UNKNOWN, 0, "the document has no \"%s\"", key);
		return err_fix(err, "collect it with `losslessctl bundle` on the host");
	}
	if (!has_schema(part, ERROR_SCHEMA))
		return true;
	err_record(err, ERR_UNKNOWN, 0, "the host could not tell \"%s\": %s", key,
		   json_text(part, "message"));
	return err_fix(err, "%s", json_text(part, "fix"));
}

/* The document of show: `doc` itself, or the part of a bundle. */
static bool find_show(struct captured_host *h, json_t *doc, struct err *err)
{
	json_t *show = doc;

	if (has_schema(doc, BUNDLE_SCHEMA)) {
		h->bundle = json_incref(doc);
		if (!captured_host_part(h, "show", &show, err))
			return false;
	}
	if (!has_schema(show, SHOW_SCHEMA)) {
		err_record(err, ERR_POLICY, EINVAL, "neither a document of show nor a bundle");
		return err_fix(err, "write it with `losslessctl show --json` or `losslessctl "
				    "bundle` on the host");
	}
	h->document = json_incref(show);
	return true;
}

static bool has_earlier(const struct captured_host *h, const char *name)
{
	return captured_find(&h->view, name) != NULL;
}

static bool read_ports(struct captured_host *h, struct err *err)
{
	const struct json_path show = { NULL, "show", 0 };
	const struct json_path at = { h->bundle ? &show : NULL, "ports", 0 };
	const json_t *list = json_object_get(h->document, "ports");
	json_t *port;
	size_t i;

	if (!json_is_array(list) || json_array_size(list) > PORTS_MAX)
		return err_expected(err, &at, list, "a list of at most %d ports", PORTS_MAX);
	h->ports = oom_calloc(json_array_size(list) + 1, sizeof(*h->ports));
	if (!h->ports)
		return err_no_memory(err);
	h->view.ports = h->ports;
	json_array_foreach (list, i, port) {
		const struct json_path here = { &at, NULL, i };

		if (!captured_port_from_json(port, all_backends.features, &here, &h->ports[i], err))
			return false;
		if (has_earlier(h, h->ports[i].port.id.name))
			return err_policy(err, &here, "another port has the same name");
		h->view.count++;
	}
	return true;
}

/* An entry without a name is left out. */
static bool read_others(struct captured_host *h, struct err *err)
{
	const json_t *list = json_object_get(h->document, "ignored_interfaces"), *entry;
	size_t i;

	h->others = oom_calloc(json_array_size(list) + 1, sizeof(*h->others));
	if (!h->others)
		return err_no_memory(err);
	h->view.others = h->others;
	json_array_foreach (list, i, entry) {
		struct ignored_port *o = &h->others[h->view.others_count];

		snprintf(o->name, sizeof(o->name), "%s", json_text(entry, "name"));
		o->why = json_text(entry, "message");
		h->view.others_count += o->name[0] != '\0';
	}
	return true;
}

static setting_set settings_of(const json_t *paths)
{
	setting_set set = 0;
	const json_t *path;
	size_t i;

	json_array_foreach (paths, i, path) {
		const struct setting *k =
			json_is_string(path) ? setting_find(json_string_value(path)) : NULL;

		set |= k ? SETTING(k - settings) : 0;
	}
	return set;
}

static void read_writers(struct captured_host *h)
{
	const json_t *platform = json_object_get(h->document, "platform"), *entry;
	struct other_writers *all = &h->view.writers;
	size_t i;

	json_array_foreach (json_object_get(platform, "other_writers"), i, entry) {
		struct other_writer *w = &h->writers[all->count];

		if (all->count == OTHER_WRITERS_MAX)
			return;
		*w = (struct other_writer){ json_text(entry, "name"),
					    settings_of(json_object_get(entry, "settings")),
					    json_text(entry, "fix") };
		all->list[all->count++] = (struct running_writer){
			w, (unsigned)json_integer_value(json_object_get(entry, "pid"))
		};
	}
}

bool captured_host_read(int fd, struct captured_host *ret, struct err *err)
{
	json_auto_t *doc = NULL;

	if (!state_file_read(fd, &doc, err) || !find_show(ret, doc, err) || !read_ports(ret, err) ||
	    !read_others(ret, err))
		return false;
	read_writers(ret);
	return true;
}

void captured_host_clear(struct captured_host *h)
{
	json_decref(h->document);
	json_decref(h->bundle);
	free(h->ports);
	free(h->others);
}

void captured_host_free(struct captured_host *h)
{
	if (!h)
		return;
	captured_host_clear(h);
	free(h);
}

json_t *captured_host_port(const struct captured_host *h, const char *name)
{
	const struct captured_port *p = captured_find(&h->view, name);

	return p ? json_array_get(json_object_get(h->document, "ports"), (size_t)(p - h->ports))
		 : NULL;
}

void captured_host_identify(const struct captured_host *h, json_t *doc)
{
	static const char *const keys[] = { "host", "host_id", "boot_id" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		json_t *value = json_object_get(h->document, keys[i]);

		json_object_set(doc, keys[i], json_is_string(value) ? value : json_null());
	}
	json_object_set_new(doc, "losslessctl_version", json_string(LOSSLESSCTL_VERSION));
	json_object_set(doc, "observed_at", json_object_get(h->document, "observed_at"));
}
