#include "probe_fault_list.h"

#include "../output/print.h"
#include "../output/wrap.h"
#include "probe_outcome.h"

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
