/* Reads the environments that `verify` judges, each as its library reads it. */
#ifndef LOSSLESSCTL_CLI_ENV_JOB_ENVIRONMENTS_H
#define LOSSLESSCTL_CLI_ENV_JOB_ENVIRONMENTS_H

#include <stdio.h>

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

/* ---- formats ---- */

/* The formats of `losslessctl env`. */

struct env_format {
	const char *name, *file; /* "nccl.conf", "/etc/nccl.conf" */
	bool nccl, ucx;		 /* the variables that it has */
	bool rccl;		 /* without those of NVIDIA's library alone */
	const char *head;	 /* lines before all others; "" or each with a newline */
	/* A variable: its comment, then its name and value. printf formats of strings. */
	const char *comment, *assignment;
	const char *doc;
};

#define ENV_FORMATS 6
extern const struct env_format env_formats[ENV_FORMATS];

/* The format with this name; fails with ERR_USAGE and a suggestion. */
bool env_format_find(const char *name, const struct env_format **ret, struct err *err) must_check;

/* True if a format has this variable of an environment. */
bool env_format_has(const struct env_format *f, const struct environment *e, enum variable_id id);

/* Prints the environment; `policy` is the name of its policy, printed as a comment. */
void env_format_print(FILE *to, const struct env_format *f, const struct environment *e,
		      const char *policy);

#endif
