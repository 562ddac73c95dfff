#include "probe_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "../output/print.h"

/* ---- outcomes ---- */

/* The names of verdicts are those of JSON. */
const struct probe_outcome_row probe_outcomes[OUTCOMES] = {
	[OUTCOME_NO_CONNECTION] = { 'X', true, "no connection", "perftest failed", "" },
	[OUTCOME_LOST] = { 'L', true, "lost", "the receiver did not count what was sent",
			   "run `losslessctl watch` at both hosts, and look for drops" },
	[OUTCOME_WRONG_AT_SENDER] = { 'S', true, "wrong_at_sender",
				      "the sender uses another priority",
				      "run `losslessctl verify` at the host that sends" },
	[OUTCOME_REWRITTEN] = { 'R', true, "rewritten", "the DSCP was rewritten on the way",
				"check trust and DSCP maps of the switches between the hosts" },
	[OUTCOME_WRONG_MAP] = { 'M', true, "wrong_map",
				"the receiver maps this DSCP to another priority",
				"run `losslessctl verify` at the host that receives" },
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
			       "a port does not choose the priority by DSCP",
			       "set `trust` to dscp at both hosts" },
	[OUTCOME_NOT_COUNTED] = { 'N', false, "not_counted",
				  "a port does not count bytes by priority",
				  "send more with --messages" },
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

/* Counts the cells of a host as sender (from == host) or receiver; SIZE_MAX stands for all. */
static void count_cells(const struct picture *m, size_t from, size_t to, size_t ret[OUTCOMES + 1])
{
	size_t hosts = m->p->hosts->count;

	memset(ret, 0, (OUTCOMES + 1) * sizeof(*ret));
	for (size_t i = 0; i < hosts * hosts; i++)
		if ((from == SIZE_MAX || i / hosts == from) && (to == SIZE_MAX || i % hosts == to))
			ret[m->cells[i]]++;
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
