/* The job's view of this host: its ports, their GIDs, and the environment that agrees with them. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOB_H
#define LOSSLESSCTL_AGENT_ENGINE_JOB_H

#include "../../policy/job/environment_check.h"
#include "target/target.h"

/* Owned by the caller; job_free() frees. */
struct job {
	struct job_port *ports;	   /* one per target, in their order */
	struct rdma_names devices; /* all RDMA devices of the host */
	struct environment_input input;
	struct environment desired;
};

void job_free(struct job *j);
#define _job_ __attribute__((cleanup(job_free)))

/* Fills in the ports alone, from observed targets, which it borrows. Fails out of memory. */
bool job_read_ports(const struct engine *e, const struct targets *all, struct job *ret,
		    struct err *err) must_check;

/*
 * Derives the environment from observed targets, which it borrows, for a version of NCCL
 * (NCCL_VERSION(); 0: that of the policy, else the newest). Errors are those of
 * environment_derive().
 */
bool job_read(const struct engine *e, const struct policy *p, const struct targets *all,
	      unsigned nccl_version, struct job *ret, struct err *err) must_check;

/* Judges one environment. Adds to *ret, whose items borrow from `sources`. */
void job_judge(const struct job *j, const struct environment_sources *sources,
	       struct environment_report *ret);

/* Judges a log of NCCL; `source` names it, and the items borrow it. Adds to *ret. */
void job_judge_log(const struct job *j, const struct nccl_log *log,
		   const struct environment_source *source, struct environment_report *ret);

#endif
