#include "captured_host.h"

#include <errno.h>
#include <string.h>

#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../backends.h"
#include "../sandbox/state_file.h"
#include "captured_port.h"

#define PORTS_MAX     1024
#define SHOW_SCHEMA   "losslessctl/show/1"
#define BUNDLE_SCHEMA "losslessctl/bundle/1"

static bool has_schema(const json_t *doc, const char *schema)
{
	const char *text = json_string_value(json_object_get(doc, "schema"));

	return text && strcmp(text, schema) == 0;
}

/* The document of show: `doc` itself, or the part of a bundle. */
static bool find_show(json_t *doc, json_t **ret, struct err *err)
{
	json_t *show = has_schema(doc, BUNDLE_SCHEMA) ? json_object_get(doc, "show") : doc;

	if (!has_schema(show, SHOW_SCHEMA)) {
		err_record(err, ERR_POLICY, EINVAL, "neither a document of show nor a bundle");
		return err_fix(err, "write it with `losslessctl show --json` or `losslessctl "
				    "bundle` on the host");
	}
	*ret = json_incref(show);
	return true;
}

static bool has_earlier(const struct captured_host *h, const char *name)
{
	return captured_find(&h->view, name) != NULL;
}

static bool read_ports(struct captured_host *h, struct err *err)
{
	const struct json_path at = { NULL, "ports", 0 };
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

bool captured_host_read(int fd, struct captured_host *ret, struct err *err)
{
	json_auto_t *doc = NULL;

	return state_file_read(fd, &doc, err) && find_show(doc, &ret->document, err) &&
	       read_ports(ret, err);
}

bool captured_host_open(struct cli *c, struct err *err)
{
	c->captured = oom_calloc(1, sizeof(*c->captured));
	if (!c->captured)
		return err_no_memory(err);
	if (!captured_host_read(c->state_fd, c->captured, err))
		return err_in(err, "%s", c->opt.state);
	c->engine = cli_engine(c);
	c->engine.captured = &c->captured->view;
	return true;
}

void captured_host_clear(struct captured_host *h)
{
	json_decref(h->document);
	free(h->ports);
}

void captured_host_free(struct captured_host *h)
{
	if (!h)
		return;
	captured_host_clear(h);
	free(h);
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
