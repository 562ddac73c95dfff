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
	json_t *j = json_pack("{s:s, s:i, s:b}", "path", probe_run_name(r), "traffic_class",
			      r->traffic_class, "connected", r->connected);

	json_object_set_new(j, "message", r->connected ? json_null() : json_from_text(r->why));
	json_object_set_new(j, "fix", r->fix[0] ? json_from_text(r->fix) : json_null());
	json_object_set_new(j, "data", r->connected ? direction_to_json(&r->data) : json_null());
	json_object_set_new(j, "acknowledgements",
			    r->connected ? direction_to_json(&r->acknowledgements) : json_null());
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
