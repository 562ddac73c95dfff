#include "write_report.h"

#include <stdio.h>

#include "../../agent/engine/observe.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/util/oom.h"
#include "fold.h"
#include "report_json.h"
#include "plan_text.h"
#include "print.h"

/* Returns {attempts, error?} of the rollback, or NULL if there was none. */
static json_t *rollback_to_json(const struct result *r)
{
	json_t *out;

	if (!r->rollback_tries)
		return NULL;
	out = json_pack("{s:i}", "attempts", (int)r->rollback_tries);
	if (r->rollback_err.kind)
		json_object_set_new(out, "error", report_error(&r->rollback_err));
	return out;
}

/* Returns [{setting, actual, previous, readable}] of the settings that the rollback did not
 * restore. */
static json_t *not_rolled_back_to_json(const struct target *t)
{
	const struct result *r = &t->task.result;
	json_t *list = json_array();

	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (r->not_rolled_back & SETTING(i))
			json_array_append_new(
				list, json_pack("{s:s, s:o, s:o, s:b}", "setting", settings[i].path,
						"actual", setting_to_json(&settings[i], &r->now),
						"previous",
						setting_to_json(&settings[i],
								t->rule ? &t->task.plan.back
									: &t->task.plan.desired),
						"readable", !(r->unseen & SETTING(i))));
	return list;
}

/* Returns {port, outcome, steps, rollback?, refusals?, error?, not_rolled_back?}. */
static json_t *outcome_to_json(const struct target *t)
{
	const struct result *r = &t->task.result;
	json_t *out = json_pack("{s:s, s:s, s:o, s:o*, s:o*}", "port", t->task.port.id.name,
				"outcome", outcome_name(r->outcome), "steps", report_steps(t, r),
				"rollback", rollback_to_json(r), "refusals",
				report_refusals(t->refusals, t->refusals_count));

	if (r->err.kind)
		json_object_set_new(out, "error", report_error(&r->err));
	if (r->not_rolled_back)
		json_object_set_new(out, "not_rolled_back", not_rolled_back_to_json(t));
	return out;
}

static void print_status(const struct cli *c, const struct target *t, size_t i)
{
	static const char *const says[] = { [STEP_DONE] = "done",
					    [STEP_FAILED] = "failed: ",
					    [STEP_NOT_ATTEMPTED] = "not attempted" };
	const struct plan *p = &t->task.plan;
	enum step_status status = step_status(p, &t->task.result, i);

	fprintf(c->to, "    step %zu, %s: %s%s", i + 1, p->steps[i].feature->name,
		status == STEP_FAILED ? c->out.red : "", says[status]);
	if (status == STEP_FAILED)
		print_clean(c->to, t->task.result.err.text);
	fprintf(c->to, "%s\n", c->out.reset);
}

/*
 * Prints how the rollback went, or how a failed rollback was undone. The error of the last attempt
 * explains settings that are not restored; if all are, a repeated write is all that failed.
 */
static void print_rollback(const struct cli *c, const struct target *t)
{
	const struct result *r = &t->task.result;
	bool verified = r->outcome == OUTCOME_FAILED;

	if (!r->rollback_tries)
		return;
	fprintf(c->to, "    %s: %u attempt%s", t->rule ? "rollback" : "undo", r->rollback_tries,
		r->rollback_tries == 1 ? "" : "s");
	if (r->rollback_err.kind) {
		fprintf(c->to, "; %s: %s",
			verified ? "verified, although a write failed" : "the last one failed",
			c->out.red);
		print_clean(c->to, r->rollback_err.where);
		fputs(r->rollback_err.where[0] ? ": " : "", c->to);
		print_clean(c->to, r->rollback_err.text);
		fputs(c->out.reset, c->to);
	}
	fputc('\n', c->to);
}

static void print_left(const struct cli *c, const struct target *t)
{
	const struct result *r = &t->task.result;

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		if (!(r->not_rolled_back & SETTING(i)))
			continue;
		fprintf(c->to, "    %s%-21s%s not rolled back: ", c->out.red, settings[i].path,
			c->out.reset);
		print_change(c, i, &r->now, t->rule ? &t->task.plan.back : &t->task.plan.desired);
		fprintf(c->to, "%s\n",
			r->unseen & SETTING(i)
				? "   (lost in the adapter; reads do not show it until the "
				  "driver restarts)"
				: "");
	}
	if (r->stuck)
		fprintf(c->to, "    run `devlink dev reload pci/%s`, then `losslessctl rollback`\n",
			t->task.port.id.pci);
	else if (r->lldpad_alone)
		fprintf(c->to, "    start lldpad, then run `losslessctl rollback`\n");
	else if (r->outcome == OUTCOME_ROLLBACK_FAILED)
		fprintf(c->to, "    remove the cause, then run `losslessctl rollback`\n");
}

static const char *const outcome_texts[] = {
	[OUTCOME_UNCHANGED] = "already in sync",
	[OUTCOME_APPLIED] = "applied and verified",
	[OUTCOME_ROLLED_BACK] = "rolled back and verified",
	[OUTCOME_AWAITING] = "applied and verified; not yet confirmed",
	[OUTCOME_NOT_ATTEMPTED] = "not attempted, unchanged",
	[OUTCOME_REFUSED] = "refused: no setting was written",
	[OUTCOME_FAILED] = "failed; rolled back and verified",
	[OUTCOME_ROLLBACK_FAILED] = "ROLLBACK FAILED: the port is partially configured",
};

/*
 * A rollback, which has no rule, that fails is undone itself: the settings before it are restored.
 * A run without a step is in sync unless the link differs, which no run writes, or lldpad has to
 * start first.
 */
static const char *outcome_text(const struct target *t)
{
	enum outcome outcome = t->task.result.outcome;

	if (t->task.plan.rolls_back && outcome == OUTCOME_FAILED)
		return "rollback failed; the settings from before it are restored and verified";
	if ((t->unwritable_differs || target_left_to_lldpad(t)) && outcome == OUTCOME_UNCHANGED)
		return "nothing to write";
	if (t->task.result.lldpad_alone)
		return "rolled back and verified in the kernel; ROLLBACK FAILED in lldpad";
	if (outcome == OUTCOME_ROLLBACK_FAILED && t->task.result.no_carrier &&
	    !t->task.result.not_rolled_back)
		return "rolled back and verified; ROLLBACK FAILED: the link is down";
	return outcome_texts[outcome];
}

static const char *outcome_colour(const struct cli *c, enum outcome o)
{
	return o <= OUTCOME_AWAITING ? c->out.green : c->out.red;
}

/* Prints the port and its outcome in one line, and the settings that are skipped. */
static void print_brief_outcome(const struct cli *c, const struct target *t)
{
	enum outcome outcome = t->task.result.outcome;
	const struct plan *p = &t->task.plan;
	size_t changed = (size_t)__builtin_popcountll(plan_touched(p));

	fputs(c->out.bold, c->to);
	print_clean(c->to, t->task.port.id.name);
	fprintf(c->to, "%s  %s%s%s", c->out.reset, outcome_colour(c, outcome), outcome_text(t),
		c->out.reset);
	if (p->count && outcome <= OUTCOME_AWAITING)
		fprintf(c->to, " (%zu setting%s, %zu step%s)", changed, changed == 1 ? "" : "s",
			p->count, p->count == 1 ? "" : "s");
	if (outcome <= OUTCOME_AWAITING)
		print_unwritable_differs(c, t);
	fputc('\n', c->to);
	print_skipped(c, t);
}

static const struct {
	const char *of_apply, *of_rollback;
} outcome_words[] = {
	[OUTCOME_UNCHANGED] = { "already in sync", "already in sync" },
	[OUTCOME_APPLIED] = { "applied and verified", "rolled back and verified" },
	[OUTCOME_ROLLED_BACK] = { "rolled back and verified", "rolled back and verified" },
	[OUTCOME_AWAITING] = { "applied and verified, not yet confirmed", "not yet confirmed" },
	[OUTCOME_NOT_ATTEMPTED] = { "not attempted", "not attempted" },
	[OUTCOME_REFUSED] = { "refused", "refused" },
	[OUTCOME_FAILED] = { "failed and rolled back", "failed and undone" },
	[OUTCOME_ROLLBACK_FAILED] = { "ROLLBACK FAILED", "ROLLBACK FAILED" },
};

/* Prints the numbers of ports by outcome in one line; nothing for a single port. */
static void print_outcome_totals(const struct cli *c, const struct targets *all)
{
	size_t counts[OUTCOME_ROLLBACK_FAILED + 1] = { 0 };
	struct report_row row = { .indent = 2, .to = c->to };
	size_t left = all->count;
	char text[64];

	if (all->count < 2)
		return;
	for (size_t i = 0; i < all->count; i++)
		counts[all->list[i].task.result.outcome]++;
	fputc('\n', c->to);
	snprintf(text, sizeof(text), "%zu ports:", all->count);
	report_row_add(&row, 0, c->out.bold, text, c->out.reset);
	for (int o = OUTCOME_UNCHANGED; o <= OUTCOME_ROLLBACK_FAILED; o++) {
		if (!counts[o])
			continue;
		left -= counts[o];
		snprintf(text, sizeof(text), "%zu %s%s", counts[o],
			 all->list[0].rule ? outcome_words[o].of_apply
					   : outcome_words[o].of_rollback,
			 left ? ";" : "");
		report_row_add(&row, 1, c->out.bold, text, c->out.reset);
	}
	fputc('\n', c->to);
}

/*
 * Prints the outcome. After a failure, also each step, the rollback and the settings that it did
 * not restore.
 */
static void print_outcome(const struct cli *c, const struct target *t)
{
	const struct result *r = &t->task.result;

	fprintf(c->to, "  %s%s%s", outcome_colour(c, r->outcome), outcome_text(t), c->out.reset);
	if (r->outcome <= OUTCOME_AWAITING)
		print_unwritable_differs(c, t);
	fputc('\n', c->to);
	if (r->outcome < OUTCOME_FAILED)
		return;
	for (size_t i = 0; i < t->task.plan.count; i++)
		print_status(c, t, i);
	print_rollback(c, t);
	print_left(c, t);
}

/* ---- the report ---- */

/* Reads the ports again: the observations predate the writes. */
static void add_state(const struct cli *c, json_t *doc, const struct targets *all)
{
	_free_ struct observation *now = oom_calloc(all->count + 1, sizeof(*now));
	_free_ struct setup *setups = oom_calloc(all->count + 1, sizeof(*setups));
	struct err err = { 0 };
	bool ok = now && setups;

	for (size_t i = 0; ok && i < all->count; i++) {
		ok = observe(c->h, c->engine.backends->features, &all->list[i].task.port, &now[i],
			     &err) &&
		     !now[i].lacks_memory;
		setups[i].actual = &now[i].actual;
	}
	if (!ok)
		print_warning(c, "state_hash is null: %s%s%s", err.where, err.where[0] ? ": " : "",
			      err.kind ? err.text : "out of memory");
	identity_add_state(doc, ok ? setups : NULL, all->count);
}

static json_t *document(const struct cli *c, const struct policy *p, const struct targets *all,
			enum outcome worst)
{
	json_t *doc = report_of_host(c, c->opt.verb->name), *ports = json_array();

	for (size_t i = 0; i < all->count; i++)
		json_array_append_new(ports, outcome_to_json(&all->list[i]));
	if (p)
		json_object_set_new(doc, "policy", report_policy(p));
	json_object_set_new(doc, "outcome", json_string(outcome_name(worst)));
	add_state(c, doc, all);
	json_object_set_new(doc, "ports", ports);
	return doc;
}

/* Prints the deadline of a pending confirmation and what to do; nothing if none is pending. */
static void print_wait(const struct cli *c, const struct pending_confirm *w)
{
	if (!w->expires_at[0])
		return;
	if (w->not_rolled_back) {
		printf("\n%sthis cannot be confirmed; it will be rolled back at %s%s\n"
		       "  run `losslessctl rollback` to roll it back now\n",
		       c->out.bold, w->expires_at, c->out.reset);
		return;
	}
	printf("\n%sawaiting confirmation until %s%s (%u s)\n"
	       "  run `losslessctl confirm` to keep the changes, `losslessctl rollback` to roll "
	       "them back now\n"
	       "  unconfirmed changes are rolled back then, even if this session has ended\n",
	       c->out.bold, w->expires_at, c->out.reset, c->opt.confirm_s);
}

/* Prints one line unless the port was refused or failed: plan and --verbose list the steps. */
static void print_port_outcome(const struct cli *c, const struct policy *p, const struct target *t)
{
	if (t->task.result.outcome <= OUTCOME_NOT_ATTEMPTED && !c->opt.verbose) {
		print_brief_outcome(c, t);
		return;
	}
	print_target(c, p, t);
	if (t->task.plan.count || t->task.result.outcome > OUTCOME_AWAITING)
		print_outcome(c, t);
}

static void print_text(const struct cli *c, const struct policy *p, const struct targets *all,
		       const struct pending_confirm *w)
{
	_fold_ struct fold f = { .c = c };

	fold_open(&f, all->count);
	for (size_t i = 0; i < all->count; i++) {
		const struct cli *to = fold_begin(&f, &all->list[i].task.port);

		fold_desired(&f, &all->list[i].task.desired);
		if (all->list[i].task.result.outcome >= OUTCOME_FAILED)
			fold_failed(&f);
		print_port_outcome(to, p, &all->list[i]);
		fold_end(&f);
	}
	fold_print(&f);
	print_outcome_totals(c, all);
	print_wait(c, w);
}

/* Adds an error that belongs to no port, such as one of the journal, beside the ports. */
static void print_document(const struct cli *c, const struct policy *p, const struct targets *all,
			   const struct write_report *r)
{
	json_t *doc = document(c, p, all, r->outcome);

	if (r->wait.expires_at[0])
		json_object_set_new(doc, "confirm",
				    json_pack("{s:s, s:I}", "expires_at", r->wait.expires_at,
					      "within_s", (json_int_t)c->opt.confirm_s));
	if (r->err.kind)
		json_object_set_new(doc, "error", report_error(&r->err));
	print_json(c, doc);
}

int print_write_report(const struct cli *c, const struct policy *p, const struct targets *all,
		       const struct write_report *r)
{
	if (c->opt.json)
		print_document(c, p, all, r);
	else if (!c->opt.quiet)
		print_text(c, p, all, &r->wait);
	else
		print_refusals(c, all);
	if (r->err.kind)
		print_failure(c, &r->err);
	return exit_code_of_outcome(r->outcome, &r->err);
}
