#include "probe_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../output/table.h"

/* ---- outcomes ---- */

/* The names of verdicts are those of JSON. */
const struct probe_outcome_row probe_outcomes[OUTCOMES] = {
	[OUTCOME_NO_CONNECTION] = { 'X', true, "no connection", "perftest failed", "" },
	[OUTCOME_LOST] = { 'L', true, "lost", "the receiver did not count what was sent",
			   "run `losslessctl watch` at both hosts, and look for drops; in a "
			   "RoCE LAG the other members may have had the packets" },
	[OUTCOME_WRONG_AT_SENDER] = { 'S', true, "wrong_at_sender",
				      "the sender uses another priority",
				      "run `losslessctl verify` at the host that sends" },
	[OUTCOME_REWRITTEN] = { 'R', true, "rewritten", "the mark was rewritten on the way",
				"check trust and DSCP maps of the switches between the hosts" },
	[OUTCOME_WRONG_MAP] = { 'M', true, "wrong_map",
				"the receiver maps this mark to another priority",
				"run `losslessctl verify` at the host that receives" },
	[OUTCOME_WRONG_MAP_OF_SENDER] = { 'M', true, "wrong_map",
					  "the sender maps this mark to another priority",
					  "run `losslessctl verify` at the host that sends" },
	[OUTCOME_MAPS_DIFFER] = { 'M', true, "wrong_map",
				  "the sender's map and the receiver's differ for this mark",
				  "run `losslessctl verify` at both hosts" },
	[OUTCOME_NOT_LOSSLESS] = { 'P', true, "not_lossless", "the priority has no PFC at one end",
				   "run `losslessctl verify` at both hosts" },
	[OUTCOME_CONTROL_LOSSLESS] = { 'U', true, "control_lossless",
				       "unmarked traffic travels in a lossless priority",
				       "map DSCP 0 to a priority without PFC at both hosts" },
	[OUTCOME_NOT_PROBED] = { '?', false, "not probed", "no run was made, or not all of them",
				 "" },
	[OUTCOME_UNKNOWN] = { 'K', false, "unknown", "perftest was killed at one end", "" },
	[OUTCOME_UNSUPPORTED] = { 'G', false, "unsupported", "perftest cannot make this run", "" },
	[OUTCOME_NO_CLASS] = { 'C', false, "no_class",
			       "the priority that a port gives the mark is unknown",
			       "run `losslessctl verify` at both hosts" },
	[OUTCOME_NOT_COUNTED] = { 'N', false, "not_counted",
				  "a port does not count bytes by priority, or counted too few",
				  "send more with --messages; in a RoCE LAG the other members may "
				  "have had the packets" },
	[OUTCOME_MASKED_BY_TRAFFIC] = { 'T', false, "masked_by_traffic",
					"other traffic is too strong to tell",
					"repeat it when no job runs" },
	[OUTCOME_IN_CLASS] = { '.', false, "in_class", "in class at both ends", "" },
};

static const enum probe_outcome outcomes[PROBE_VERDICTS] = {
	[PROBE_IN_CLASS] = OUTCOME_IN_CLASS,
	[PROBE_WRONG_AT_SENDER] = OUTCOME_WRONG_AT_SENDER,
	[PROBE_REWRITTEN] = OUTCOME_REWRITTEN,
	[PROBE_WRONG_MAP] = OUTCOME_WRONG_MAP,
	[PROBE_WRONG_MAP_OF_SENDER] = OUTCOME_WRONG_MAP_OF_SENDER,
	[PROBE_MAPS_DIFFER] = OUTCOME_MAPS_DIFFER,
	[PROBE_NOT_LOSSLESS] = OUTCOME_NOT_LOSSLESS,
	[PROBE_CONTROL_LOSSLESS] = OUTCOME_CONTROL_LOSSLESS,
	[PROBE_LOST] = OUTCOME_LOST,
	[PROBE_MASKED_BY_TRAFFIC] = OUTCOME_MASKED_BY_TRAFFIC,
	[PROBE_NOT_COUNTED] = OUTCOME_NOT_COUNTED,
	[PROBE_NO_CLASS] = OUTCOME_NO_CLASS,
};

static const enum probe_outcome failures[PERFTEST_STATES] = {
	[PERFTEST_NO_CONNECTION] = OUTCOME_NO_CONNECTION,
	[PERFTEST_UNKNOWN] = OUTCOME_UNKNOWN,
	[PERFTEST_UNSUPPORTED] = OUTCOME_UNSUPPORTED,
};

enum probe_outcome probe_outcome_of(const struct probe_run *r, bool back)
{
	if (probe_run_is_silent(r))
		return OUTCOME_IN_CLASS; /* the best: it changes nothing */
	if (r->state != PERFTEST_CONNECTED)
		return failures[r->state];
	return outcomes[(back ? &r->acknowledgements : &r->data)->verdict];
}

const char *probe_outcome_colour(const struct style *s, enum probe_outcome o)
{
	return o == OUTCOME_IN_CLASS ? s->green : probe_outcomes[o].is_fault ? s->red : s->yellow;
}

/* ---- faults ---- */

#define INDENT	  4
#define LINES_MAX 60 /* directions in all lists together */

struct list {
	FILE *to;
	const struct style *s;
	const struct probe_plan *p;
	size_t lines; /* so far */
};

static const char *name_of(const struct list *m, size_t host)
{
	return m->p->hosts->list[host].address;
}

static bool has_room(struct list *m)
{
	return m->lines++ < LINES_MAX;
}

static void draw_more(const struct list *m, const char *colour, const char *text)
{
	if (!text[0])
		return;
	fprintf(m->to, "%*s%s", INDENT, "", colour);
	wrap_print(m->to, text, INDENT, INDENT);
	fputs(m->s->reset, m->to);
}

/* The ports are named where a host has several. */
static void draw_ends(const struct list *m, const struct probe_pair *p, bool back)
{
	size_t from = back ? p->to_host : p->from_host, to = back ? p->from_host : p->to_host;
	const struct probe_port *near = back ? p->to : p->from, *far = back ? p->from : p->to;

	print_outside(m->to, "  %s%s%s -> %s%s%s", name_of(m, from), near ? " " : "",
		      near ? near->name : "", name_of(m, to), far ? " " : "", far ? far->name : "");
}

static void draw_priority(const struct list *m, int prio)
{
	if (prio < 0)
		fputs("none", m->to);
	else
		fprintf(m->to, "%d", prio);
}

/* A run that failed has one reason for both directions. */
static bool is_listed(const struct probe_run *r, bool back, enum probe_outcome o)
{
	return probe_outcome_of(r, back) == o && !(back && r->state != PERFTEST_CONNECTED);
}

/* One line for all runs of a direction with this outcome. */
static void list_direction(struct list *m, const struct probe_pair *p, bool back,
			   enum probe_outcome o)
{
	const struct probe_run *first = NULL;

	for (size_t i = 0; i < p->count; i++) {
		const struct probe_run *r = &p->runs[i];

		if (!is_listed(r, back, o))
			continue;
		if (!first && !has_room(m))
			return;
		if (!first)
			draw_ends(m, p, back);
		fprintf(m->to, "%s%s", first ? ", " : "  ", probe_run_name(r));
		first = first ? first : r;
	}
	if (first && first->state == PERFTEST_CONNECTED) {
		const struct probe_judgement *j = back ? &first->acknowledgements : &first->data;

		fputs("  priority ", m->to);
		draw_priority(m, j->measured[0]);
		fputs(" -> ", m->to);
		draw_priority(m, j->measured[1]);
	}
	if (first)
		fputc('\n', m->to);
	if (first && first->state != PERFTEST_CONNECTED) {
		draw_more(m, "", first->why);
		draw_more(m, m->s->dim, first->fix);
	}
}

static void list_unprobed_hosts(struct list *m)
{
	for (size_t i = 0; i < m->p->hosts->count; i++) {
		const struct probe_endpoint *host = &m->p->hosts->list[i];

		if (probe_endpoint_is_there(host) || !has_room(m))
			continue;
		fprintf(m->to, "  %s\n", name_of(m, i));
		draw_more(m, "", host->why.text);
		draw_more(m, m->s->dim, host->why.fix);
	}
}

/* A host that is not there stands for all its pairs. */
static void list_unprobed_pair(struct list *m, const struct probe_pair *p)
{
	const struct probe_endpoint *hosts = m->p->hosts->list;

	if (!p->why.kind || p->is_unused || !probe_endpoint_is_there(&hosts[p->from_host]) ||
	    !probe_endpoint_is_there(&hosts[p->to_host]) || !has_room(m))
		return;
	draw_ends(m, p, false);
	fputc('\n', m->to);
	draw_more(m, "", p->why.text);
	draw_more(m, m->s->dim, p->why.fix);
}

static void list_outcome(struct list *m, enum probe_outcome o)
{
	fprintf(m->to, "\n%s%c %s%s: %s\n", probe_outcome_colour(m->s, o), probe_outcomes[o].mark,
		probe_outcomes[o].name, m->s->reset, probe_outcomes[o].text);
	draw_more(m, m->s->dim, probe_outcomes[o].fix);
	if (o == OUTCOME_NOT_PROBED)
		list_unprobed_hosts(m);
	for (size_t i = 0; i < m->p->count; i++) {
		const struct probe_pair *p = &m->p->pairs[i];

		if (o == OUTCOME_NOT_PROBED)
			list_unprobed_pair(m, p);
		list_direction(m, p, false, o);
		list_direction(m, p, true, o);
	}
}

static bool has_outcome(const struct probe_pair *p, enum probe_outcome o)
{
	bool found = o == OUTCOME_NOT_PROBED && p->why.kind && !p->is_unused;

	for (size_t i = 0; i < p->count; i++)
		found = found || probe_outcome_of(&p->runs[i], false) == o ||
			probe_outcome_of(&p->runs[i], true) == o;
	return found;
}

static bool occurs(const struct list *m, enum probe_outcome o)
{
	for (size_t i = 0; i < m->p->count; i++)
		if (has_outcome(&m->p->pairs[i], o))
			return true;
	return false;
}

void probe_faults_list(FILE *to, const struct style *s, const struct probe_plan *p)
{
	struct list m = { .to = to, .s = s, .p = p };

	for (int o = 0; o < OUTCOME_IN_CLASS; o++)
		if (occurs(&m, (enum probe_outcome)o))
			list_outcome(&m, (enum probe_outcome)o);
	if (m.lines > LINES_MAX)
		fprintf(to, "\n%zu more: see --json\n", m.lines - LINES_MAX);
}

/* ---- the matrix ---- */

struct picture {
	FILE *to;
	const struct style *s;
	const struct probe_plan *p;
	unsigned char *cells; /* enum probe_outcome by sender and receiver; OUTCOMES: none */
};

static unsigned char *cell(const struct picture *m, size_t from, size_t to)
{
	return &m->cells[from * m->p->hosts->count + to];
}

static const char *column_name(const struct picture *m, size_t host)
{
	return m->p->hosts->list[host].address;
}

/* ---- cells ---- */

static enum probe_outcome outcome_of_pair(const struct probe_pair *pair, bool back)
{
	enum probe_outcome worst = pair->is_unused  ? OUTCOMES
				   : pair->why.kind ? OUTCOME_NOT_PROBED
						    : OUTCOME_IN_CLASS;

	for (size_t i = 0; i < pair->count; i++) {
		enum probe_outcome each = probe_outcome_of(&pair->runs[i], back);

		worst = each < worst ? each : worst;
	}
	return worst;
}

static void add_outcome(unsigned char *at, enum probe_outcome each)
{
	*at = each < *at ? (unsigned char)each : *at;
}

/* Two hosts whose ports are all unused were not probed. */
static void fill(const struct picture *m)
{
	size_t hosts = m->p->hosts->count;

	memset(m->cells, OUTCOMES, hosts * hosts);
	for (size_t i = 0; i < m->p->count; i++) {
		const struct probe_pair *pair = &m->p->pairs[i];

		add_outcome(cell(m, pair->from_host, pair->to_host), outcome_of_pair(pair, false));
		add_outcome(cell(m, pair->to_host, pair->from_host), outcome_of_pair(pair, true));
	}
	for (size_t i = 0; i < hosts * hosts; i++)
		if (i / hosts != i % hosts && m->cells[i] == OUTCOMES)
			m->cells[i] = OUTCOME_NOT_PROBED;
}

/* ---- the matrix ---- */

static int name_width(const struct picture *m)
{
	size_t most = 4;

	for (size_t i = 0; i < m->p->hosts->count; i++)
		if (strlen(column_name(m, i)) > most)
			most = strlen(column_name(m, i));
	return most < 24 ? (int)most : 24;
}

/* Columns have the numbers of the rows, with tens above units. */
static void draw_numbers(const struct picture *m, int width)
{
	size_t hosts = m->p->hosts->count;

	for (size_t unit = hosts >= 10 ? 10 : 1; unit; unit /= 10) {
		fprintf(m->to, "%*s", width + 4, "");
		for (size_t to = 1; to <= hosts; to++)
			if (to >= unit)
				fprintf(m->to, " %zu", to / unit % 10);
			else
				fputs("  ", m->to);
		fputc('\n', m->to);
	}
}

static void draw_cell(const struct picture *m, size_t from, size_t to)
{
	enum probe_outcome o = *cell(m, from, to);

	if (from == to)
		fputs(" -", m->to);
	else
		fprintf(m->to, " %s%c%s", probe_outcome_colour(m->s, o), probe_outcomes[o].mark,
			m->s->reset);
}

static void draw_cells(const struct picture *m)
{
	int width = name_width(m);

	draw_numbers(m, width);
	for (size_t from = 0; from < m->p->hosts->count; from++) {
		fprintf(m->to, "%3zu %-*.*s", from + 1, width, width, column_name(m, from));
		for (size_t to = 0; to < m->p->hosts->count; to++)
			draw_cell(m, from, to);
		fputc('\n', m->to);
	}
}

/* ---- sums ---- */

/* The first outcome of the same name: sums and the legend have it once. */
static unsigned first_of_name(unsigned outcome)
{
	unsigned first = 0;

	if (outcome == OUTCOMES)
		return OUTCOMES;
	while (strcmp(probe_outcomes[first].name, probe_outcomes[outcome].name) != 0)
		first++;
	return first;
}

/* Counts the cells of a host as sender (from == host) or receiver; SIZE_MAX stands for all. */
static void count_cells(const struct picture *m, size_t from, size_t to, size_t ret[OUTCOMES + 1])
{
	size_t hosts = m->p->hosts->count;

	memset(ret, 0, (OUTCOMES + 1) * sizeof(*ret));
	for (size_t i = 0; i < hosts * hosts; i++)
		if ((from == SIZE_MAX || i / hosts == from) && (to == SIZE_MAX || i % hosts == to))
			ret[first_of_name(m->cells[i])]++;
}

static void draw_sum(const struct picture *m, const size_t sum[OUTCOMES + 1])
{
	const char *gap = "";

	for (int o = OUTCOMES - 1; o >= 0; o--)
		if (sum[o]) {
			fprintf(m->to, "%s%s%zu %s%s", gap,
				probe_outcome_colour(m->s, (enum probe_outcome)o), sum[o],
				probe_outcomes[o].name, m->s->reset);
			gap = ", ";
		}
	fputc('\n', m->to);
}

static size_t directions(const struct picture *m)
{
	return m->p->hosts->count - 1;
}

/* Hosts that are in class with all others have no line. */
static void draw_hosts(const struct picture *m)
{
	int width = name_width(m);

	for (size_t i = 0; i < m->p->hosts->count; i++) {
		size_t sends[OUTCOMES + 1], receives[OUTCOMES + 1];

		count_cells(m, i, SIZE_MAX, sends);
		count_cells(m, SIZE_MAX, i, receives);
		if (sends[OUTCOME_IN_CLASS] == directions(m) &&
		    receives[OUTCOME_IN_CLASS] == directions(m))
			continue;
		fprintf(m->to, "%3zu %-*.*s  sends:    ", i + 1, width, width, column_name(m, i));
		draw_sum(m, sends);
		fprintf(m->to, "    %*s  receives: ", width, "");
		draw_sum(m, receives);
	}
}

static void draw_total(const struct picture *m)
{
	size_t sum[OUTCOMES + 1], hosts = m->p->hosts->count;

	count_cells(m, SIZE_MAX, SIZE_MAX, sum);
	fprintf(m->to, "%zu hosts, %zu directions: ", hosts, hosts * directions(m));
	draw_sum(m, sum);
}

static void draw_legend(const struct picture *m)
{
	size_t sum[OUTCOMES + 1];

	count_cells(m, SIZE_MAX, SIZE_MAX, sum);
	fputs("rows send, columns receive:", m->to);
	for (int o = OUTCOMES - 1; o >= 0; o--)
		if (sum[o])
			fprintf(m->to, "  %s%c%s %s",
				probe_outcome_colour(m->s, (enum probe_outcome)o),
				probe_outcomes[o].mark, m->s->reset, probe_outcomes[o].name);
	fputc('\n', m->to);
}

void probe_matrix_draw(FILE *to, const struct style *s, const struct probe_plan *p)
{
	_free_ unsigned char *cells = oom_calloc(p->hosts->count, p->hosts->count);
	struct picture m = { .to = to, .s = s, .p = p, .cells = cells };

	if (!cells)
		return;
	fill(&m);
	if (p->hosts->count > MATRIX_HOSTS_MAX) {
		draw_hosts(&m);
	} else {
		draw_cells(&m);
		draw_legend(&m);
	}
	draw_total(&m);
	probe_faults_list(to, s, p);
}

#define MORE_INDENT 15

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

enum { COLUMN_PATH, COLUMN_DIRECTION, COLUMN_VERDICT, COLUMN_PRIORITIES, COLUMNS };

static const struct table_column run_columns[COLUMNS] = {
	[COLUMN_PATH] = { "", .width = 12, .max = 12 },
	[COLUMN_DIRECTION] = { "", .width = 4, .gap = 1 },
	[COLUMN_VERDICT] = { "", .width = 16, .max = 16 },
	[COLUMN_PRIORITIES] = { .head = "" },
};

static void write_priority(int prio, char text[16])
{
	snprintf(text, 16, prio < 0 ? "none" : "%d", prio);
}

static void print_direction(struct table *t, const char *path, const char *direction,
			    const struct probe_judgement *j)
{
	char sent[16], received[16], text[64];

	write_priority(j->measured[0], sent);
	write_priority(j->measured[1], received);
	snprintf(text, sizeof(text), "priority %s -> %s", sent, received);
	table_add(t, "", path);
	table_add(t, "", direction);
	table_add(t, colour_of(t->c, code_of(j)), probe_verdict_name(j->verdict));
	table_add(t, "", text);
	table_print_rows(t);
	if (j->verdict != PROBE_IN_CLASS)
		print_below(t->c, MORE_INDENT, "", probe_verdict_text(j->verdict));
}

static void print_run(struct table *t, const struct probe_run *r)
{
	if (r->state == PERFTEST_CONNECTED) {
		print_direction(t, probe_run_name(r), "data", &r->data);
		print_direction(t, "", "acks", &r->acknowledgements);
		return;
	}
	table_add(t, "", probe_run_name(r));
	table_add(t, "", "");
	table_add(t, colour_of(t->c, code_of_run(r)),
		  probe_outcomes[probe_outcome_of(r, false)].name);
	table_add(t, "", "");
	table_print_rows(t);
	print_below(t->c, MORE_INDENT, "", r->why);
	print_below(t->c, MORE_INDENT, t->c->out.dim, r->fix);
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
	_table_ struct table t = {
		.c = c, .columns = run_columns, .columns_count = COLUMNS, .indent = 2, .gap = 2
	};

	for (size_t i = 0; i < p->count; i++) {
		const struct probe_pair *pair = &p->pairs[i];

		print_pair(c, p->hosts->list[pair->to_host].name, pair);
		for (size_t k = 0; k < pair->count; k++)
			if (!probe_run_is_silent(&pair->runs[k]))
				print_run(&t, &pair->runs[k]);
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
