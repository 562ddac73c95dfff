#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "../../agent/engine/journal/journal.h"
#include "../../agent/engine/journal/lock.h"
#include "../../agent/engine/journal/policy_generation.h"
#include "../../agent/engine/journal/lost_settings.h"
#include "../../agent/engine/journal/unfinished.h"
#include "../../agent/engine/target/preflight.h"
#include "../../agent/engine/target/target.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "../output/fold.h"
#include "../output/lint_text.h"
#include "../output/plan_text.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../sandbox/policy_file.h"
#include "verbs.h"

/* ---- refusals that are not about a port ---- */

#define APPLY_REFUSALS_MAX 9

struct apply_refusals {
	struct refusal list[APPLY_REFUSALS_MAX];
	size_t count;
	struct err first; /* the one that apply would report */
};

static void add(struct apply_refusals *r, const char *subject, const struct err *why)
{
	bool unknown = geteuid() != 0 && (why->kind == ERR_DENIED || why->code == EACCES);
	struct refusal *new = &r->list[r->count];

	if (!why->kind || unknown || r->count == APPLY_REFUSALS_MAX)
		return;
	if (!r->count)
		r->first = *why;
	r->count++;
	*new = (struct refusal){ .setting = subject };
	snprintf(new->why, sizeof(new->why), "%s%s%s", why->where, why->where[0] ? ": " : "",
		 why->text);
	snprintf(new->fix, sizeof(new->fix), "%s", why->fix);
}

/*
 * Asks what apply asks before it reads a port, in its order. Another run that writes, or waits for
 * confirmation, ends by itself: it is a warning. A user who is not root is not told what only root
 * can find out.
 */
static void apply_refusals_find(const struct cli *c, const struct policy *p,
				struct apply_refusals *ret)
{
	struct err netns = { 0 }, state = { 0 }, lock = { 0 }, journal = { 0 }, generation = { 0 };

	*ret = (struct apply_refusals){ .count = 0 };
	(void)!cli_check_netns(c, &netns);
	(void)!journal_is_trusted(c->h, &state);
	(void)!lock_has_room(c->h, &lock);
	(void)!unfinished_allows_apply(&c->engine, &journal);
	(void)!policy_generation_check(c->h, p, &generation);
	add(ret, "rights", &c->foreseen.rights);
	add(ret, "network-namespace", &netns);
	add(ret, "policy-file", &c->foreseen.file);
	add(ret, "signature", &c->foreseen.signature);
	add(ret, "state-directory", &state);
	add(ret, "lock", &lock);
	add(ret, "journal", &journal);
	add(ret, "generation", &generation);
}

/* Asks what apply asks before its first write. */
static void apply_refusals_of_writes(const struct cli *c, struct apply_refusals *r)
{
	struct err why = { 0 };

	(void)!journal_has_room(c->h, &why);
	add(r, "state-directory", &why);
}

/* ---- plan ---- */

struct totals {
	size_t ports, steps, changes, flaps, refused;
	bool nothing; /* apply would write to no port */
	bool unwritable_differs;
	bool at_most; /* a file that apply creates may hold the desired value */
};

/*
 * Sums up what apply would do: nothing, if something refuses it, or if it refuses a port and does
 * not keep going.
 */
static struct totals count(const struct cli *c, const struct targets *all,
			   const struct apply_refusals *r)
{
	struct totals n = { 0 };

	for (size_t i = 0; i < all->count; i++)
		n.refused += all->list[i].refusals_count > 0;
	n.nothing = r->count || (n.refused && !c->opt.keep_going);
	for (size_t i = 0; i < all->count; i++) {
		const struct target *t = &all->list[i];

		if (t->refusals_count || n.nothing)
			continue;
		n.ports += t->task.plan.count > 0;
		n.steps += t->task.plan.count;
		n.changes += (size_t)__builtin_popcountll(plan_touched(&t->task.plan));
		n.flaps += plan_disrupts(&t->task.plan) == DISRUPTS_LINK && t->task.port.carrier;
		n.unwritable_differs = n.unwritable_differs || t->unwritable_differs;
		n.at_most = n.at_most || (plan_touched(&t->task.plan) & t->seen.missing);
	}
	return n;
}

static void add_piece(const struct cli *c, struct report_row *row, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void add_piece(const struct cli *c, struct report_row *row, const char *fmt, ...)
{
	char text[128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (row->column)
		report_row_add(row, 0, c->out.bold, ";", c->out.reset);
	report_row_add(row, row->column ? 1 : 0, c->out.bold, text, c->out.reset);
}

static void print_totals(const struct cli *c, const struct totals *n, size_t ports)
{
	struct report_row row = { .indent = 2 };
	const char *s = ports == 1 ? "" : "s";

	putchar('\n');
	if (n->steps)
		add_piece(c, &row, "%zu of %zu port%s to change in %s%zu step%s", n->ports, ports,
			  s, n->at_most ? "at most " : "", n->steps, n->steps == 1 ? "" : "s");
	else if (!n->nothing && !n->refused)
		add_piece(c, &row, "nothing to %s on %zu port%s",
			  n->unwritable_differs ? "write" : "do", ports, s);
	if (n->steps && n->flaps)
		add_piece(c, &row, "%zu link%s will flap", n->flaps, n->flaps == 1 ? "" : "s");
	else if (n->steps)
		add_piece(c, &row, "no link will flap");
	if (n->refused)
		add_piece(c, &row, "%zu of %zu port%s refused: apply would %s", n->refused, ports,
			  s, n->nothing ? "write nothing" : "skip these");
	else if (n->nothing)
		add_piece(c, &row, "apply would write nothing");
	putchar('\n');
}

static void print_text(const struct cli *c, const struct policy *p, const struct targets *all,
		       const struct totals *n)
{
	_fold_ struct fold f = { .c = c };

	fold_open(&f, all->count);
	for (size_t i = 0; i < all->count; i++) {
		const struct cli *to = fold_begin(&f, &all->list[i].task.port);

		fold_desired(&f, &all->list[i].task.desired);
		print_target(to, p, &all->list[i]);
		fold_end(&f);
	}
	fold_print(&f);
	print_totals(c, n, all->count);
}

static json_t *target_to_json(const struct policy *p, const struct target *t)
{
	json_t *out = json_pack("{s:s, s:i, s:o*}", "port", t->task.port.id.name, "rule_number",
				RULE_NUMBER(p, t->rule), "refusals",
				report_refusals(t->refusals, t->refusals_count));

	json_object_set_new(out, "steps", report_steps(t, NULL));
	return out;
}

static json_t *document(const struct cli *c, const struct policy *p, const struct targets *all,
			const struct apply_refusals *r)
{
	const struct totals n = count(c, all, r);
	_free_ struct setup *setups = oom_calloc(all->count + 1, sizeof(*setups));
	json_t *doc = report_of_host(c, "plan"), *ports = json_array();

	for (size_t i = 0; i < all->count; i++) {
		json_array_append_new(ports, target_to_json(p, &all->list[i]));
		if (setups)
			setups[i].actual = &all->list[i].seen.actual;
	}
	json_object_set_new(doc, "policy", report_policy(p));
	identity_add_state(doc, setups, all->count);
	json_object_set_new(doc, "change_count", json_integer((json_int_t)n.changes));
	json_object_set_new(doc, "link_flap_count", json_integer((json_int_t)n.flaps));
	if (r->count)
		json_object_set_new(doc, "refusals", report_refusals(r->list, r->count));
	json_object_set_new(doc, "ports", ports);
	return doc;
}

static bool plan_port(struct cli *c, struct target *t, struct err *err)
{
	if (!target_observe(&c->engine, t, err))
		return false;
	target_leave_to_lldpad(t);
	if (cli_foresees_apply(c) && (t->seen.missing & t->task.desired.has))
		target_prepare(&c->engine, t);
	if (c->h)
		lost_settings_reveal(c->h, &t->task.port, &t->seen);
	task_plan(&t->task, observation_features(&t->seen), &t->seen.actual);
	preflight_look(&c->engine, t);
	return true;
}

static bool plan_ports(struct cli *c, struct targets *all, struct err *err)
{
	for (size_t i = 0; i < all->count; i++)
		if (!plan_port(c, &all->list[i], err))
			return false;
	for (size_t i = 0; i < all->count; i++)
		preflight(&c->engine, &all->list[i]);
	bonds_check(all);
	print_lints_of_plans(c, all);
	return true;
}

static bool any_steps(const struct targets *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].task.plan.count)
			return true;
	return false;
}

static int print_plan(const struct cli *c, const struct policy *p, const struct targets *all,
		      const struct apply_refusals *r)
{
	const struct totals n = count(c, all, r);

	if (c->opt.json)
		print_json(c, document(c, p, all, r));
	else
		print_apply_refusals(c, r->list, r->count);
	if (!c->opt.json && c->opt.quiet)
		print_refusals(c, all);
	else if (!c->opt.json)
		print_text(c, p, all, &n);
	if (n.refused || n.nothing)
		return EXIT_FAILED;
	return n.steps ? EXIT_DIFFERS : EXIT_SUCCESS;
}

static int plan(struct cli *c, struct scope *of, struct apply_refusals *r, struct err *err)
{
	if (!scope_find(c, true, of, err)) {
		*err = r->count ? r->first : *err; /* apply would not look for ports */
		return -1;
	}
	if (!plan_ports(c, &of->targets, err))
		return -1;
	if (cli_foresees_apply(c) && any_steps(&of->targets))
		apply_refusals_of_writes(c, r);
	return print_plan(c, of->policy, &of->targets, r);
}

int verb_plan(struct cli *c, struct err *err)
{
	_scope_ struct scope of = { .policy = NULL };
	struct apply_refusals r = { .count = 0 };

	if (!scope_open(c, POLICY_REQUIRED, &of, err))
		return -1;
	if (cli_foresees_apply(c))
		apply_refusals_find(c, of.policy, &r);
	return plan(c, &of, &r, err);
}
