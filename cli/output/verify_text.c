#include "verify_text.h"

#include <stdio.h>
#include <string.h>

#include "../../agent/engine/verify/host_advice.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../captured/captured_host.h"
#include "../env/environment_text.h"
#include "fold.h"
#include "lint_text.h"
#include "port_diff.h"
#include "print.h"
#include "rates_text.h"
#include "totals_text.h"
#include "verify_values.h"
#include "wrap.h"

#define MORE_INDENT   14 /* indent of lines below an item */
#define SYMPTOM_WIDTH 23

/* Non-critical symptoms are headed by their severity. */
static const char *head_of(const struct item *i)
{
	if (i->kind == ITEM_SYMPTOM && i->status == STATUS_SKIPPED)
		return "not judged";
	return i->severity && i->status != STATUS_SYMPTOM
		       ? i->severity
		       : status_words[status_word(i->status)].text;
}

static void print_head(const struct cli *c, const struct item *i, int width, const char *name)
{
	fprintf(c->to, "  %s%-*s%s %-*s ", word_colour(&c->out, status_word(i->status)),
		STATUS_WIDTH, head_of(i), c->out.reset, width, name);
}

static void print_more(const struct cli *c, const char *text)
{
	struct report_row row = { 0, MORE_INDENT, c->to };

	report_row_add(&row, MORE_INDENT, c->out.dim, text, c->out.reset);
	fputc('\n', c->to);
}

/* The summary mentions once that apply repairs drift, so items with that fix omit it. */
static bool shows_fix(const struct item *i)
{
	return i->needs[0] ||
	       (i->fix && (i->kind == ITEM_PEER || item_is_unwritable(i) ||
			   i->status == STATUS_UNKNOWN || i->status == STATUS_UNSUPPORTED));
}

/* A skipped setting and a comparison with the peer have a message instead of values. */
static bool has_values(const struct item *i)
{
	return i->kind == ITEM_SETTING && i->status != STATUS_SKIPPED;
}

/* The rationale of a drifted setting is for --verbose; a likely cause is for everybody. */
static bool explains(const struct cli *c, const struct item *i)
{
	return c->opt.verbose || i->likely_cause[0] || i->status != STATUS_DRIFT;
}

static void print_item(const struct cli *c, const struct item *i, const struct value_columns *w)
{
	print_head(c, i, w->name, i->name);
	if (has_values(i)) {
		print_values(c, i, w, word_colour(&c->out, status_word(i->status)));
	} else {
		print_clean(c->to, i->why ? i->why : "the peer has the same value");
		fputc('\n', c->to);
	}
}

/* Prints the reason and the fix below a row. */
static void explain_item(const struct cli *c, const struct item *i)
{
	const char *why = i->kind == ITEM_PEER ? NULL : item_why(i);

	if (i->status <= STATUS_SKIPPED)
		return;
	if (why && explains(c, i))
		print_more(c, why);
	if (shows_fix(i))
		print_more(c, item_fix(i));
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/*
 * True of settings that one failed reading makes unknown, or that one guard keeps from being
 * written: the last of them has the explanation.
 */
static bool explained_alike(const struct item *a, const struct item *b)
{
	return a->kind == ITEM_SETTING && b->kind == ITEM_SETTING &&
	       ((a->status == STATUS_UNKNOWN && b->status == STATUS_UNKNOWN) ||
		(a->is_refused && b->is_refused)) &&
	       same_text(item_why(a), item_why(b)) && same_text(item_fix(a), item_fix(b));
}

/* Prints the symptom, and the fix below it. */
static void print_symptom(const struct cli *c, const struct item *i)
{
	size_t length = strlen(i->name);
	struct report_row row = { 0, MORE_INDENT, c->to };

	row.column = 2 + STATUS_WIDTH + 1 + (length > SYMPTOM_WIDTH ? length : SYMPTOM_WIDTH) + 1;
	print_head(c, i, SYMPTOM_WIDTH, i->name);
	report_row_add(&row, 0, "", i->why, "");
	fputc('\n', c->to);
	if (item_fix(i))
		print_more(c, item_fix(i));
}

/* Advice about the host is printed once, below the ports. */
static bool is_about_host(const struct item *i)
{
	return i->kind == ITEM_SETTING && i->status == STATUS_ADVICE;
}

typedef bool is_row_fn(const struct cli *c, const struct port_report *a, const struct item *i);

static bool is_row_of_port(const struct cli *c, const struct port_report *a, const struct item *i)
{
	(void)a;
	return i->kind != ITEM_SYMPTOM && !is_about_host(i) &&
	       (c->opt.all || i->status > STATUS_SKIPPED);
}

static bool is_row_of_host(const struct cli *c, const struct port_report *a, const struct item *i)
{
	(void)c;
	return is_about_host(i) && (i->about & a->host_advice);
}

/* Prints a table of the items that `is_row` selects; nothing if there are none. */
static void print_rows(const struct cli *c, const struct port_report *a, is_row_fn *is_row)
{
	struct value_columns w = { .name = NAME_WIDTH_MIN, .has_origins = true };
	const struct item *last = NULL;

	for (size_t i = 0; i < a->count; i++)
		if (is_row(c, a, &a->items[i]) && has_values(&a->items[i]))
			value_columns_fit(&w, &a->items[i]);
	if (w.desired)
		print_value_headings(c, &w);
	for (size_t i = 0; i < a->count; i++)
		if (is_row(c, a, &a->items[i])) {
			if (last && !explained_alike(last, &a->items[i]))
				explain_item(c, last);
			last = &a->items[i];
			print_item(c, last, &w);
		}
	if (last)
		explain_item(c, last);
}

static void print_symptoms(const struct cli *c, const struct port_report *a)
{
	for (size_t i = 0; i < a->count; i++)
		if (a->items[i].kind == ITEM_SYMPTOM)
			print_symptom(c, &a->items[i]);
}

static void print_port_verdict(const struct cli *c, const struct port_report *a)
{
	const struct target *t = a->target;
	struct lint_input in = target_lint_input(t);
	enum status worst = port_report_status(a);

	fputs(c->out.bold, c->to);
	print_clean(c->to, t->task.port.id.name);
	fprintf(c->to, "%s  %s%s%s\n", c->out.reset, word_colour(&c->out, status_word(worst)),
		status_words[verdict_word(worst)].text, c->out.reset);
	for (size_t i = 0; i < t->refusals_count; i++) {
		const char *lint = t->refusals[i].lint;

		print_outside(c->to, "  %s: %s", t->refusals[i].setting, t->refusals[i].why);
		fprintf(c->to, lint ? " (%s)\n" : "\n", lint);
	}
	print_link_note(c, &t->task.port);
	print_rows(c, a, is_row_of_port);
	print_symptoms(c, a);
	print_findings(c, &in,
		       a->findings & ~advice_lints(c->engine.backends->features, a->findings));
}

static void print_host_advice(const struct cli *c, const struct port_report *a)
{
	struct lint_input in = target_lint_input(a->target);

	print_rows(c, a, is_row_of_host);
	print_findings(c, &in,
		       advice_lints(c->engine.backends->features, a->findings) & ~a->repeated);
}

/* Prints findings and advice that apply to the whole host, once. */
static void print_host(const struct cli *c, const struct port_reports *all)
{
	bool any = false;

	for (size_t i = 0; i < all->count; i++) {
		const struct port_report *a = &all->list[i];
		struct lint_input in = target_lint_input(a->target);

		any = any || a->host_advice ||
		      findings_printed(c, &in,
				       advice_lints(c->engine.backends->features, a->findings));
	}
	if (!any)
		return;
	fprintf(c->to, "%sthis host%s\n", c->out.bold, c->out.reset);
	for (size_t i = 0; i < all->count; i++)
		print_host_advice(c, &all->list[i]);
}

static void print_verdicts(const struct cli *c, const struct port_reports *all)
{
	_fold_ struct fold f = { .c = c };

	fold_open(&f, all->count);
	for (size_t i = 0; i < all->count; i++) {
		const struct target *t = all->list[i].target;
		const struct cli *to = fold_begin(&f, &t->task.port);

		fold_desired(&f, &t->task.desired);
		print_port_verdict(to, &all->list[i]);
		fold_end(&f);
	}
	fold_print(&f);
}

/* Settings in the policy are checked port by port, so the comparison of ports omits them. */
static setting_set judged(const struct port_reports *all)
{
	setting_set set = 0;

	for (size_t i = 0; i < all->count; i++)
		set |= all->list[i].target->task.desired.has;
	return set;
}

static void print_differing(const struct cli *c, setting_set off)
{
	struct report_row row = { 0, 2, c->to };

	if (!off)
		return;
	report_row_add(&row, 0, c->out.dim,
		       "the ports differ in settings that the policy does not have:", c->out.reset);
	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		char path[64];

		if (!(off & SETTING(i)))
			continue;
		off &= ~SETTING(i);
		snprintf(path, sizeof(path), "%s%s", settings[i].path, off ? "," : "");
		report_row_add(&row, 1, c->out.dim, path, c->out.reset);
	}
	report_row_add(&row, 1, c->out.dim, "(--all prints them)", c->out.reset);
	fputc('\n', c->to);
}

static bool apply_repairs_any(const struct port_reports *all)
{
	for (size_t i = 0; i < all->count; i++)
		for (size_t k = 0; k < all->list[i].count; k++)
			if (all->list[i].items[k].kind == ITEM_SETTING &&
			    all->list[i].items[k].status == STATUS_DRIFT &&
			    !item_is_unwritable(&all->list[i].items[k]))
				return true;
	return false;
}

static void print_summary(const struct cli *c, const struct verify_run *r)
{
	struct report_row row = { 0, 2, c->to };
	_free_ char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (to)
		print_totals(to, r, c->opt.sample_for_s, "; ", false);
	*c->output_lost = *c->output_lost || !to || fclose(to) != 0;
	fputc('\n', c->to);
	report_row_add(&row, 0, c->out.bold, text ? text : "", c->out.reset);
	fputc('\n', c->to);
	if (!verify_fails_by_strict(&r->totals, r->worst, c->opt.strict))
		return;
	fputs("fails because of --strict: ", c->to);
	print_strict_causes(c->to, &r->totals);
	fputc('\n', c->to);
}

static bool apply_refuses_any(const struct port_reports *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].refusals_count)
			return true;
	return false;
}

const char *repair_advice(const struct cli *c, const struct port_reports *all,
			  char ret[REPAIR_ADVICE_MAX])
{
	char path[POLICY_OPERAND_MAX];

	if (c->captured)
		snprintf(ret, REPAIR_ADVICE_MAX, "apply the policy on the host %s",
			 json_text(c->captured->document, "host"));
	else
		snprintf(ret, REPAIR_ADVICE_MAX, "run `losslessctl apply%s%s`",
			 apply_refuses_any(all) ? " --keep-going" : "", policy_operand(c, path));
	return ret;
}

static void print_repair(const struct cli *c, const struct port_reports *all)
{
	char advice[REPAIR_ADVICE_MAX];

	if (!apply_repairs_any(all))
		return;
	print_outside(c->to, "%s to repair the drift%s", repair_advice(c, all, advice),
		      apply_refuses_any(all) ? " of the ports that it does not refuse" : "");
	fputc('\n', c->to);
}

/* Names the controller that the policy leaves congestion to. */
static void print_owner(const struct cli *c, const struct policy *p)
{
	const struct congestion_control *control = p ? p->congestion_control : NULL;

	if (!control || !control->owner)
		return;
	fprintf(c->to, "%scongestion control: %s, by %s; losslessctl never writes it%s\n",
		c->out.dim, control->name, control->owner, c->out.reset);
}

void print_port_reports(const struct cli *c, const struct verify_run *r)
{
	const struct port_reports *all = &r->ports;
	_free_ struct setup *setups = port_reports_setups(all);

	print_verdicts(c, all);
	print_host(c, all);
	print_owner(c, r->policy);
	print_environment_verdict(c, r->environment);
	print_rates(c, all);
	*c->output_lost = *c->output_lost || !setups;
	if (setups && c->opt.all)
		print_port_differences(c, setups, all->count);
	else if (setups)
		print_differing(c, setups_differences(setups, all->count) & ~judged(all));
	print_summary(c, r);
	print_repair(c, all);
}

struct setup *port_reports_setups(const struct port_reports *all)
{
	struct setup *setups = oom_calloc(all->count + 1, sizeof(*setups));

	for (size_t i = 0; setups && i < all->count; i++) {
		const struct target *t = all->list[i].target;

		setups[i] = (struct setup){ .port = t->task.port.id.name,
					    .actual = &t->seen.actual,
					    .elsewhere = observation_elsewhere(&t->seen,
									       &t->task.port) };
	}
	return setups;
}
