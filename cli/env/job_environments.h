/* Reads the environments that `verify` judges, each as its library reads it. */
#ifndef LOSSLESSCTL_CLI_ENV_JOB_ENVIRONMENTS_H
#define LOSSLESSCTL_CLI_ENV_JOB_ENVIRONMENTS_H

#include "../../agent/engine/job_environment.h"
#include "../../agent/engine/verify/verify.h"
#include "../../policy/job/environment.h"
#include "../cli.h"

/* Owned by the caller; job_environments_free() frees. */
struct job_environments {
	struct job job;
	struct environment_source *sources; /* ENV_FILES of them */
	struct nccl_log log;
	struct environment_verdict verdict;
};

void job_environments_free(struct job_environments *j);
#define _job_environments_ __attribute__((cleanup(job_environments_free)))

/*
 * Judges the environments that the command line names, else those of the host. *ret_any is false
 * if there are none. No error: a file of the host that cannot be judged, and ports or a policy
 * that leave nothing to compare with.
 */
bool job_environments_judge(const struct cli *c, const struct policy *p, const struct targets *all,
			    struct job_environments *ret, bool *ret_any,
			    struct err *err) must_check;

/*
 * The same for a run of verify or doctor, to which it adds the findings; nothing of a captured
 * host, whose jobs have other files.
 */
bool job_environments_verify(const struct cli *c, struct verify_run *r,
			     struct job_environments *ret, struct err *err) must_check;

#endif
