#include "probe_report.h"

#include <stdio.h>

#include "../../policy/util/json_util.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../output/wrap.h"

#define NAME_WIDTH    12
#define VERDICT_WIDTH 16
#define MORE_INDENT   15

static const char *name_of(const struct probe_run *r)
{
	return r->is_control ? "control" : probe_path_names[r->path];
}

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
	return r->connected ? worse(code_of(&r->data), code_of(&r->acknowledgements))
			    : EXIT_DIFFERS;
}

int probe_exit_code(const struct probe_report *r)
{
	int code = EXIT_SUCCESS;

	for (size_t i = 0; i < r->count; i++)
		for (size_t k = 0; k < r->pairs[i].count; k++)
			code = worse(code, code_of_run(&r->pairs[i].runs[k]));
	return code;
}

/* ---- text ---- */

static const char *colour_of(const struct cli *c, int code)
{
	return code == EXIT_SUCCESS   ? c->out.green
	       : code == EXIT_DIFFERS ? c->out.red
				      : c->out.yellow;
}

static void print_indented(const char *colour, const char *text, const char *reset)
{
	struct report_row row = { 0, MORE_INDENT };

	if (!text[0])
		return;
	report_row_add(&row, MORE_INDENT, colour, text, reset);
	putchar('\n');
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
		print_indented("", probe_verdict_text(j->verdict), "");
}

static void print_run(const struct cli *c, const struct probe_run *r)
{
	if (!r->connected) {
		printf("  %-*s %-4s  %s%s%s\n", NAME_WIDTH, name_of(r), "", c->out.red,
		       "no connection", c->out.reset);
		print_indented("", r->why, "");
		print_indented(c->out.dim, r->fix, c->out.reset);
		return;
	}
	print_direction(c, name_of(r), "data", &r->data);
	print_direction(c, "", "acks", &r->acknowledgements);
}

void print_probe(const struct cli *c, const struct probe_report *r)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct probe_pair *p = &r->pairs[i];

		printf("%s", c->out.bold);
		print_outside(stdout, "%s -> %s %s", p->from->name, r->peer, p->to->name);
		printf("%s  class %u (DSCP %u)\n", c->out.reset, p->runs[0].traffic_class,
		       p->runs[0].traffic_class >> 2);
		for (size_t k = 0; k < p->count; k++)
			print_run(c, &p->runs[k]);
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
	json_t *j = json_pack("{s:s, s:i, s:b}", "path", name_of(r), "traffic_class",
			      r->traffic_class, "connected", r->connected);

	json_object_set_new(j, "message", r->connected ? json_null() : json_from_text(r->why));
	json_object_set_new(j, "fix", r->fix[0] ? json_from_text(r->fix) : json_null());
	json_object_set_new(j, "data", r->connected ? direction_to_json(&r->data) : json_null());
	json_object_set_new(j, "acknowledgements",
			    r->connected ? direction_to_json(&r->acknowledgements) : json_null());
	return j;
}

static json_t *pair_to_json(const struct probe_pair *p)
{
	json_t *runs = json_array();

	for (size_t i = 0; i < p->count; i++)
		json_array_append_new(runs, run_to_json(&p->runs[i]));
	return json_pack("{s:o, s:o, s:o}", "port", json_from_text(p->from->name), "peer_port",
			 json_from_text(p->to->name), "runs", runs);
}

json_t *probe_to_json(const struct cli *c, const struct probe_report *r)
{
	json_t *doc = report_of_host(c, "probe"), *pairs = json_array();

	for (size_t i = 0; i < r->count; i++)
		json_array_append_new(pairs, pair_to_json(&r->pairs[i]));
	json_object_set_new(doc, "peer", json_from_text(r->peer));
	json_object_set_new(doc, "pairs", pairs);
	return doc;
}
