#include "probe_report_json.h"

#include "../../policy/util/json_util.h"
#include "../output/report_json.h"

static json_t *priority(int prio)
{
	return prio < 0 ? json_null() : json_integer(prio);
}

static json_t *end_to_json(const struct probe_judgement *j, int end)
{
	return json_pack("{s:o, s:o, s:f}", "expected", priority(j->expected[end]), "measured",
			 priority(j->measured[end]), "share", j->share[end]);
}

static json_t *direction_to_json(const struct probe_judgement *j)
{
	return json_pack("{s:s, s:s, s:o, s:o}", "verdict", probe_verdict_name(j->verdict),
			 "message", probe_verdict_text(j->verdict), "sender", end_to_json(j, 0),
			 "receiver", end_to_json(j, 1));
}

static json_t *run_to_json(const struct probe_run *r)
{
	bool connected = r->state == PERFTEST_CONNECTED;
	json_t *j = json_pack("{s:s, s:i, s:s, s:b}", "path", probe_run_name(r), "traffic_class",
			      r->traffic_class, "state", perftest_state_names[r->state],
			      "connected", connected);

	json_object_set_new(j, "message", connected ? json_null() : json_from_text(r->why));
	json_object_set_new(j, "fix", r->fix[0] ? json_from_text(r->fix) : json_null());
	json_object_set_new(j, "data", connected ? direction_to_json(&r->data) : json_null());
	json_object_set_new(j, "acknowledgements",
			    connected ? direction_to_json(&r->acknowledgements) : json_null());
	return j;
}

static json_t *text_or_null(const char *text)
{
	return text[0] ? json_from_text(text) : json_null();
}

static json_t *pair_to_json(const struct probe_pair *p)
{
	json_t *runs = json_array();

	for (size_t i = 0; i < p->count; i++)
		json_array_append_new(runs, run_to_json(&p->runs[i]));
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "port",
			 p->from ? json_from_text(p->from->name) : json_null(), "peer_port",
			 p->to ? json_from_text(p->to->name) : json_null(), "message",
			 text_or_null(p->why.text), "fix", text_or_null(p->why.fix), "runs", runs);
}

json_t *probe_to_json(const struct cli *c, const struct probe_plan *p)
{
	json_t *doc = report_of_host(c, "probe"), *pairs = json_array();

	for (size_t i = 0; i < p->count; i++)
		json_array_append_new(pairs, pair_to_json(&p->pairs[i]));
	json_object_set_new(doc, "peer", json_from_text(p->hosts->list[1].name));
	json_object_set_new(doc, "pairs", pairs);
	return doc;
}

/* ---- matrix ---- */

static json_t *host_to_json(const struct probe_endpoint *p)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "address", json_from_text(p->address), "host",
			 text_or_null(p->name), "message", text_or_null(p->why.text), "fix",
			 text_or_null(p->why.fix));
}

static json_t *pair_of_hosts_to_json(const struct probe_plan *p, const struct probe_pair *pair)
{
	const struct probe_endpoint *hosts = p->hosts->list;
	json_t *j = json_pack("{s:I, s:o, s:o}", "round", (json_int_t)pair->round + 1, "address",
			      json_from_text(hosts[pair->from_host].address), "peer_address",
			      json_from_text(hosts[pair->to_host].address));
	json_t *rest = pair_to_json(pair);

	json_object_update(j, rest);
	json_decref(rest);
	return j;
}

json_t *probe_matrix_to_json(const struct cli *c, const struct probe_plan *p)
{
	json_t *doc = report_of_host(c, "probe-matrix"), *hosts = json_array(),
	       *pairs = json_array();

	for (size_t i = 0; i < p->hosts->count; i++)
		json_array_append_new(hosts, host_to_json(&p->hosts->list[i]));
	for (size_t i = 0; i < p->count; i++)
		json_array_append_new(pairs, pair_of_hosts_to_json(p, &p->pairs[i]));
	json_object_set_new(doc, "hosts", hosts);
	json_object_set_new(doc, "rounds", json_integer((json_int_t)p->rounds));
	json_object_set_new(doc, "pairs", pairs);
	return doc;
}
