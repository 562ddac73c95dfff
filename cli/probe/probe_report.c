#include "probe_report.h"

#include <stdio.h>

#include "../../policy/util/json_util.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "probe_matrix.h"

#define NAME_WIDTH    12
#define VERDICT_WIDTH 16
#define MORE_INDENT   15

static int code_of(const struct probe_judgement *j)
{
	if (j->verdict == PROBE_IN_CLASS)
		return EXIT_SUCCESS;
	return probe_verdict_is_fault(j->verdict) ? EXIT_DIFFERS : EXIT_UNKNOWN;
}

static int worse(int a, int b)
{
	return a == EXIT_DIFFERS || b == EXIT_SUCCESS ? a : b;
}

static int code_of_run(const struct probe_run *r)
{
	if (probe_run_is_silent(r))
		return EXIT_SUCCESS;
	if (r->state == PERFTEST_CONNECTED)
		return worse(code_of(&r->data), code_of(&r->acknowledgements));
	return r->state == PERFTEST_NO_CONNECTION ? EXIT_DIFFERS : EXIT_UNKNOWN;
}

static int code_of_pair(const struct probe_pair *p)
{
	int code = p->why.kind && !p->is_unused ? EXIT_UNKNOWN : EXIT_SUCCESS;

	for (size_t i = 0; i < p->count; i++)
		code = worse(code, code_of_run(&p->runs[i]));
	return code;
}

/* True for the first of some pairs of the same two hosts. */
static bool is_first(const struct probe_pair *p)
{
	return p->turn == 0;
}

/* Two hosts of which no port was probed are unknown. */
int probe_exit_code(const struct probe_plan *p)
{
	int code = EXIT_SUCCESS;
	bool probed = true;

	for (size_t i = 0; i < p->count; i++) {
		if (is_first(&p->pairs[i])) {
			code = worse(code, probed ? EXIT_SUCCESS : EXIT_UNKNOWN);
			probed = false;
		}
		probed = probed || p->pairs[i].count;
		code = worse(code, code_of_pair(&p->pairs[i]));
	}
	return worse(code, probed ? EXIT_SUCCESS : EXIT_UNKNOWN);
}

/* ---- text ---- */

static const char *colour_of(const struct cli *c, int code)
{
	return code == EXIT_SUCCESS   ? c->out.green
	       : code == EXIT_DIFFERS ? c->out.red
				      : c->out.yellow;
}

static void print_priority(int prio)
{
	if (prio < 0)
		printf("none");
	else
		printf("%d", prio);
}

static void print_direction(const struct cli *c, const char *name, const char *what,
			    const struct probe_judgement *j)
{
	printf("  %-*s %-4s  %s%-*s%s  priority ", NAME_WIDTH, name, what, colour_of(c, code_of(j)),
	       VERDICT_WIDTH, probe_verdict_name(j->verdict), c->out.reset);
	print_priority(j->measured[0]);
	printf(" -> ");
	print_priority(j->measured[1]);
	putchar('\n');
	if (j->verdict != PROBE_IN_CLASS)
		print_below(c, MORE_INDENT, "", probe_verdict_text(j->verdict));
}

static void print_run(const struct cli *c, const struct probe_run *r)
{
	if (r->state != PERFTEST_CONNECTED) {
		printf("  %-*s %-4s  %s%s%s\n", NAME_WIDTH, probe_run_name(r), "",
		       colour_of(c, code_of_run(r)),
		       probe_outcomes[probe_outcome_of(r, false)].name, c->out.reset);
		print_below(c, MORE_INDENT, "", r->why);
		print_below(c, MORE_INDENT, c->out.dim, r->fix);
		return;
	}
	print_direction(c, probe_run_name(r), "data", &r->data);
	print_direction(c, "", "acks", &r->acknowledgements);
}

static void print_pair(const struct cli *c, const char *peer, const struct probe_pair *p)
{
	printf("%s", c->out.bold);
	print_outside(stdout, "%s -> %s%s%s", p->from->name, peer, p->to ? " " : "",
		      p->to ? p->to->name : "");
	printf("%s  ", c->out.reset);
	if (!p->why.kind) {
		printf("class %u (DSCP %u)\n", p->runs[0].traffic_class,
		       p->runs[0].traffic_class / 4U);
		return;
	}
	printf("%snot probed%s\n", p->is_unused ? c->out.dim : c->out.yellow, c->out.reset);
	print_below(c, MORE_INDENT, "", p->why.text);
	print_below(c, MORE_INDENT, c->out.dim, p->why.fix);
}

void print_probe(const struct cli *c, const struct probe_plan *p)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct probe_pair *pair = &p->pairs[i];

		print_pair(c, p->hosts->list[pair->to_host].name, pair);
		for (size_t k = 0; k < pair->count; k++)
			if (!probe_run_is_silent(&pair->runs[k]))
				print_run(c, &pair->runs[k]);
	}
}

/* ---- JSON ---- */

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
