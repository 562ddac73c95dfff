#include "verify_text.h"

#include <stdio.h>
#include <string.h>

#include "../../agent/engine/verify/host_advice.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "fold.h"
#include "lint_text.h"
#include "port_diff.h"
#include "print.h"
#include "rates_text.h"
#include "status_words.h"

static const char *colour_of(const struct cli *c, enum status s)
{
	return s == STATUS_OK ? c->out.green : s >= STATUS_SYMPTOM ? c->out.red : c->out.yellow;
}

static void print_values(const struct cli *c, const struct item *i)
{
	const struct setting *k = &settings[__builtin_ctzll(i->about)];
	struct config desired = *i->desired, actual = *i->actual;
	char text[SETTING_TEXT_MAX];

	if (i->status != STATUS_OK)
		setting_drop_equal(k, &desired, &actual);
	printf("%s %s", i->status == STATUS_OK ? "is" : "want", setting_text(k, &desired, text));
	if (i->status == STATUS_DRIFT || i->status == STATUS_ADVICE)
		printf(", have %s%s%s", colour_of(c, i->status), setting_text(k, &actual, text),
		       c->out.reset);
}

/* Non-critical symptoms are headed by their severity. */
static const char *head_of(const struct item *i)
{
	return i->severity && i->status != STATUS_SYMPTOM ? i->severity
							  : status_words[i->status].text;
}

static void print_head(const struct cli *c, const struct item *i, int width, const char *name)
{
	printf("  %s%-11s%s %-*s ", colour_of(c, i->status), head_of(i), c->out.reset, width, name);
}

static void print_more(const struct cli *c, const char *text)
{
	printf("              %s", c->out.dim);
	print_clean(stdout, text);
	printf("%s\n", c->out.reset);
}

/* Link settings are not repaired by `losslessctl apply`. */
static bool is_link(const struct item *i)
{
	return i->kind == ITEM_SETTING && (i->about & LINK_SETTINGS);
}

/* The summary mentions once that apply repairs drift, so items with that fix omit it. */
static bool shows_fix(const struct item *i)
{
	return i->needs[0] ||
	       (i->fix && (i->kind == ITEM_PEER || is_link(i) || i->status == STATUS_UNKNOWN ||
			   i->status == STATUS_UNSUPPORTED));
}

static void print_item(const struct cli *c, const struct item *i)
{
	const char *why = i->kind == ITEM_PEER ? NULL : item_why(i);

	print_head(c, i, 21, i->name);
	if (i->skipped)
		print_outside(stdout, "skipped: %s", i->why);
	else if (i->kind == ITEM_PEER)
		print_clean(stdout, i->why ? i->why : "the switch has the same");
	else
		print_values(c, i);
	if (i->origin[0])
		print_origin(c, i->origin);
	printf("\n");
	if (i->skipped || i->status == STATUS_OK)
		return;
	if (why)
		print_more(c, why);
	if (shows_fix(i))
		print_more(c, item_fix(i));
}

/* Prints the symptom, and the fix below it. */
static void print_symptom(const struct cli *c, const struct item *i)
{
	print_head(c, i, 23, i->name);
	print_clean(stdout, i->why);
	printf("\n");
	if (item_fix(i))
		print_more(c, item_fix(i));
}

/* Advice about the host is printed once, below the ports. */
static bool is_about_host(const struct item *i)
{
	return i->kind == ITEM_SETTING && i->status == STATUS_ADVICE;
}

static void print_items(const struct cli *c, const struct port_report *a)
{
	for (size_t i = 0; i < a->count; i++)
		if (is_about_host(&a->items[i]))
			continue;
		else if (a->items[i].kind == ITEM_SYMPTOM)
			print_symptom(c, &a->items[i]);
		else if (c->opt.all || a->items[i].status != STATUS_OK)
			print_item(c, &a->items[i]);
}

static void print_port_verdict(const struct cli *c, const struct port_report *a)
{
	const struct target *t = a->target;
	struct lint_input in = target_lint_input(t);
	enum status worst = port_report_status(a);

	fputs(c->out.bold, stdout);
	print_clean(stdout, t->task.port.id.name);
	printf("%s  %s%s%s\n", c->out.reset, colour_of(c, worst), verdict_text(worst),
	       c->out.reset);
	for (size_t i = 0; i < t->refusals_count; i++) {
		print_outside(stdout, "  %s: %s", t->refusals[i].setting, t->refusals[i].why);
		putchar('\n');
	}
	print_link_note(c, &t->task.port);
	print_items(c, a);
	print_findings(c, &in,
		       a->findings & ~advice_lints(c->engine.backends->features, a->findings));
}

static void print_host_advice(const struct cli *c, const struct port_report *a)
{
	struct lint_input in = target_lint_input(a->target);

	for (size_t i = 0; i < a->count; i++)
		if (is_about_host(&a->items[i]) && (a->items[i].about & a->host_advice))
			print_item(c, &a->items[i]);
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
	printf("%sthis host%s\n", c->out.bold, c->out.reset);
	for (size_t i = 0; i < all->count; i++)
		print_host_advice(c, &all->list[i]);
}

static void print_verdicts(const struct cli *c, const struct port_reports *all)
{
	_fold_ struct fold f = { .c = c };

	fold_open(&f, all->count);
	for (size_t i = 0; i < all->count; i++) {
		fold_begin(&f, &all->list[i].target->task.port);
		print_port_verdict(c, &all->list[i]);
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
	const char *sep = "";

	if (off)
		printf("%sthe policy is silent on it, and the ports differ in ", c->out.dim);
	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (off & SETTING(i)) {
			printf("%s%s", sep, settings[i].path);
			sep = ", ";
		}
	if (off)
		printf(" (--all shows how)%s\n", c->out.reset);
}

static bool apply_repairs_any(const struct port_reports *all)
{
	for (size_t i = 0; i < all->count; i++)
		for (size_t k = 0; k < all->list[i].count; k++)
			if (all->list[i].items[k].status == STATUS_DRIFT &&
			    !is_link(&all->list[i].items[k]))
				return true;
	return false;
}

void print_port_reports(const struct cli *c, const struct port_reports *all,
			const struct verify_totals *n)
{
	size_t unknown = verify_totals_unknown(n);
	_free_ struct setup *setups = port_reports_setups(all);

	print_verdicts(c, all);
	print_host(c, all);
	print_rates(c, all);
	*c->output_lost = *c->output_lost || !setups;
	if (setups && c->opt.all)
		print_port_differences(c, setups, all->count);
	else if (setups)
		print_differing(c, setups_differences(setups, all->count) & ~judged(all));
	printf("\n%s%zu of %zu settings on %zu port%s are as wished", c->out.bold,
	       n->settings[STATUS_OK], n->items, n->ports, n->ports == 1 ? "" : "s");
	if (n->settings[STATUS_DRIFT])
		printf("; %zu %s drifted%s", n->settings[STATUS_DRIFT],
		       n->settings[STATUS_DRIFT] == 1 ? "has" : "have",
		       apply_repairs_any(all) ? ": `losslessctl apply` repairs that" : "");
	if (unknown)
		printf("; %zu cannot be told", unknown);
	if (n->errors)
		printf("; %zu error finding%s", n->errors, n->errors == 1 ? "" : "s");
	if (n->warnings)
		printf("; %zu warning%s", n->warnings, n->warnings == 1 ? "" : "s");
	if (n->advised)
		printf("; %zu worth a look", n->advised);
	if (c->opt.sample_for_s)
		printf("; %zu symptom%s in %u s", verify_totals_symptoms(n),
		       verify_totals_symptoms(n) == 1 ? "" : "s", c->opt.sample_for_s);
	printf("%s\n", c->out.reset);
}

struct setup *port_reports_setups(const struct port_reports *all)
{
	struct setup *setups = oom_calloc(all->count + 1, sizeof(*setups));

	for (size_t i = 0; setups && i < all->count; i++)
		setups[i] = (struct setup){ all->list[i].target->task.port.id.name,
					    &all->list[i].target->seen.actual };
	return setups;
}
