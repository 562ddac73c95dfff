#include <stdlib.h>

#include "../../agent/engine/ready/ready.h"
#include "../../agent/engine/target/target.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "../captured/captured_bundle.h"
#include "../output/nagios.h"
#include "../output/print.h"
#include "../ready/ready_report.h"
#include "../sandbox/policy_file.h"
#include "../sandbox/privileges.h"
#include "../sandbox/ready_history.h"
#include "verbs.h"

/* The ports to check: those that the policy covers, or all without a policy. */
struct ready_run {
	struct scope of;
	struct port *ports;
	size_t count;
	struct unmet unmet;
	struct ready_report report;
	struct ready_runs runs; /* with --require */
};

static void free_run(struct ready_run *r)
{
	ready_report_free(&r->report);
	free(r->ports);
	scope_free(&r->of);
}

static bool find_ports(struct cli *c, struct ready_run *r, struct err *err)
{
	const struct targets *all = &r->of.targets;

	if (!scope_open(c, POLICY_IF_ANY, &r->of, err) || !source_has_ready(c, err) ||
	    !scope_find(c, false, &r->of, err))
		return false;
	r->ports = calloc(all->count + 1, sizeof(*r->ports));
	if (!r->ports)
		return err_no_memory(err);
	for (; r->count < all->count; r->count++)
		r->ports[r->count] = all->list[r->count].task.port;
	if (r->of.policy)
		r->unmet = unmet_find(&c->engine, r->of.policy, &r->of.inventory, false);
	return true;
}

static bool check(struct cli *c, struct ready_run *r, struct err *err)
{
	struct ready_expectations expected = ready_without_policy();
	struct ready_scene s = { .ports = NULL };

	if (!find_ports(c, r, err))
		return false;
	s.ports = r->ports;
	s.count = r->count;
	if (r->of.policy) {
		expected = r->of.policy->ready;
		s.unmet = &r->unmet;
	}
	return ready_check(&c->engine, &expected, s, &r->report, err) &&
	       privilege_keep(PRIVILEGE_NONE, err);
}

/* Counts this look among the last ones, with --require. */
static bool add_run(const struct cli *c, struct ready_run *r, struct err *err)
{
	struct ready_runs *l = &r->runs;

	l->is_enough = true;
	l->require = c->opt.require;
	if (!l->require.of)
		return true;
	if (!ready_history_add(c->helpers[HELPER_READY], r->report.worst == READY_NOT_MET,
			       l->require.of, &l->bad, err))
		return false;
	l->is_enough = l->bad >= l->require.least;
	return true;
}

static int print(const struct cli *c, const struct ready_run *r)
{
	bool drains = r->runs.is_enough || r->report.worst != READY_NOT_MET;

	if (c->opt.nagios)
		return print_ready_nagios(&r->report, &r->runs);
	if (c->opt.slurm)
		print_ready_slurm(&r->report);
	else if (c->opt.json)
		print_json(c, ready_to_json(c, r->of.policy, &r->report, &r->runs, c->opt.all));
	else if (!c->opt.quiet)
		print_ready(c, &r->report, &r->runs);
	return drains ? exit_code_of_word(ready_word(r->report.worst)) : EXIT_SUCCESS;
}

int verb_ready(struct cli *c, struct err *err)
{
	struct ready_run r = { .ports = NULL };
	bool ok = check(c, &r, err) && add_run(c, &r, err);
	int code = ok ? print(c, &r) : c->opt.nagios ? print_nagios_failure(err) : -1;

	free_run(&r);
	return code;
}

bool ready_document(struct cli *c, json_t **ret, struct err *err)
{
	_inventory_ struct inventory inv = { .ports = NULL };
	_ready_report_ struct ready_report report = { .rows = NULL };
	const struct ready_expectations expected = ready_without_policy();
	const struct ready_runs none = { .bad = 0 };

	if (!inventory_read(&c->engine, &c->engine.selection, &inv, err) ||
	    !ready_check(&c->engine, &expected,
			 (struct ready_scene){ .ports = inv.ports, .count = inv.count }, &report,
			 err))
		return false;
	*ret = ready_to_json(c, NULL, &report, &none, true);
	return true;
}
