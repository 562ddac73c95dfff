#include <stdio.h>
#include <unistd.h>

#include "../../agent/engine/journal/unfinished.h"
#include "../../agent/host/cleanup.h"
#include "../env/job_environments.h"
#include "../output/nagios.h"
#include "../output/print.h"
#include "../output/verify_text.h"
#include "../sandbox/policy_file.h"
#include "../sandbox/privileges.h"
#include "verbs.h"

static void warn_of_unmet(const struct cli *c, const struct unmet *unmet)
{
	if (!unmet->count)
		return;
	print_failure(c, &unmet->first);
	if (unmet->count > 1)
		print_warning(c, "%zu more rule%s too few or too many ports", unmet->count - 1,
			      unmet->count == 2 ? " has" : "s have");
}

/* Drops the privilege to listen to LLDP, unless the policy requires the peer to agree. */
static bool drop_privileges(const struct targets *all, struct err *err)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].must_agree)
			return true;
	return privilege_keep(PRIVILEGE_NONE, err);
}

/* Announces the wait on a terminal only, not in pipes or for monitoring. */
static void announce_count(const struct cli *c)
{
	if (c->opt.sample_for_s && isatty(STDERR_FILENO) && !c->opt.quiet)
		fprintf(stderr, "losslessctl: sampling the counters for %u s\n",
			c->opt.sample_for_s);
}

static bool verify(struct cli *c, struct policy **ret_policy, struct verify_run *r,
		   struct job_environments *j, struct err *err)
{
	const struct engine *e = &c->engine;

	if (!policy_open(c, ret_policy, err))
		return false;
	r->policy = *ret_policy;
	if (!cli_open_host(c, false, err))
		return false;
	warn_of_made_up(c, r->policy);
	if (!verify_find_ports(e, r, err))
		return false;
	if (!drop_privileges(&r->targets, err))
		return false;
	if (!verify_observe(e, r, err))
		return false;
	announce_count(c);
	if (!verify_count(e, r, c->opt.sample_for_s, err))
		return false;
	return verify_judge(e, r, err) && job_environments_verify(c, r, j, err);
}

static int print_reports(const struct cli *c, const struct verify_run *r)
{
	warn_of_unmet(c, &r->unmet);
	if (c->opt.json)
		print_json(c, verify_to_json(c, r));
	else if (!c->opt.quiet)
		print_port_reports(c, r);
	return exit_code_of_word(verify_word(&r->totals, r->worst, c->opt.strict));
}

int verb_verify(struct cli *c, struct err *err)
{
	_free_ struct policy *p = NULL;
	_job_environments_ struct job_environments j = { .sources = NULL };
	_verify_run_ struct verify_run r = { .policy = NULL };

	if (!verify(c, &p, &r, &j, err))
		return c->opt.nagios ? print_nagios_failure(err) : -1;
	if (c->h)
		unfinished_warn(&c->engine);
	return c->opt.nagios ? print_nagios(c, &r) : print_reports(c, &r);
}

bool verify_document(struct cli *c, json_t **ret, struct err *err)
{
	_free_ struct policy *p = NULL;
	_verify_run_ struct verify_run r = { .policy = NULL };

	if (!policy_load(c, &p, err))
		return false;
	r.policy = p;
	if (!verify_find_ports(&c->engine, &r, err) || !verify_observe(&c->engine, &r, err) ||
	    !verify_judge(&c->engine, &r, err))
		return false;
	*ret = verify_to_json(c, &r);
	return true;
}
