#include "write_report.h"

#include <stdio.h>

#include "../../agent/engine/observe.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/document/config_json.h"
#include "../../policy/util/oom.h"
#include "apply_text.h"
#include "fold.h"
#include "host_identity.h"
#include "plan_text.h"
#include "print.h"
#include "report_json.h"

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
	       "them "
	       "back now\n"
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

static int exit_code(const struct write_report *r)
{
	if (r->outcome == OUTCOME_ROLLBACK_FAILED)
		return err_exit_code(&(struct err){ .kind = ERR_ROLLBACK_FAILED });
	if (r->err.kind == ERR_INTERRUPTED || r->err.kind == ERR_DENIED)
		return err_exit_code(&r->err);
	return write_succeeded(r) ? EXIT_SUCCESS : EXIT_FAILED;
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
	return exit_code(r);
}
