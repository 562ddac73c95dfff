#include <stdio.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "../captured/captured_bundle.h"
#include "../doctor/doctor.h"
#include "../env/job_environments.h"
#include "../output/print.h"
#include "../sandbox/output_file.h"
#include "../sandbox/policy_file.h"
#include "../sandbox/privileges.h"
#include "verbs.h"

#define SAMPLE_S 10 /* for the counters, and meanwhile for the switch */

/* All reports of one run. */
struct doctor_run {
	struct policy *policy;
	bool has_policy;
	struct verify_run verify;
	struct job_environments environments;
	struct counter_check *counting; /* it begins before doctor listens for the switches */
	struct compared_peer *peers;
	struct port *ports; /* one per target */
	struct ready_report ready;
	struct err not_ready;  /* why `ready` is empty; ERR_NONE: it is not */
	unsigned seconds;      /* for which counters were sampled; 0: they were not */
	json_t *bundled_ready; /* for --bundle */
	struct doctor_findings findings;
};

static void free_run(struct doctor_run *r)
{
	json_decref(r->bundled_ready);
	ready_report_free(&r->ready);
	free(r->ports);
	free(r->counting);
	free(r->peers);
	job_environments_free(&r->environments);
	verify_run_free(&r->verify);
	free(r->policy);
}

static bool open_policy(struct cli *c, struct doctor_run *r, struct err *err)
{
	if (!policy_open_if_any(c, &r->policy, &r->has_policy, err))
		return false;
	r->verify.policy = r->policy;
	r->verify.has_no_policy = !r->has_policy;
	return true;
}

static bool begin_counting(const struct cli *c, struct doctor_run *r, unsigned seconds,
			   struct err *err)
{
	return c->captured ||
	       counter_check_begin(&c->engine, seconds, &r->verify.targets, &r->counting, err);
}

static bool end_counting(const struct cli *c, struct doctor_run *r, struct err *err)
{
	const struct thresholds *l = &r->policy->thresholds;
	const struct targets *all = &r->verify.targets;

	if (c->captured)
		return captured_counters_judge(c->captured, l, all, &r->verify.counted, &r->seconds,
					       err);
	if (!counter_check_end(&c->engine, l, all, r->counting, &r->verify.counted, err))
		return false;
	r->seconds = counter_check_seconds(r->counting);
	return true;
}

static bool find_peers(const struct cli *c, struct doctor_run *r, struct err *err)
{
	unsigned listen_s = c->opt.listen_for_s ? c->opt.listen_for_s : SAMPLE_S;

	return source_peers(c, &r->verify.targets, listen_s, &r->peers, err);
}

static bool verify(const struct cli *c, struct doctor_run *r, struct err *err)
{
	return end_counting(c, r, err) && verify_judge(&c->engine, &r->verify, err) &&
	       job_environments_verify(c, &r->verify, &r->environments, err);
}

static bool check_ready(const struct cli *c, struct doctor_run *r, struct err *err)
{
	const struct targets *all = &r->verify.targets;
	struct ready_expectations expected =
		r->has_policy ? r->policy->ready : ready_without_policy();

	if (!source_has_ready(c, &r->not_ready))
		return true;
	r->ports = oom_calloc(all->count + 1, sizeof(*r->ports));
	if (!r->ports)
		return err_no_memory(err);
	for (size_t i = 0; i < all->count; i++)
		r->ports[i] = all->list[i].task.port;
	return ready_check(&c->engine, &expected,
			   (struct ready_scene){ .ports = r->ports,
						 .count = all->count,
						 .unmet = r->has_policy ? &r->verify.unmet : NULL },
			   &r->ready, err);
}

/* Reads first what needs privileges. */
static bool examine(struct cli *c, struct doctor_run *r, unsigned seconds, struct err *err)
{
	const struct engine *e = &c->engine;

	if (!open_policy(c, r, err) || !cli_open_host(c, false, err))
		return false;
	warn_of_made_up(c, r->policy);
	return verify_find_ports(e, &r->verify, err) && check_ready(c, r, err) &&
	       (!c->opt.file || ready_document(c, &r->bundled_ready, err)) &&
	       privilege_keep(PRIVILEGE(CAP_NET_RAW), err) && verify_observe(e, &r->verify, err) &&
	       begin_counting(c, r, seconds, err) && find_peers(c, r, err) &&
	       privilege_keep(PRIVILEGE_NONE, err) && verify(c, r, err);
}

static void announce(const struct cli *c, unsigned seconds)
{
	if (c->opt.listen_for_s > seconds)
		seconds = c->opt.listen_for_s;
	if (isatty(STDERR_FILENO) && !c->opt.quiet && !c->opt.state)
		fprintf(stderr, "losslessctl: examining this host for about %u s\n", seconds);
}

static int print(const struct cli *c, struct doctor_run *r)
{
	const struct doctor page = {
		.verify = &r->verify,
		.peers = r->peers,
		.ready = r->not_ready.kind ? NULL : &r->ready,
		.findings = &r->findings,
		.seconds = r->seconds,
		.has_policy = r->has_policy,
	};
	const uint32_t ports = READY(READY_PORTS) | READY(READY_LINK);

	collect_journal(c, &r->findings);
	collect_missing("ready", &r->not_ready, &r->findings);
	collect_ready(&r->ready, ports, &r->findings);
	collect_verify(c, &r->verify, &r->findings);
	collect_peers(&r->verify.targets, r->peers, &r->findings);
	collect_ready(&r->ready, ~ports, &r->findings);
	doctor_findings_sort(&r->findings);
	if (c->opt.json)
		print_json(c, doctor_to_json(c, &page));
	else if (!c->opt.quiet)
		print_doctor(c, &page);
	return doctor_exit_code(&r->findings);
}

/* The counters have been sampled, and the switch heard: a bundle waits for neither. */
static bool write_bundle(struct cli *c, json_t *ready, struct err *err)
{
	c->opt.json = false;		/* the report is out, and the file has no errors */
	run_facts_forget(&c->h->facts); /* it holds the files that are read from here on */
	return output_file_use(c->output_fd, c->opt.file, err) &&
	       bundle_write(c, ready, false, 0, err);
}

int verb_doctor(struct cli *c, struct err *err)
{
	unsigned seconds = c->opt.sample_for_s ? c->opt.sample_for_s : SAMPLE_S;
	struct doctor_run *r = oom_calloc(1, sizeof(*r));
	int code = -1;

	if (!r)
		return err_no_memory(err) ? 0 : -1;
	announce(c, seconds);
	if (examine(c, r, seconds, err))
		code = print(c, r);
	if (code >= 0 && c->opt.file && !write_bundle(c, r->bundled_ready, err))
		code = -1;
	free_run(r);
	free(r);
	return code;
}
