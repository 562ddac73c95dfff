/* Documents about a host as a whole: show, ready and drift. */
#include <stdio.h>
#include <string.h>

#include "../../../agent/host/cleanup.h"
#include "fields.h"
#include "flatten.h"

struct check {
	const char *check, *port, *status;
	json_t *expected, *actual;
};

struct drift {
	const char *port, *setting, *event, *recorded_at, *first_seen_at, *likely_writer;
};

struct lists {
	json_t *checks, *records;
};

static const struct field ready_fields[] = { FIELD(lists, checks, FIELD_LIST) };
static const struct field drift_fields[] = { FIELD(lists, records, FIELD_LIST) };

static const struct field check_fields[] = {
	FIELD(check, check, FIELD_TEXT),   FIELD(check, port, FIELD_OPTIONAL_TEXT),
	FIELD(check, status, FIELD_TEXT),  FIELD(check, expected, FIELD_VALUE),
	FIELD(check, actual, FIELD_VALUE),
};

static const struct field record_fields[] = {
	FIELD(drift, port, FIELD_TEXT),		 FIELD(drift, setting, FIELD_TEXT),
	FIELD(drift, event, FIELD_TEXT),	 FIELD(drift, recorded_at, FIELD_TIME),
	FIELD(drift, first_seen_at, FIELD_TIME), FIELD(drift, likely_writer, FIELD_OPTIONAL_TEXT),
};

bool flatten_show(struct store *s, const struct report *r, struct err *err)
{
	return state_values_of_show(s, r, err);
}

static bool store_check(struct store *s, const struct report *r, const struct check *c,
			const struct json_path *at, struct err *err)
{
	_free_ char *expected = NULL, *actual = NULL;
	struct cell e, a;

	if (strcmp(c->status, "not_ready") != 0 && strcmp(c->status, "unknown") != 0)
		return true;
	return value_cell(c->expected, true, at, &expected, &e, err) &&
	       value_cell(c->actual, true, at, &actual, &a, err) &&
	       STORE_RUN(s, STORE_CHECK, err, CELL_NUMBER(r->id), CELL_TEXT(r->host_id),
			 CELL_TEXT(c->port), CELL_TEXT(c->check), CELL_TEXT(c->status), e, a);
}

bool flatten_ready(struct store *s, const struct report *r, struct err *err)
{
	const struct json_path list = { NULL, "checks", 0 };
	struct lists lists = { 0 };

	if (!FIELDS_READ(r->document, ready_fields, &lists, NULL, err))
		return false;
	if (!r->newest)
		return true;
	if (!STORE_RUN(s, DELETE_CHECKS, err, CELL_TEXT(r->host_id)))
		return false;
	for (size_t i = 0; i < json_array_size(lists.checks); i++) {
		const struct json_path here = { &list, NULL, i };
		struct check c = { 0 };

		if (!FIELDS_READ(json_array_get(lists.checks, i), check_fields, &c, &here, err) ||
		    !store_check(s, r, &c, &here, err))
			return false;
	}
	return true;
}

bool flatten_drift(struct store *s, const struct report *r, struct err *err)
{
	const struct json_path list = { NULL, "records", 0 };
	struct lists lists = { 0 };

	if (!FIELDS_READ(r->document, drift_fields, &lists, NULL, err))
		return false;
	for (size_t i = 0; i < json_array_size(lists.records); i++) {
		const struct json_path here = { &list, NULL, i };
		struct drift d = { 0 };

		if (!FIELDS_READ(json_array_get(lists.records, i), record_fields, &d, &here, err))
			return false;
		if (time_is_ahead(d.recorded_at) || time_is_ahead(d.first_seen_at))
			continue; /* recorded before the host's clock was set back */
		if (!STORE_RUN(s, STORE_DRIFT, err, CELL_TEXT(r->host_id), CELL_TEXT(d.port),
			       CELL_TEXT(d.setting), CELL_TEXT(d.event), CELL_TEXT(d.recorded_at),
			       CELL_TEXT(d.first_seen_at), CELL_TEXT(d.likely_writer)))
			return false;
	}
	return true;
}

/* ---- peers ---- */

struct port {
	const char *port, *verdict;
	json_t *peer, *comparisons;
};

struct peer {
	const char *chassis_id, *system_name, *port_id;
};

static const struct field port_fields[] = {
	FIELD(port, port, FIELD_TEXT),
	FIELD(port, verdict, FIELD_TEXT),
	FIELD(port, peer, FIELD_OBJECT),
	FIELD(port, comparisons, FIELD_LIST),
};

static const struct field peer_fields[] = {
	FIELD(peer, chassis_id, FIELD_OPTIONAL_TEXT),
	FIELD(peer, system_name, FIELD_OPTIONAL_TEXT),
	FIELD(peer, port_id, FIELD_OPTIONAL_TEXT),
};

#define PRIORITIES_MAX 16 /* "0,1,2,3,4,5,6,7" */

/* The lossless priorities of a side of the comparison; NULL: unknown. */
static const char *lossless(const json_t *comparisons, const char *side, char text[PRIORITIES_MAX])
{
	const json_t *list = NULL, *item, *priority;
	size_t i, used = 0;

	json_array_foreach (comparisons, i, item) {
		const char *subject = json_string_value(json_object_get(item, "subject"));

		if (subject && strcmp(subject, "pfc") == 0)
			list = json_object_get(json_object_get(json_object_get(item, side), "pfc"),
					       "priorities");
	}
	if (!json_is_array(list) || json_array_size(list) > 8)
		return NULL;
	text[0] = '\0';
	json_array_foreach (list, i, priority) {
		json_int_t n = json_integer_value(priority);

		if (!json_is_integer(priority) || n < 0 || n > 7)
			return NULL;
		used += (size_t)snprintf(text + used, PRIORITIES_MAX - used, "%s%d", i ? "," : "",
					 (int)n);
	}
	return text;
}

static bool store_link(struct store *s, const struct report *r, const struct port *p,
		       const struct json_path *at, struct err *err)
{
	const struct json_path here = { at, "peer", 0 };
	char ours[PRIORITIES_MAX], theirs[PRIORITIES_MAX];
	struct peer peer = { 0 };

	if (p->peer && !FIELDS_READ(p->peer, peer_fields, &peer, &here, err))
		return false;
	return STORE_RUN(s, STORE_LINK, err, CELL_NUMBER(r->id), CELL_TEXT(r->host_id),
			 CELL_TEXT(p->port), CELL_TEXT(peer.chassis_id),
			 CELL_TEXT(peer.system_name), CELL_TEXT(peer.port_id),
			 CELL_TEXT(p->verdict), CELL_TEXT(lossless(p->comparisons, "actual", ours)),
			 CELL_TEXT(lossless(p->comparisons, "peer", theirs)));
}

bool flatten_peer(struct store *s, const struct report *r, struct err *err)
{
	const struct json_path list = { NULL, "ports", 0 };

	if (!r->newest)
		return true;
	if (!STORE_RUN(s, DELETE_LINKS, err, CELL_TEXT(r->host_id)))
		return false;
	for (size_t i = 0; i < list_size(r->ports); i++) {
		const struct json_path here = { &list, NULL, i };
		struct port p = { 0 };

		if (!FIELDS_READ(json_array_get(r->ports, i), port_fields, &p, &here, err) ||
		    !store_link(s, r, &p, &here, err))
			return false;
	}
	return true;
}
