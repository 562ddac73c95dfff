#include "store_document.h"

#include <stdio.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/json_dump.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../../policy/util/sanitize.h"
#include "../../policy/util/sha256.h"
#include "database.h"
#include "flatten/fields.h"
#include "flatten/flatten.h"

static const struct kind {
	const char *name, *aspect;
	flatten *flatten;
} kinds[] = {
	{ "verify", "state", flatten_verify }, { "status", "state", flatten_status },
	{ "show", "setup", flatten_show },     { "peer", "peer", flatten_peer },
	{ "ready", "ready", flatten_ready },   { "history", "history", flatten_drift },
	{ "probe", "probe", flatten_probe },   { "probe-matrix", "probe", flatten_probe_matrix },
};

/* The parts of a bundle that are documents of their own. */
static const char *const bundle_parts[] = {
	"show", "status", "verify", "peer", "ready", "history"
};

static const struct field header[] = {
	FIELD(report, host, FIELD_TEXT),
	FIELD(report, host_id, FIELD_OPTIONAL_TEXT),
	FIELD(report, boot_id, FIELD_OPTIONAL_TEXT),
	{ "losslessctl_version", FIELD_TEXT, offsetof(struct report, version) },
	FIELD(report, observed_at, FIELD_PAST),
	FIELD(report, verdict, FIELD_OPTIONAL_TEXT),
	FIELD(report, state_hash, FIELD_OPTIONAL_TEXT),
	FIELD(report, policy, FIELD_OBJECT),
	FIELD(report, ports, FIELD_OPTIONAL_LIST),
};

static const struct field policy_fields[] = {
	{ "name", FIELD_OPTIONAL_TEXT, offsetof(struct report, policy_name) },
	{ "sha256", FIELD_OPTIONAL_TEXT, offsetof(struct report, policy_sha256) },
	{ "generation", FIELD_NUMBER, offsetof(struct report, policy_generation) },
};

static void count_ports(struct report *r)
{
	size_t i;
	json_t *port;

	r->port_count = (json_int_t)list_size(r->ports);
	json_array_foreach (r->ports, i, port) {
		const char *verdict = json_string_value(json_object_get(port, "verdict"));

		r->drifted_port_count += verdict && strcmp(verdict, "drift") == 0;
		r->unknown_port_count += verdict && strcmp(verdict, "unknown") == 0;
	}
}

static bool store_report(struct store *s, struct report *r, const char *aspect, bool *ret_new,
			 struct err *err)
{
	if (!STORE_RUN(s, STORE_REPORT, err, CELL_TEXT(r->host_id), CELL_TEXT(r->kind),
		       CELL_TEXT(r->observed_at), CELL_TEXT(aspect), CELL_TEXT(r->host),
		       CELL_TEXT(r->boot_id), CELL_TEXT(r->version), CELL_TEXT(r->policy_name),
		       CELL_TEXT(r->policy_sha256),
		       { .number = r->policy_generation, .is_number = r->policy_generation > 0 },
		       CELL_TEXT(r->verdict), CELL_TEXT(r->state_hash), CELL_NUMBER(r->port_count),
		       CELL_NUMBER(r->drifted_port_count), CELL_NUMBER(r->unknown_port_count)))
		return false;
	*ret_new = sqlite3_changes(s->db) > 0;
	if (!*ret_new)
		return true;
	r->id = sqlite3_last_insert_rowid(s->db);
	if (!STORE_RUN(s, STORE_LATEST, err, CELL_TEXT(r->host_id), CELL_TEXT(aspect),
		       CELL_NUMBER(r->id), CELL_TEXT(r->observed_at), CELL_TEXT(r->kind),
		       CELL_TEXT(r->host)))
		return false;
	r->newest = sqlite3_changes(s->db) > 0;
	return true;
}

static bool ingest_kind(struct store *s, json_t *document, const struct kind *kind, bool *ret_new,
			struct err *err)
{
	const struct json_path policy = { NULL, "policy", 0 };
	_free_ char *by_name = NULL;
	struct report r = { .kind = kind->name, .document = document };

	if (!FIELDS_READ(document, header, &r, NULL, err) ||
	    (r.policy && !FIELDS_READ(r.policy, policy_fields, &r, &policy, err)))
		return false;
	if (!r.host_id && asprintf(&by_name, "name:%s", r.host) >= 0)
		r.host_id = by_name;
	if (!r.host_id)
		return err_no_memory(err);
	count_ports(&r);
	return store_report(s, &r, kind->aspect, ret_new, err) &&
	       (!*ret_new || kind->flatten(s, &r, err));
}

#define SCHEMA_PREFIX "losslessctl/"

/* The kind of a document: "verify" of "losslessctl/verify/1". */
static bool read_kind(const json_t *document, char *kind, size_t size, struct err *err)
{
	const struct json_path at = { NULL, "schema", 0 };
	const char *schema = json_string_value(json_object_get(document, "schema")), *slash;

	if (!json_is_object(document))
		return err_expected(err, NULL, document, "a document of losslessctl");
	if (!schema || strncmp(schema, SCHEMA_PREFIX, strlen(SCHEMA_PREFIX)) != 0)
		return err_policy(err, &at, "it is no document of losslessctl");
	schema += strlen(SCHEMA_PREFIX);
	slash = strchr(schema, '/');
	if (!slash || slash == schema || (size_t)(slash - schema) >= size)
		return err_policy(err, &at, "it is no document of losslessctl");
	if (strcmp(slash, "/1") != 0)
		return err_policy(err, &at, "the document is of a version that is not known here");
	snprintf(kind, size, "%.*s", (int)(slash - schema), schema);
	return true;
}

static bool ingest_one(struct store *s, json_t *document, enum document_outcome *ret,
		       struct err *err)
{
	char name[32];
	bool is_new = false;

	if (!read_kind(document, name, sizeof(name), err))
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].name, name) != 0)
			continue;
		if (!ingest_kind(s, document, &kinds[i], &is_new, err))
			return false;
		*ret = is_new ? DOCUMENT_NEW : DOCUMENT_KNOWN;
		return true;
	}
	*ret = DOCUMENT_IGNORED;
	return true;
}

/*
 * A bundle is as new as the newest of its parts. All anonymised hosts have the same id, and would
 * hide each other.
 */
static bool ingest_parts(struct store *s, json_t *document, enum document_outcome *ret,
			 struct err *err)
{
	const struct json_path anonymised = { NULL, "anonymised", 0 };

	if (json_is_true(json_object_get(document, "anonymised")))
		return err_policy(err, &anonymised,
				  "an anonymised bundle does not say which host it is of");
	for (size_t i = 0; i < sizeof(bundle_parts) / sizeof(bundle_parts[0]); i++) {
		json_t *part = json_object_get(document, bundle_parts[i]);
		enum document_outcome outcome;

		if (!part || json_is_null(part))
			continue;
		if (!ingest_one(s, part, &outcome, err))
			return err_in(err, "%s", bundle_parts[i]);
		*ret = outcome < *ret ? outcome : *ret;
	}
	return true;
}

static bool ingest_document(struct store *s, json_t *document, enum document_outcome *ret,
			    struct err *err)
{
	char kind[32];

	if (!read_kind(document, kind, sizeof(kind), err))
		return false;
	*ret = DOCUMENT_IGNORED;
	return strcmp(kind, "bundle") == 0 ? ingest_parts(s, document, ret, err)
					   : ingest_one(s, document, ret, err);
}

#define KEPT_MAX 4096 /* bytes of a document that is set aside */

/* Its beginning, in characters that do no harm. */
static const char *beginning(const char *text, size_t size, char buf[KEPT_MAX])
{
	char raw[KEPT_MAX];
	size_t n = size < KEPT_MAX - 1 ? size : KEPT_MAX - 1;

	memcpy(raw, text, n);
	for (size_t i = 0; i < n; i++)
		raw[i] = raw[i] ? raw[i] : '\x01';
	raw[n] = '\0';
	return sanitize_text(raw, buf, KEPT_MAX);
}

static bool set_aside(struct store *s, const struct parsed *d, struct err *err)
{
	char sha[SHA256_HEX], kept[KEPT_MAX], why[512];

	s->has_rejected = true;
	sha256_hex(d->text, d->size, sha);
	snprintf(why, sizeof(why), "%s%s%s", d->reason.at.pointer,
		 d->reason.at.pointer[0] ? ": " : "", d->reason.text);
	return STORE_RUN(s, STORE_REJECTED, err, CELL_TEXT(sha), CELL_TEXT(d->source),
			 CELL_TEXT(why), CELL_TEXT(beginning(d->text, d->size, kept)));
}

/* A document that is stored is no longer set aside, as after its time has come. */
static bool forget_rejection(struct store *s, const struct parsed *d, struct err *err)
{
	char sha[SHA256_HEX];

	if (!s->has_rejected) /* the digest takes time */
		return true;
	sha256_hex(d->text, d->size, sha);
	return STORE_RUN(s, DELETE_REJECTED, err, CELL_TEXT(sha));
}

bool document_ingest(struct store *s, struct parsed *d, enum document_outcome *ret, struct err *err)
{
	if (!database_run(s->db, "SAVEPOINT document", err))
		return false;
	if (d->root && !d->reason.kind && ingest_document(s, d->root, ret, &d->reason))
		return (*ret != DOCUMENT_NEW || forget_rejection(s, d, err)) &&
		       database_run(s->db, "RELEASE document", err);
	if (d->reason.kind != ERR_POLICY) {
		*err = d->reason;
		return false;
	}
	*ret = DOCUMENT_REJECTED;
	memset(s->states_seen, 0, sizeof(s->states_seen)); /* its values go with it */
	return database_run(s->db, "ROLLBACK TO document; RELEASE document", err) &&
	       set_aside(s, d, err);
}
