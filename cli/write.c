#include "write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../agent/engine/bond_check.h"
#include "../agent/engine/last_run.h"
#include "../agent/engine/preflight.h"
#include "../agent/host/cleanup.h"
#include "../policy/document/config_json.h"
#include "../policy/util/oom.h"
#include "advice.h"
#include "backends.h"
#include "confirm_watchdog.h"
#include "output/apply_text.h"
#include "output/fold.h"
#include "output/host_identity.h"
#include "output/lint_text.h"
#include "output/print.h"
#include "output/report_json.h"
#include "verbs/plan.h"

/* A port that went meanwhile is one refusal where the others are to be gone on with. */
static bool refuse_what_went(const struct cli *c, struct target *t, struct err *err)
{
	if (!c->opt.keep_going || err->kind != ERR_GONE)
		return false;
	target_refuse(t, "port", "it went away while its plan was made",
		      "once it is back, `losslessctl apply` again");
	*err = (struct err){ 0 };
	return true;
}

/* A device that is gone has no setting to roll back. */
static void skip_gone_devices(const struct cli *c, struct target *t)
{
	char gone[VLANS_MAX][VLAN_NAME_MAX];
	size_t n = vlan_egress_drop_gone(&t->task.desired, &t->seen.actual, gone);

	for (size_t i = 0; i < n; i++)
		print_warning(c,
			      "%s: VLAN device %s no longer exists: its egress map is not rolled "
			      "back",
			      t->task.port.id.name, gone[i]);
}

bool write_plan(struct cli *c, const struct run *r, struct targets *all, struct err *err)
{
	for (size_t i = 0; i < all->count; i++) {
		struct target *t = &all->list[i];

		target_prepare(&c->engine, t);
		if (target_observe(&c->engine, t, err)) {
			if (!t->rule)
				skip_gone_devices(c, t);
			run_plan(r, &t->task, &t->seen);
			preflight(&c->engine, t);
			print_planned_lints(c, t);
		} else if (!refuse_what_went(c, t, err)) {
			return false;
		}
	}
	bonds_check(all);
	advice_warn(c, all);
	return true;
}

static enum outcome outcome_of(const struct targets *all)
{
	enum outcome worst = OUTCOME_UNCHANGED;

	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].task.result.outcome > worst)
			worst = all->list[i].task.result.outcome;
	return worst;
}

/* As the ports are now, which is not what was seen of them before. */
static void add_state(const struct cli *c, json_t *doc, const struct targets *all)
{
	_free_ struct observation *now = oom_calloc(all->count + 1, sizeof(*now));
	_free_ struct setup *setups = oom_calloc(all->count + 1, sizeof(*setups));
	struct err err = { 0 };
	bool ok = now && setups;

	for (size_t i = 0; ok && i < all->count; i++) {
		ok = observe(c->h, all_backends.features, &all->list[i].task.port, &now[i], &err);
		setups[i].actual = &now[i].actual;
	}
	identity_add_state(doc, ok ? setups : NULL, all->count);
}

json_t *write_document(const struct cli *c, const struct policy *p, const struct targets *all)
{
	json_t *doc = report_of_host(c, c->opt.verb->name), *ports = json_array();

	for (size_t i = 0; i < all->count; i++)
		json_array_append_new(ports, outcome_to_json(&all->list[i]));
	if (p)
		json_object_set_new(doc, "policy", report_policy(p));
	json_object_set_new(doc, "outcome", json_string(outcome_name(outcome_of(all))));
	add_state(c, doc, all);
	json_object_set_new(doc, "ports", ports);
	return doc;
}

/* Until when it waits, and what to do; nothing where it does not wait. */
static void print_wait(const struct cli *c, const struct pending_confirm *w)
{
	if (!w->until[0])
		return;
	if (w->stranded) {
		printf("\n%sall of it is rolled back at %s%s, or now by `losslessctl rollback`; it "
		       "cannot be confirmed\n",
		       c->out.bold, w->until, c->out.reset);
		return;
	}
	printf("\n%sthis waits for confirmation until %s%s (%u s)\n"
	       "  `losslessctl confirm` keeps it, `losslessctl rollback` takes it back now; "
	       "otherwise "
	       "it is taken\n  back then by itself, whatever becomes of this session\n",
	       c->out.bold, w->until, c->out.reset, c->opt.confirm_s);
}

static void print_text(const struct cli *c, const struct policy *p, const struct targets *all,
		       const struct pending_confirm *w)
{
	_fold_ struct fold f = { .c = c };

	fold_open(&f, all->count);
	for (size_t i = 0; i < all->count; i++) {
		fold_begin(&f, &all->list[i].task.port);
		if (all->list[i].task.result.outcome >= OUTCOME_ROLLED_BACK)
			fold_failed(&f);
		print_target(c, p, &all->list[i]);
		if (all->list[i].task.plan.count ||
		    all->list[i].task.result.outcome > OUTCOME_AWAITING)
			print_outcome(c, &all->list[i]);
		fold_end(&f);
	}
	fold_print(&f);
	print_wait(c, w);
}

/* One refused port means that nothing is written on any, unless we are to keep going. */
static size_t mark_refused(const struct cli *c, struct targets *all, struct task **tasks)
{
	size_t count = 0, refused = 0;

	for (size_t i = 0; i < all->count; i++) {
		struct target *t = &all->list[i];

		t->task.result.outcome = t->refusals_count ? OUTCOME_REFUSED : OUTCOME_NOT_REACHED;
		refused += t->refusals_count > 0;
		if (!t->refusals_count)
			tasks[count++] = &t->task;
	}
	return refused && !c->opt.keep_going ? 0 : count;
}

static void now_as_text(char *buf, size_t size)
{
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static int exit_code(const struct targets *all, bool ok, const struct err *err)
{
	enum outcome worst = outcome_of(all);

	if (worst == OUTCOME_STRANDED)
		return err_exit_code(&(struct err){ .kind = ERR_ROLLBACK_FAILED });
	if (err->kind == ERR_INTERRUPTED || err->kind == ERR_DENIED)
		return err_exit_code(err);
	return ok && worst <= OUTCOME_AWAITING ? EXIT_AS_WISHED : EXIT_FAILED;
}

/* A failure that is no port's, of the journal above all, stands beside them. */
static void print_report(const struct cli *c, json_t *doc, const struct pending_confirm *w,
			 const struct err *err)
{
	if (w->until[0])
		json_object_set_new(doc, "confirm",
				    json_pack("{s:s, s:I}", "until", w->until, "within_s",
					      (json_int_t)c->opt.confirm_s));
	if (err)
		json_object_set_new(doc, "error", report_error(err));
	print_json(c, doc);
}

static bool changes_anything(const struct run *r, struct task *const *tasks, size_t count)
{
	bool any = r->recovering;

	for (size_t i = 0; i < count; i++)
		any = any || tasks[i]->plan.count;
	return any;
}

/* This run waits, not one that left entries in `pending` before it. */
static bool settle_wait(struct cli *c, struct run *r, struct targets *all,
			struct confirm_watchdog *s, struct err *err)
{
	if (s->line < 0)
		return true;
	if (!journal_own_count(&r->pending))
		return confirm_watchdog_dismiss(c, s, err);
	s->pending_confirm.stranded = outcome_of(all) == OUTCOME_STRANDED;
	if (!confirm_watchdog_wait(c, s, c->opt.confirm_s, err))
		return false;
	for (size_t i = 0; i < all->count; i++) {
		struct task *t = &all->list[i].task;

		if (t->result.outcome <= OUTCOME_APPLIED && journal_find(&r->pending, &t->port))
			t->result.outcome = OUTCOME_AWAITING;
	}
	return true;
}

int write_carry_out(struct cli *c, struct run *r, const struct policy *p, struct targets *all,
		    struct err *err)
{
	_confirm_watchdog_ struct confirm_watchdog confirm_watchdog = NO_CONFIRM_WATCHDOG;
	_free_ struct task **tasks = calloc(all->count + 1, sizeof(struct task *));
	char time_text[32];
	const char *name;
	size_t count;
	bool ok = true;

	if (!tasks)
		return err_no_memory(err) ? 0 : -1;
	now_as_text(time_text, sizeof(time_text));
	name = p ? p->name : c->opt.verb->name;
	count = mark_refused(c, all, tasks);
	if (r->unconfirmed && changes_anything(r, tasks, count) &&
	    !confirm_watchdog_post(c, name, time_text, &confirm_watchdog, err))
		return err_at(err, false, "before the first change") ? 0 : -1;
	if (count) {
		last_run_begins(&c->engine, p ? "apply" : "rollback", all);
		ok = run_tasks(r, tasks, count, name, time_text, err);
		last_run_ends(&c->engine, p, all);
	}
	ok = settle_wait(c, r, all, &confirm_watchdog, err) && ok;
	if (c->opt.json)
		print_report(c, write_document(c, p, all), &confirm_watchdog.pending_confirm,
			     ok ? NULL : err);
	else if (!c->opt.quiet)
		print_text(c, p, all, &confirm_watchdog.pending_confirm);
	else
		print_refusals(c, all);
	if (!ok)
		print_failure(c, err);
	return exit_code(all, ok, err);
}
