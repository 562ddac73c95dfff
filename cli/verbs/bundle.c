#include <stdlib.h>
#include <string.h>

#include "../../agent/daemon/agent.h"
#include "../../agent/engine/journal/unfinished.h"
#include "../../agent/host/cleanup.h"
#include "../../agent/host/log.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../backends.h"
#include "../bundle/anonymise.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../rollback/applies_list.h"
#include "../sandbox/output_file.h"
#include "../sandbox/privileges.h"
#include "verbs.h"

#define FILES_BYTES_MAX	 (512u << 10) /* texts and paths */
#define STATUS_BYTES_MAX (1u << 20)

/* ---- files ---- */

/* The kernel's files that were read. Plain data; the caller releases `files`. */
struct recording {
	json_t *files; /* path to text */
	size_t bytes, omitted;
};

/* Processes are those of users, and /proc/sys/kernel names the host. */
static bool is_of_kernel(const char *path)
{
	return strncmp(path, "/sys/", 5) == 0 || strncmp(path, "/proc/sys/net/", 14) == 0;
}

static void record(void *arg, const char *path, const char *text)
{
	struct recording *r = arg;
	size_t size = strlen(path) + strlen(text);

	if (!is_of_kernel(path) || json_object_get(r->files, path))
		return;
	if (size > FILES_BYTES_MAX - r->bytes) {
		r->omitted++;
		return;
	}
	r->bytes += size;
	json_object_set_new(r->files, path, json_from_text(text));
}

/* ---- counters ---- */

static json_t *sample_to_json(const struct sample *s)
{
	json_t *object = json_object();
	char name[COUNTER_NAME_MAX];

	for (size_t i = 0; i < COUNTER_SLOTS; i++)
		if (s->has[i])
			json_object_set_new(object, counter_slot_name(i, name),
					    json_integer((json_int_t)s->value[i]));
	return object;
}

static json_t *port_sample(struct cli *c, const struct port *p, struct scratch *scratch)
{
	_free_ struct sample *s = oom_calloc(1, sizeof(*s));
	struct err err = { 0 };

	if (s && sample_read(c->h, all_backends.counter_readers, p, scratch, s, &err))
		return json_pack("{s:o, s:I, s:o}", "port", json_from_text(p->id.name), "uptime_ms",
				 (json_int_t)s->at_ms, "counters", sample_to_json(s));
	return json_pack("{s:o, s:o}", "port", json_from_text(p->id.name), "error",
			 report_error(&err));
}

static json_t *all_ports(struct cli *c, const struct inventory *inv, struct scratch *scratch)
{
	json_t *ports = json_array();
	char now[TIMESTAMP_MAX];

	for (size_t i = 0; i < inv->count; i++)
		json_array_append_new(ports, port_sample(c, &inv->ports[i], scratch));
	return json_pack("{s:s, s:o}", "sampled_at", timestamp_now(now), "ports", ports);
}

/* All counters of these ports now, and with `seconds` once more after that time. */
static json_t *samples_to_json(struct cli *c, const struct inventory *inv, unsigned seconds)
{
	_free_ struct scratch *scratch = scratch_new();
	json_t *samples = json_array();

	if (!scratch)
		return samples;
	json_array_append_new(samples, all_ports(c, inv, scratch));
	if (!seconds)
		return samples;
	host_sleep(c->h, seconds * 1000);
	json_array_append_new(samples, all_ports(c, inv, scratch));
	return samples;
}

/* ---- the agent ---- */

/* The status that a running agent wrote, losslessctl/status/1. The caller owns *ret. */
static bool status_document(struct host *h, json_t **ret, struct err *err)
{
	_free_ char *text = NULL;
	struct err why = { 0 };

	if (!host_read_large_file(h, STATUS_BYTES_MAX, &text, &why, AGENT_STATUS)) {
		if (why.kind == ERR_UNSUPPORTED)
			return err_set(err, ERR_MISSING, why.code,
				       "no agent has run since this host started");
		*err = why;
		return false;
	}
	*ret = json_loads(text, 0, NULL);
	if (json_is_object(*ret))
		return true;
	json_decref(*ret);
	return err_set(err, ERR_SYSTEM, 0, AGENT_STATUS " is not a JSON document");
}

/* ---- the bundle ---- */

static bool listens_not(struct host *h, const struct lldp_listener *l, struct err *err)
{
	(void)h;
	(void)l;
	return err_set(err, ERR_MISSING, 0, "--listen-for is not given");
}

static void announces_not(struct host *h, enum progress n, const char *port, const char *what)
{
	(void)h;
	(void)n;
	(void)port;
	(void)what;
}

/* Adds a document, or the error that says why there is none. */
static void add_part(const struct cli *c, json_t *bundle, const char *key, json_t *doc,
		     const struct err *err)
{
	if (!doc && err->kind == ERR_DENIED)
		print_warning(c, "%s: %s%s%s", key, err->text, err->fix[0] ? "; " : "", err->fix);
	json_object_set_new(bundle, key, doc ? doc : report_error(err));
}

static void add_show(struct cli *c, const struct inventory *inv, json_t *bundle)
{
	struct recording r = { .files = json_object() };
	struct err err = { 0 };
	json_t *doc;

	c->h->file_was_read = record;
	c->h->file_arg = &r;
	add_part(c, bundle, "show", show_document(c, inv, &doc, &err) ? doc : NULL, &err);
	c->h->file_was_read = NULL;
	c->h->file_arg = NULL;
	json_object_set_new(bundle, "files", r.files);
	json_object_set_new(bundle, "omitted_file_count", json_integer((json_int_t)r.omitted));
}

static void add_others(struct cli *c, const struct inventory *inv, unsigned sample_s,
		       json_t *bundle)
{
	struct err peer = { 0 }, applies = { 0 }, history = { 0 }, status = { 0 }, recorded = { 0 },
		   verify = { 0 };
	json_t *doc;

	json_object_set_new(bundle, "samples", samples_to_json(c, inv, sample_s));
	add_part(c, bundle, "verify", verify_document(c, &doc, &verify) ? doc : NULL, &verify);
	add_part(c, bundle, "peer", peer_document(c, inv, &doc, &peer) ? doc : NULL, &peer);
	add_part(c, bundle, "applies", applies_document(c, &doc, &applies) ? doc : NULL, &applies);
	add_part(c, bundle, "history", history_document(c, &doc, &history) ? doc : NULL, &history);
	add_part(c, bundle, "recordings", recordings_document(c, &doc, &recorded) ? doc : NULL,
		 &recorded);
	add_part(c, bundle, "status", status_document(c->h, &doc, &status) ? doc : NULL, &status);
}

bool bundle_write(struct cli *c, json_t *ready, bool listens, unsigned sample_s, struct err *err)
{
	_inventory_ struct inventory inv = { .ports = NULL };
	json_auto_t *bundle = NULL;

	if (!listens) {
		c->h->listen_lldp = listens_not;
		c->h->report = announces_not;
	}
	if (!inventory_read(&c->engine, &c->engine.selection, &inv, err))
		return false;
	bundle = report_of_host(c, "bundle");
	json_object_set_new(bundle, "anonymised", json_boolean(c->opt.anonymise));
	add_show(c, &inv, bundle);
	json_object_set(bundle, "ready", ready);
	add_others(c, &inv, sample_s, bundle);
	print_json(c, c->opt.anonymise ? anonymise(bundle) : json_incref(bundle));
	if (*c->output_lost)
		return err_no_memory(err);
	c->output_done = !c->opt.file || output_file_finish(c->opt.file, err);
	return c->output_done;
}

/*
 * The checks of `ready` come first: they need a right of their own. Listening takes half a minute,
 * and a right: both only if asked for.
 */
int verb_bundle(struct cli *c, struct err *err)
{
	bool listens = c->opt.listen_for_s;
	json_auto_t *ready = NULL;

	if (!cli_open_host(c, false, err) || !ready_document(c, &ready, err) ||
	    !privilege_keep(listens ? PRIVILEGE(CAP_NET_RAW) : PRIVILEGE_NONE, err) ||
	    !bundle_write(c, ready, listens, c->opt.sample_for_s, err))
		return -1;
	unfinished_warn(&c->engine);
	return EXIT_SUCCESS;
}
