#include <stdio.h>

#include "../../agent/engine/job_environment.h"
#include "../../agent/engine/target/target.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/model/marking.h"
#include "../../policy/util/json_util.h"
#include "../backends.h"
#include "../env/env_format.h"
#include "../env/job_environments.h"
#include "../output/environment_text.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../sandbox/policy_file.h"
#include "verbs.h"

/* The ports of a run, and the job's view of them. */
struct env_run {
	const struct env_format *format;
	unsigned nccl_version;
	struct scope of;
	struct job job;
};

static void free_run(struct env_run *r)
{
	job_free(&r->job);
	scope_free(&r->of);
}

static bool parse_options(const struct cli *c, struct env_run *r, struct err *err)
{
	if (!env_format_find(c->opt.format ? c->opt.format : "nccl.conf", &r->format, err))
		return false;
	return !c->opt.nccl || nccl_version_parse(c->opt.nccl, &r->nccl_version) ||
	       err_set(err, ERR_USAGE, 0, "--nccl: \"%s\" is no version of NCCL, such as 2.27",
		       c->opt.nccl);
}

/* The other verb must read the same policy of the same host. */
static void print_why(const struct cli *c)
{
	char path[POLICY_OPERAND_MAX], text[POLICY_OPERAND_MAX + 64];

	snprintf(text, sizeof(text), "run `losslessctl verify%s` to see why",
		 policy_operand(c, path));
	print_error_more(c->captured ? "verify with the same policy and --state says why" : text);
}

/* Warns of ports that would not carry the class as the policy has it; returns their number. */
static size_t warn_of_ports(const struct cli *c, const struct job *j)
{
	size_t count = 0, open = 0;

	for (size_t i = 0; i < j->input.count; i++) {
		const struct job_port *p = &j->ports[i];
		bool asked = p->may_drop || job_port_is_lossless(p, &p->effective, p->traffic_class,
								 p->service_level);
		bool by_pcp = job_port_trusts_pcp(&p->effective);

		if (!job_port_has_rdma(p) || job_port_carries(p))
			continue;
		count++;
		if (by_pcp && !job_port_tags(p)) {
			print_warning(c,
				      "%s: it trusts PCP, and %s: packets without a tag have "
				      "priority 0",
				      p->name,
				      p->is_untagged ? "the GID that jobs take has no VLAN"
						     : "has no VLAN device");
			continue;
		}
		open += !asked;
		print_warning(c, "%s: %s %d is not in %s now", p->name, by_pcp ? "PCP" : "DSCP",
			      by_pcp ? p->service_level : p->traffic_class >> 2,
			      asked ? "the class of the policy" : "a lossless class");
	}
	if (count && open && !c->opt.quiet)
		print_error_more("add PFC, trust and the DSCP map, or \"classes\", to the policy");
	else if (count && !c->opt.quiet)
		print_why(c);
	return count;
}

/* Warns of ports that are left out although their policy wants RDMA of them; true if any is. */
static bool warn_of_rdma(const struct cli *c, const struct job *j)
{
	bool any = false;

	for (size_t i = 0; i < j->input.count; i++) {
		if (j->ports[i].is_uplink)
			print_warning(
				c,
				"%s is the uplink of a switch (switchdev), and RoCE is on its VFs "
				"and SFs: it is left out",
				j->ports[i].name);
		if (!job_port_lacks_rdma(&j->ports[i]))
			continue;
		any = true;
		print_warning(c, "%s has no RDMA device, which its policy needs: it is left out",
			      j->ports[i].name);
	}
	if (any && !c->opt.quiet)
		print_why(c);
	return any;
}

/* A job on a bond expects that the other link takes over. */
static void warn_of_bonds(const struct cli *c, const struct env_run *r)
{
	char text[NO_LAG_TEXT_MAX];

	for (size_t i = 0; i < r->of.targets.count; i++) {
		const struct port *p = &r->of.targets.list[i].task.port;

		if (!p->no_lag)
			continue;
		print_warning(c, "%s%s", no_lag_text(p, text),
			      r->job.ports[i].is_standby
				      ? ", and is left out: the bond's address is on another port"
				      : "");
	}
}

/* Null for a VF: its PF decides. */
static json_t *is_lossless_to_json(const struct job_port *p)
{
	return p->of_vf ? json_null()
			: json_boolean(job_port_is_lossless(p, p->actual, p->traffic_class,
							    p->service_level));
}

static json_t *ports_to_json(const struct job *j)
{
	json_t *list = json_array();

	for (size_t i = 0; i < j->input.count; i++) {
		const struct job_port *p = &j->ports[i];
		int prio = job_port_priority(p, p->actual, p->traffic_class, p->service_level);

		json_array_append_new(list, json_pack("{s:s, s:o, s:i, s:o, s:o}", "port", p->name,
						      "device",
						      p->rdma[0] ? json_from_text(p->device)
								 : json_null(),
						      "traffic_class", p->traffic_class, "priority",
						      prio < 0 ? json_null() : json_integer(prio),
						      "lossless", is_lossless_to_json(p)));
	}
	return list;
}

static json_t *variables_to_json(const struct env_run *r)
{
	json_t *list = json_array();

	for (enum variable_id id = 0; id < VARIABLE_COUNT; id++)
		if (env_format_has(r->format, &r->job.desired, id))
			json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name",
							      variables[id].name, "value",
							      r->job.desired.of[id].text, "from",
							      r->job.desired.of[id].from));
	return list;
}

static json_t *document(const struct cli *c, const struct policy *p, const struct env_run *r)
{
	json_t *doc = report_of_host(c, "env");

	json_object_set_new(doc, "policy", report_policy(p));
	json_object_set_new(doc, "format", json_string(r->format->name));
	json_object_set_new(doc, "variables", variables_to_json(r));
	json_object_set_new(doc, "ports", ports_to_json(&r->job));
	return doc;
}

static int print_environment(const struct cli *c, const struct policy *p, const struct env_run *r)
{
	struct unmet unmet = unmet_find(&c->engine, p, &r->of.inventory, false);
	size_t wrong = warn_of_ports(c, &r->job);
	bool is_partial = warn_of_rdma(c, &r->job) || r->job.desired.lacks[0];

	warn_of_bonds(c, r);
	if (r->job.desired.lacks[0])
		print_warning(c, "%s", r->job.desired.lacks);
	if (unmet.count)
		print_failure(c, &unmet.first);
	if (c->opt.json)
		print_json(c, document(c, p, r));
	else
		env_format_print(stdout, r->format, &r->job.desired, p->name);
	if (wrong)
		return EXIT_DIFFERS;
	return unmet.count || is_partial ? EXIT_UNKNOWN : EXIT_SUCCESS;
}

static json_t *verdict_document(const struct cli *c, const struct policy *p,
				const struct environment_verdict *v, enum status worst)
{
	json_t *doc = report_of_host(c, "env-check");
	const char *message = environment_verdict_message(v);

	json_object_set_new(doc, "policy", report_policy(p));
	json_object_set_new(doc, "verdict", json_string(status_words[verdict_word(worst)].name));
	json_object_set_new(doc, "environment", environment_verdict_to_json(v));
	json_object_set_new(doc, "environment_message",
			    message ? json_from_text(message) : json_null());
	return doc;
}

static int print_verdict(const struct cli *c, const struct policy *p, const struct env_run *r,
			 const struct job_environments *j)
{
	const struct environment_verdict *v = &j->verdict;
	struct unmet unmet = unmet_find(&c->engine, p, &r->of.inventory, false);
	enum status worst = environment_verdict_worst(v);

	if (unmet.count)
		print_failure(c, &unmet.first);
	if (warn_of_rdma(c, &j->job) || unmet.count)
		worst = worse_status(worst, STATUS_UNKNOWN);
	if (c->opt.json) {
		print_json(c, verdict_document(c, p, v, worst));
	} else if (!c->opt.quiet) {
		print_environment_verdict(c, v);
		print_environment_summary(v, worst);
	}
	return exit_code_of_word(status_word(worst));
}

static int judge_environment(struct cli *c, const struct policy *p, const struct env_run *r,
			     struct err *err)
{
	_job_environments_ struct job_environments j = { .sources = NULL };
	bool any;

	if (!job_environments_judge(c, p, &r->of.targets, &j, &any, err))
		return -1;
	return print_verdict(c, p, r, &j);
}

int verb_env(struct cli *c, struct err *err)
{
	bool judges = c->opt.environ || c->opt.pid || c->opt.nccl_log;
	struct env_run r = { .format = NULL };
	struct scope *of = &r.of;
	int code = -1;

	if (parse_options(c, &r, err) && scope_open(c, POLICY_REQUIRED, of, err) &&
	    scope_find(c, false, of, err) && targets_observe(c, &of->targets, err)) {
		if (judges)
			code = judge_environment(c, of->policy, &r, err);
		else if (job_read(&c->engine, of->policy, &of->targets, r.nccl_version, &r.job,
				  err))
			code = print_environment(c, of->policy, &r);
	}
	free_run(&r);
	return code;
}
