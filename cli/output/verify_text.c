#include "verify_text.h"

#include <stdio.h>
#include <string.h>

#include "../../agent/engine/journal/unfinished.h"
#include "../../agent/engine/verify/verify.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../captured/captured_host.h"
#include "environment_text.h"
#include "fold.h"
#include "lint_text.h"
#include "print.h"
#include "rates_text.h"
#include "table.h"
#include "totals_text.h"

/* ---- settings ---- */

#define WIDTH_MAX	100
#define VALUE_SHOWN_MAX 31 /* the longest value beside the other one */
#define STATUS_WIDTH	11

enum {
	COLUMN_STATUS,
	COLUMN_NAME,
	COLUMN_DESIRED,
	COLUMN_ACTUAL,
	COLUMN_ORIGIN, /* hidden if it does not fit: origins are printed below the rows */
	COLUMNS
};

static const struct table_column value_columns[COLUMNS] = {
	[COLUMN_STATUS] = { "status", .width = STATUS_WIDTH },
	[COLUMN_NAME] = { "setting", .width = NAME_WIDTH_MIN, .gap = 1 },
	[COLUMN_DESIRED] = { "desired", .gap = 1 },
	[COLUMN_ACTUAL] = { .head = "actual" },
	[COLUMN_ORIGIN] = { .head = "origin" },
};

struct values {
	char desired[SETTING_TEXT_MAX], actual[SETTING_TEXT_MAX];
};

/*
 * Writes what differs, and "-" for an unknown value. In sync means that the port has each entry of
 * a desired map, and about a desired number: it may be rounded, or larger.
 */
static void values_of(const struct item *i, struct values *ret)
{
	const struct setting *k = &settings[__builtin_ctzll(i->about)];
	bool is_number = k->type == T_INT || k->type == T_WORD_OR_INT;

	setting_text(k, i->desired, ret->desired);
	snprintf(ret->actual, sizeof(ret->actual), "-");
	if (i->status == STATUS_OK)
		setting_text(k, is_number ? i->actual : i->desired, ret->actual);
	if (i->status == STATUS_DRIFT || i->status == STATUS_ADVICE)
		setting_change_text(k, i->desired, i->actual, ret->desired, ret->actual);
}

static bool fit(const struct values *v)
{
	return strlen(v->desired) <= VALUE_SHOWN_MAX && strlen(v->actual) <= VALUE_SHOWN_MAX;
}

/* The column of names is as wide as the values leave room for. */
static void fit_columns(const struct table *t, struct table_column columns[COLUMNS],
			size_t longest_name)
{
	size_t left;

	columns[COLUMN_NAME].max = NAME_WIDTH_MIN;
	left = table_end(t, COLUMN_ACTUAL) < WIDTH_MAX ? WIDTH_MAX - table_end(t, COLUMN_ACTUAL)
						       : 0;
	if (longest_name > NAME_WIDTH_MIN + left)
		columns[COLUMN_NAME].max = NAME_WIDTH_MIN + left;
	else if (longest_name > NAME_WIDTH_MIN)
		columns[COLUMN_NAME].max = longest_name;
	columns[COLUMN_ORIGIN].is_hidden = table_end(t, COLUMN_ORIGIN) > WIDTH_MAX;
}

static void print_origin_of(const struct cli *c, const struct item *i)
{
	fputs(c->out.dim, c->to);
	print_clean(c->to, origin_short(i->origin));
	fputs(c->out.reset, c->to);
}

/*
 * Prints values that are too long for their columns one below the other: "desired: VALUE" and
 * "actual: VALUE", each wrapped, and "origin: ORIGIN".
 */
static void print_long(const struct cli *c, const struct item *i, const struct values *v,
		       size_t indent)
{
	const size_t column = indent + sizeof("desired:");

	fputs("desired: ", c->to);
	wrap_print(c->to, v->desired, column, column);
	fprintf(c->to, "%*sactual:  %s", (int)indent, "",
		word_colour(&c->out, status_word(i->status)));
	wrap_print(c->to, v->actual, column, column);
	fprintf(c->to, "%s%*sorigin:  ", c->out.reset, (int)indent, "");
	print_origin_of(c, i);
}

/* ---- ports ---- */

#define MORE_INDENT 14 /* indent of lines below an item */

/* Non-critical symptoms are headed by their severity. */
static const char *head_of(const struct item *i)
{
	if (i->kind == ITEM_SYMPTOM && i->status == STATUS_SKIPPED)
		return "not judged";
	return i->severity && i->status != STATUS_SYMPTOM
		       ? i->severity
		       : status_words[status_word(i->status)].text;
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

static void add_item(struct table *t, const struct item *i)
{
	const char *colour = word_colour(&t->c->out, status_word(i->status));
	struct values v = { "", "" };
	bool is_shown = false;

	if (has_values(i)) {
		values_of(i, &v);
		is_shown = fit(&v);
	}
	table_add(t, colour, head_of(i));
	table_add(t, "", i->name);
	table_add(t, "", is_shown ? v.desired : "");
	table_add(t, colour, is_shown ? v.actual : "");
	table_add(t, t->c->out.dim, is_shown ? origin_short(i->origin) : "");
}

/* Prints a row of the table, and what it has no cells for. */
static void print_item(const struct table *t, size_t at, const struct item *i)
{
	struct report_row row = table_print_row(t, at);
	const struct cli *c = t->c;
	struct values v;

	if (has_values(i))
		values_of(i, &v);
	if (!has_values(i)) {
		table_skip_to(t, &row, COLUMN_DESIRED);
		print_clean(c->to, i->why ? i->why : "the peer has the same value");
	} else if (!fit(&v)) {
		table_skip_to(t, &row, COLUMN_DESIRED);
		print_long(c, i, &v, table_start(t, COLUMN_DESIRED));
	} else if (t->columns[COLUMN_ORIGIN].is_hidden && i->origin[0]) {
		fprintf(c->to, "\n%*s", (int)table_start(t, COLUMN_NAME), "");
		print_origin_of(c, i);
	}
	fputc('\n', c->to);
}

/* Prints the reason and the fix below a row. */
static void explain_item(const struct cli *c, const struct item *i)
{
	const char *why = i->kind == ITEM_PEER ? NULL : item_why(i);

	if (i->status <= STATUS_SKIPPED)
		return;
	if (why && explains(c, i))
		print_below(c, MORE_INDENT, c->out.dim, why);
	if (shows_fix(i))
		print_below(c, MORE_INDENT, c->out.dim, item_fix(i));
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

/* Prints the symptom behind the cells of its row, and the fix below it. */
static void print_symptom(const struct table *t, size_t at, const struct item *i)
{
	struct report_row row = table_print_row(t, at);

	row.indent = MORE_INDENT;
	report_row_add(&row, 0, "", i->why, "");
	fputc('\n', t->c->to);
	if (item_fix(i))
		print_below(t->c, MORE_INDENT, t->c->out.dim, item_fix(i));
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
	struct table_column columns[COLUMNS];
	_table_ struct table t = {
		.c = c, .columns = columns, .columns_count = COLUMNS, .indent = 2, .gap = 2
	};
	const struct item *last = NULL;
	size_t longest_name = 0, row = 0;

	memcpy(columns, value_columns, sizeof(columns));
	for (size_t i = 0; i < a->count; i++) {
		const struct item *item = &a->items[i];

		if (!is_row(c, a, item))
			continue;
		add_item(&t, item);
		if (has_values(item) && strlen(item->name) > longest_name)
			longest_name = strlen(item->name);
	}
	fit_columns(&t, columns, longest_name);
	if (longest_name)
		table_print_head(&t);
	for (size_t i = 0; i < a->count; i++)
		if (is_row(c, a, &a->items[i])) {
			if (last && !explained_alike(last, &a->items[i]))
				explain_item(c, last);
			last = &a->items[i];
			print_item(&t, row++, last);
		}
	if (last)
		explain_item(c, last);
}

static void print_symptoms(const struct cli *c, const struct port_report *a)
{
	static const struct table_column columns[] = { { "", .width = STATUS_WIDTH },
						       { "", .width = 23, .max = 23 },
						       { .head = "" } };
	_table_ struct table t = { .c = c,
				   .columns = columns,
				   .columns_count = 3,
				   .indent = 2,
				   .gap = 1,
				   .has_rest = true };
	size_t row = 0;

	for (size_t i = 0; i < a->count; i++)
		if (a->items[i].kind == ITEM_SYMPTOM) {
			table_add(&t, word_colour(&c->out, status_word(a->items[i].status)),
				  head_of(&a->items[i]));
			table_add(&t, "", a->items[i].name);
		}
	for (size_t i = 0; i < a->count; i++)
		if (a->items[i].kind == ITEM_SYMPTOM)
			print_symptom(&t, row++, &a->items[i]);
}

static void print_port_verdict(const struct cli *c, const struct port_report *a)
{
	const struct target *t = a->target;
	struct lint_input in = target_lint_input(t);
	enum status worst = port_report_status(a);
	bool idle = worst <= STATUS_SKIPPED && port_report_is_idle(a);

	fputs(c->out.bold, c->to);
	print_clean(c->to, t->task.port.id.name);
	fprintf(c->to, "%s  %s%s%s\n", c->out.reset,
		idle ? c->out.yellow : word_colour(&c->out, status_word(worst)),
		idle ? "nothing verified" : status_words[verdict_word(worst)].text, c->out.reset);
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
	struct report_row row = { .indent = 2, .to = c->to };

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

static bool apply_repairs(const struct port_report *a)
{
	for (size_t k = 0; k < a->count; k++)
		if (a->items[k].kind == ITEM_SETTING && a->items[k].status == STATUS_DRIFT &&
		    !item_is_unwritable(&a->items[k]))
			return true;
	return false;
}

static bool apply_repairs_any(const struct port_reports *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (apply_repairs(&all->list[i]))
			return true;
	return false;
}

static void print_summary(const struct cli *c, const struct verify_run *r)
{
	struct report_row row = { .indent = 2, .to = c->to };
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

static bool add_port(char buf[PORT_OPERANDS_MAX], const char *name)
{
	char quoted[SHELL_NAME_MAX];
	const char *word = shell_word(name, quoted, sizeof(quoted));
	size_t used = strlen(buf), room = PORT_OPERANDS_MAX - used;

	return word && (size_t)snprintf(&buf[used], room, " %s", word) < room;
}

/*
 * The ports that the user named. Where a rule lacks its ports, which stops an apply to all, those
 * that drifted.
 */
static const char *port_operands(const struct cli *c, const struct verify_run *r,
				 char buf[PORT_OPERANDS_MAX])
{
	bool fit = true;

	buf[0] = '\0';
	for (size_t i = 0; i < c->opt.words_count; i++)
		fit = fit && add_port(buf, c->opt.words[i]);
	for (size_t i = 0; i < r->ports.count && !c->opt.words_count && r->unmet.count; i++)
		if (apply_repairs(&r->ports.list[i]))
			fit = fit && add_port(buf, r->ports.list[i].target->task.port.id.name);
	return fit ? buf : " PORT...";
}

const char *repair_advice(const struct cli *c, const struct verify_run *r,
			  char ret[REPAIR_ADVICE_MAX])
{
	char path[POLICY_OPERAND_MAX], ports[PORT_OPERANDS_MAX];
	bool completes = !c->captured && unfinished_is_rollback(c->h);

	if (c->captured)
		snprintf(ret, REPAIR_ADVICE_MAX, "apply the policy on the host %s",
			 json_text(c->captured->document, "host"));
	else
		snprintf(ret, REPAIR_ADVICE_MAX, "run %s`losslessctl apply%s%s%s`",
			 completes ? "`losslessctl rollback`, which completes the last one, and "
				     "then "
				   : "",
			 apply_refuses_any(&r->ports) ? " --keep-going" : "",
			 policy_operand(c, path), port_operands(c, r, ports));
	return ret;
}

static void print_repair(const struct cli *c, const struct verify_run *r)
{
	const struct port_reports *all = &r->ports;
	char advice[REPAIR_ADVICE_MAX];

	if (!apply_repairs_any(all))
		return;
	print_outside(c->to, "%s to repair the drift%s", repair_advice(c, r, advice),
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

static void print_not_queried(const struct cli *c, const struct port_reports *all)
{
	char names[SETTING_NAMES_MAX];
	setting_set left = 0;

	for (size_t i = 0; i < all->count; i++)
		left |= all->list[i].target->skipped & all->list[i].target->seen.not_asked;
	if (!left)
		return;
	setting_names(left, names);
	fprintf(c->to, "%snot verified: %s, queried only with --firmware%s\n", c->out.dim, names,
		c->out.reset);
}

void print_port_reports(const struct cli *c, const struct verify_run *r)
{
	const struct port_reports *all = &r->ports;
	_free_ struct setup *setups = port_reports_setups(all);

	print_verdicts(c, all);
	print_host(c, all);
	print_owner(c, r->policy);
	print_not_queried(c, all);
	print_environment_verdict(c, r->environment);
	print_rates(c, all);
	*c->output_lost = *c->output_lost || !setups;
	if (setups && c->opt.all)
		print_port_differences(c, setups, all->count);
	else if (setups)
		print_differing(c, setups_differences(setups, all->count) & ~judged(all));
	print_summary(c, r);
	print_repair(c, r);
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
