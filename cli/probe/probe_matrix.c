#include "probe_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "probe_fault_list.h"

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

static const char *name_of(const struct picture *m, size_t host)
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
		if (strlen(name_of(m, i)) > most)
			most = strlen(name_of(m, i));
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
		fprintf(m->to, "%3zu %-*.*s", from + 1, width, width, name_of(m, from));
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
		fprintf(m->to, "%3zu %-*.*s  sends:    ", i + 1, width, width, name_of(m, i));
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
