#include <stdlib.h>

#include "../../agent/engine/journal/unfinished.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "../bundle/anonymise.h"
#include "../bundle/parts.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../sandbox/helper_files.h"
#include "../sandbox/privileges.h"
#include "history_recordings.h"
#include "rollback_list.h"
#include "show_document.h"
#include "verbs.h"

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
		print_warning(c, "%s: %s; %s", key, err->text, err->fix);
	json_object_set_new(bundle, key, doc ? doc : report_error(err));
}

static json_t *read_show(struct cli *c, const struct inventory *inv, struct err *err)
{
	_free_ struct shown_port *shown = oom_calloc(inv->count + 1, sizeof(*shown));

	for (size_t i = 0; shown && i < inv->count; i++)
		if (!show_read_port(c, &inv->ports[i], &shown[i], err))
			return NULL;
	return shown ? show_to_json(c, inv, shown, err) : NULL;
}

static void add_show(struct cli *c, const struct inventory *inv, json_t *bundle)
{
	struct recording r = { .files = json_object() };
	struct err err = { 0 };

	host_record(c->h, &r);
	add_part(c, bundle, "show", read_show(c, inv, &err), &err);
	host_unrecord(c->h);
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
