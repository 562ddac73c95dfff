#include "plan_text.h"

#include <stdio.h>
#include <string.h>

#include "print.h"
#include "table.h"

#define REFUSAL_INDENT 11 /* column of a reason below "refused" */

/* The step's number and feature beside its first setting; what changes stands behind. */
static const struct table_column step_columns[] = { { "", .width = 3, .is_right = true },
						    { "", .width = 10 },
						    { "", .width = 21 },
						    { .head = "" } };

static void add_steps(struct table *t, const struct plan *p)
{
	for (size_t at = 0; at < p->count; at++) {
		setting_set touched = p->steps[at].change | p->steps[at].side;
		const char *feature = p->steps[at].feature->name;
		char number[24];

		snprintf(number, sizeof(number), "%zu.", at + 1);
		for (unsigned i = 0; i < SETTING_COUNT; i++) {
			if (!(touched & SETTING(i)))
				continue;
			table_add(t, "", number);
			table_add(t, "", feature);
			table_add(t, "", settings[i].path);
			number[0] = '\0';
			feature = "";
		}
	}
}

/* A bond sees its member lose the carrier: drivers switch it off to make other queues. */
static void print_pause(const struct cli *c, const struct target *t, const struct step *s,
			struct report_row *row)
{
	const char *bond = t->task.port.id.bond;
	char text[256];

	snprintf(text, sizeof(text), "traffic will pause briefly%s%s%s%s",
		 s->disrupts == DISRUPTS_RDMA
			 ? ", and RDMA connections with larger packets will break"
			 : "",
		 bond[0] ? "; " : "", bond,
		 bond[0] ? " sees its member lose the carrier for a moment" : "");
	report_row_add(row, 3, c->out.yellow, text, c->out.reset);
}

/* Prints the notes of a step beside the change of a setting. */
static void print_notes(const struct cli *c, const struct target *t, const struct step *s,
			unsigned setting, struct report_row *row)
{
	bool first = setting == (unsigned)__builtin_ctzll(s->change | s->side);
	bool flaps = s->disrupts == DISRUPTS_LINK && t->task.port.carrier;
	char origin[ORIGIN_TEXT_MAX];

	if (s->side & SETTING(setting))
		report_row_add(row, 3, c->out.dim, "(side effect)", c->out.reset);
	if (first && flaps)
		report_row_add(row, 3, c->out.yellow, "the link will flap", c->out.reset);
	if (first && (s->disrupts == DISRUPTS_TRAFFIC || s->disrupts == DISRUPTS_RDMA))
		print_pause(c, t, s, row);
	if (target_origin(t, setting, origin))
		report_row_add(row, 3, c->out.dim, origin_short(origin), c->out.reset);
}

/* A setting whose file apply creates first has no value yet. */
static void print_values_of(const struct cli *c, const struct target *t, size_t at,
			    unsigned setting, struct report_row *row)
{
	const struct plan *p = &t->task.plan;
	char before[SETTING_TEXT_MAX], after[SETTING_TEXT_MAX];

	setting_change_text(&settings[setting], plan_before(p, at), &p->steps[at].after, before,
			    after);
	report_row_add(row, 0, "", t->seen.missing & SETTING(setting) ? "not created yet" : before,
		       "");
	report_row_add(row, 1, "", c->out.arrow, "");
	report_row_add(row, 1, c->out.green, after, c->out.reset);
}

static void print_step(const struct table *table, size_t *row_of, const struct target *t, size_t at)
{
	const struct step *s = &t->task.plan.steps[at];
	const struct cli *c = table->c;

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		struct report_row row;

		if (!((s->change | s->side) & SETTING(i)))
			continue;
		row = table_print_row(table, (*row_of)++);
		print_values_of(c, t, at, i, &row);
		print_notes(c, t, s, i, &row);
		fputc('\n', c->to);
	}
	if (s->irreversible) {
		char text[256];

		snprintf(text, sizeof(text), "not reversible: %s", s->irreversible);
		print_below(c, 6, c->out.dim, text);
	}
}

static void print_steps(const struct cli *c, const struct target *t)
{
	_table_ struct table table = { .c = c,
				       .columns = step_columns,
				       .columns_count = 4,
				       .indent = 2,
				       .gap = 1,
				       .has_rest = true };
	size_t row = 0;

	add_steps(&table, &t->task.plan);
	for (size_t i = 0; i < t->task.plan.count; i++)
		print_step(&table, &row, t, i);
}

/* The number of refusals, from the first on, that differ in the setting only. */
static size_t refusals_alike(const struct refusal *r, size_t count)
{
	size_t n = 1;

	while (n < count && r[n].lint == r->lint && strcmp(r[n].why, r->why) == 0 &&
	       strcmp(r[n].fix, r->fix) == 0)
		n++;
	return n;
}

typedef void add_fn(struct report_row *r, size_t gap, const char *colour, const char *text,
		    const char *reset);

/* Prints refusals that are alike: their settings, and the reason once. */
static void print_alike(FILE *to, add_fn *add, const struct refusal *r, size_t count,
			struct report_row *row)
{
	char text[LINT_TEXT_MAX + 64];

	for (size_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%s%s", r[i].setting, i + 1 < count ? "," : ":");
		add(row, i ? 1 : 2, "", text, "");
	}
	snprintf(text, sizeof(text), r->lint ? "%s (%s)" : "%s", r->why, r->lint);
	add(row, 1, "", text, "");
	fputc('\n', to);
	if (!r->fix[0])
		return;
	*row = (struct report_row){ .indent = REFUSAL_INDENT, .to = row->to };
	add(row, REFUSAL_INDENT, "", r->fix, "");
	fputc('\n', to);
}

void print_apply_refusals(const struct cli *c, const struct refusal *r, size_t count)
{
	FILE *to = c->opt.quiet ? stderr : stdout;
	add_fn *add = c->opt.quiet ? error_row_add : report_row_add;
	const struct style *s = c->opt.quiet ? &c->err : &c->out;

	for (size_t i = 0; i < count; i++) {
		struct report_row row = { .indent = REFUSAL_INDENT };

		if (c->opt.quiet)
			add(&row, 0, "", "losslessctl:", "");
		add(&row, c->opt.quiet ? 1 : 0, s->red, "refused", s->reset);
		print_alike(to, add, &r[i], 1, &row);
	}
	if (count && !c->opt.quiet)
		putchar('\n');
}

void print_refusals(const struct cli *c, const struct targets *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct target *t = &all->list[i];
		char head[ID_MAX + 16];

		snprintf(head, sizeof(head), "losslessctl: %s:", t->task.port.id.name);
		for (size_t at = 0, n; at < t->refusals_count; at += n) {
			struct report_row row = { .indent = REFUSAL_INDENT };

			n = refusals_alike(&t->refusals[at], t->refusals_count - at);
			error_row_add(&row, 0, "", head, "");
			error_row_add(&row, 1, c->err.red, "refused", c->err.reset);
			print_alike(stderr, error_row_add, &t->refusals[at], n, &row);
		}
	}
}

static void print_refusals_of(const struct cli *c, const struct target *t)
{
	for (size_t at = 0, n; at < t->refusals_count; at += n) {
		struct report_row row = { .indent = REFUSAL_INDENT, .to = c->to };

		n = refusals_alike(&t->refusals[at], t->refusals_count - at);
		report_row_add(&row, 2, c->out.red, "refused", c->out.reset);
		print_alike(c->to, report_row_add, &t->refusals[at], n, &row);
	}
}

/* Settings that are skipped for the same reason. */
static setting_set skipped_like(const struct target *t, unsigned setting)
{
	const char *why = target_skip_why(t, setting);
	setting_set same = 0;

	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if ((t->skipped & SETTING(i)) && strcmp(target_skip_why(t, i), why) == 0)
			same |= SETTING(i);
	return same;
}

void print_skipped(const struct cli *c, const struct target *t)
{
	setting_set left = t->skipped;

	while (left) {
		unsigned first = (unsigned)__builtin_ctzll(left);
		setting_set same = skipped_like(t, first), rest = same;
		struct report_row row = { .column = sizeof("  skipped") - 1,
					  .indent = 11,
					  .to = c->to };

		fprintf(c->to, "  %sskipped%s", c->out.dim, c->out.reset);
		for (unsigned i = first; i < SETTING_COUNT; i++) {
			char path[64];

			if (!(same & SETTING(i)))
				continue;
			rest &= ~SETTING(i);
			snprintf(path, sizeof(path), "%s%s", settings[i].path, rest ? "," : ":");
			report_row_add(&row, i == first ? 2 : 1, c->out.dim, path, c->out.reset);
		}
		report_row_add(&row, 1, c->out.dim, target_skip_why(t, first), c->out.reset);
		fputc('\n', c->to);
		left &= ~same;
	}
}

void print_unwritable_differs(const struct cli *c, const struct target *t)
{
	const char *sep = "";

	if (!t->unwritable_differs)
		return;
	fprintf(c->to, "; %s", c->out.yellow);
	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (t->unwritable_differs & SETTING(i)) {
			fprintf(c->to, "%s%s", sep, settings[i].path);
			sep = " and ";
		}
	fprintf(c->to, " differ%s%s",
		t->unwritable_differs & (t->unwritable_differs - 1) ? "" : "s", c->out.reset);
}

static void print_rule(const struct cli *c, const struct policy *p, const struct port_rule *r)
{
	fprintf(c->to, "%s; rule %d (", c->out.dim, RULE_NUMBER(p, r));
	print_clean(c->to, r->profile->name[0] ? r->profile->name : "from show");
	fprintf(c->to, ")%s", c->out.reset);
}

/* A port that is refused does not flap. */
static void print_note_of(const struct cli *c, const struct target *t)
{
	struct report_row row = { .column = sizeof("  note") - 1, .indent = 8, .to = c->to };

	if (!t->note[0] || t->refusals_count)
		return;
	fprintf(c->to, "  %snote%s", c->out.dim, c->out.reset);
	report_row_add(&row, 2, c->out.dim, t->note, c->out.reset);
	fputc('\n', c->to);
}

void print_target(const struct cli *c, const struct policy *p, const struct target *t)
{
	print_port(c, &t->task.port);
	if (p && t->rule)
		print_rule(c, p, t->rule);
	fputc('\n', c->to);
	print_steps(c, t);
	print_note_of(c, t);
	print_refusals_of(c, t);
	print_skipped(c, t);
	if (t->task.plan.count || t->refusals_count)
		return;
	fprintf(c->to, "  %s%s%s", c->out.green,
		t->unwritable_differs ? "nothing to write" : "nothing to do", c->out.reset);
	print_unwritable_differs(c, t);
	fputc('\n', c->to);
}
