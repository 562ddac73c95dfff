#include "probe_report.h"

#include <stdio.h>

#include "../output/print.h"
#include "../output/wrap.h"
#include "probe_outcome.h"

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
	if (r->state != PERFTEST_CONNECTED) {
		printf("  %-*s %-4s  %s%s%s\n", NAME_WIDTH, probe_run_name(r), "",
		       colour_of(c, code_of_run(r)),
		       probe_outcomes[probe_outcome_of(r, false)].name, c->out.reset);
		print_indented("", r->why, "");
		print_indented(c->out.dim, r->fix, c->out.reset);
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
	print_indented("", p->why.text, "");
	print_indented(c->out.dim, p->why.fix, c->out.reset);
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
