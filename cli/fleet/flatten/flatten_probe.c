
#include "../../../policy/util/oom.h"
#include "fields.h"
#include "flatten.h"

/* Both ends of a pair, by the names of their hosts. */
struct pair {
	const char *host, *port, *peer_host, *peer_port, *address, *peer_address;
	json_t *runs;
};

struct run {
	const char *path, *state;
	json_t *data, *acknowledgements;
};

struct lists {
	const char *peer;
	json_t *pairs, *hosts;
};

struct named {
	const char *address, *host;
};

static const struct field probe_fields[] = {
	FIELD(lists, peer, FIELD_TEXT),
	FIELD(lists, pairs, FIELD_LIST),
};

static const struct field matrix_fields[] = {
	FIELD(lists, hosts, FIELD_LIST),
	FIELD(lists, pairs, FIELD_LIST),
};

static const struct field pair_fields[] = {
	FIELD(pair, port, FIELD_OPTIONAL_TEXT),
	FIELD(pair, peer_port, FIELD_OPTIONAL_TEXT),
	FIELD(pair, runs, FIELD_LIST),
};

static const struct field matrix_pair_fields[] = {
	FIELD(pair, address, FIELD_TEXT),
	FIELD(pair, peer_address, FIELD_TEXT),
};

static const struct field run_fields[] = {
	FIELD(run, path, FIELD_TEXT),
	FIELD(run, state, FIELD_TEXT),
	FIELD(run, data, FIELD_OBJECT),
	FIELD(run, acknowledgements, FIELD_OBJECT),
};

static const struct field direction_fields[] = {
	{ "verdict", FIELD_TEXT, 0 },
};

static const struct field named_fields[] = {
	FIELD(named, address, FIELD_TEXT),
	FIELD(named, host, FIELD_OPTIONAL_TEXT),
};

/* A row without a path: the pair was not tried; without a direction: nothing was measured. */
static bool store_row(struct store *s, const struct report *r, const struct pair *p,
		      const char *const row[3], struct err *err)
{
	return STORE_RUN(s, STORE_PROBE, err, CELL_NUMBER(r->id), CELL_TEXT(r->observed_at),
			 CELL_TEXT(p->host), CELL_TEXT(p->port), CELL_TEXT(p->peer_host),
			 CELL_TEXT(p->peer_port), CELL_TEXT(row[0]), CELL_TEXT(row[1]),
			 CELL_TEXT(row[2]));
}

static bool store_direction(struct store *s, const struct report *r, const struct pair *p,
			    const struct run *run, const struct json_path *at, struct err *err)
{
	const json_t *measured = at->key[0] == 'd' ? run->data : run->acknowledgements;
	const char *verdict = NULL;

	if (!measured)
		return true;
	return FIELDS_READ(measured, direction_fields, &verdict, at, err) &&
	       store_row(s, r, p, (const char *const[]){ run->path, at->key, verdict }, err);
}

static bool store_run_of(struct store *s, const struct report *r, const struct pair *p,
			 const struct json_path *at, struct err *err)
{
	const struct json_path data = { at, "data", 0 }, back = { at, "acknowledgements", 0 };
	struct run run = { 0 };

	if (!FIELDS_READ(json_array_get(p->runs, at->index), run_fields, &run, at, err))
		return false;
	if (!run.data && !run.acknowledgements)
		return store_row(s, r, p, (const char *const[]){ run.path, "", run.state }, err);
	return store_direction(s, r, p, &run, &data, err) &&
	       store_direction(s, r, p, &run, &back, err);
}

static bool store_pair(struct store *s, const struct report *r, const struct pair *p,
		       const struct json_path *at, struct err *err)
{
	const struct json_path list = { at, "runs", 0 };

	if (json_array_size(p->runs) == 0)
		return store_row(s, r, p, (const char *const[]){ "", "", "unknown" }, err);
	for (size_t i = 0; i < json_array_size(p->runs); i++) {
		const struct json_path here = { &list, NULL, i };

		if (!store_run_of(s, r, p, &here, err))
			return false;
	}
	return true;
}

bool flatten_probe(struct store *s, const struct report *r, struct err *err)
{
	const struct json_path list = { NULL, "pairs", 0 };
	struct lists lists = { 0 };

	if (!FIELDS_READ(r->document, probe_fields, &lists, NULL, err))
		return false;
	for (size_t i = 0; i < json_array_size(lists.pairs); i++) {
		const struct json_path here = { &list, NULL, i };
		struct pair p = { .host = r->host, .peer_host = lists.peer };

		if (!FIELDS_READ(json_array_get(lists.pairs, i), pair_fields, &p, &here, err) ||
		    !store_pair(s, r, &p, &here, err))
			return false;
	}
	return true;
}

/* The names of the hosts by their addresses. */
static bool names_of(const json_t *hosts, json_t *ret, struct err *err)
{
	const struct json_path list = { NULL, "hosts", 0 };

	for (size_t i = 0; i < json_array_size(hosts); i++) {
		const struct json_path here = { &list, NULL, i };
		struct named n = { 0 };

		if (!FIELDS_READ(json_array_get(hosts, i), named_fields, &n, &here, err))
			return false;
		if (n.host && !json_object_get(ret, n.address) &&
		    json_object_set_new(ret, n.address, json_string(n.host)) < 0)
			return err_no_memory(err);
	}
	return true;
}

/* The address itself if it never answered. */
static const char *name_of(const json_t *names, const char *address)
{
	const char *name = json_string_value(json_object_get(names, address));

	return name ? name : address;
}

bool flatten_probe_matrix(struct store *s, const struct report *r, struct err *err)
{
	const struct json_path list = { NULL, "pairs", 0 };
	json_auto_t *names = json_object();
	struct lists lists = { 0 };

	if (!names)
		return err_no_memory(err);
	if (!FIELDS_READ(r->document, matrix_fields, &lists, NULL, err) ||
	    !names_of(lists.hosts, names, err))
		return false;
	for (size_t i = 0; i < json_array_size(lists.pairs); i++) {
		const struct json_path here = { &list, NULL, i };
		json_t *pair = json_array_get(lists.pairs, i);
		struct pair p = { 0 };

		if (!FIELDS_READ(pair, pair_fields, &p, &here, err) ||
		    !FIELDS_READ(pair, matrix_pair_fields, &p, &here, err))
			return false;
		p.host = name_of(names, p.address);
		p.peer_host = name_of(names, p.peer_address);
		if (!store_pair(s, r, &p, &here, err))
			return false;
	}
	return true;
}
