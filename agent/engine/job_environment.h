/* The job's view of this host: its ports, their GIDs, and the environment that agrees with them. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOB_ENVIRONMENT_H
#define LOSSLESSCTL_AGENT_ENGINE_JOB_ENVIRONMENT_H

#include "../../policy/job/environment_check.h"
#include "../../policy/lint/finding.h"
#include "target/target.h"
#include "verify/status.h"

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

/* The verdict on the environments of jobs: what `verify` adds to the ports. */

struct environment_verdict {
	struct environment_report report;
	const struct severities *severities; /* the policy's; borrowed */
	bool asked;	    /* the user named the environment: env-off-policy is then an error */
	struct err unknown; /* why an environment could not be judged; kind 0: it was */
	struct err note;    /* why something is not judged, which is no fault; or kind 0 */
};

/* The severity of an item; a note is SEVERITY_INFO. */
enum severity environment_item_severity(const struct environment_verdict *v,
					const struct environment_item *item);

/* The number of items of which the value is not known, and of environments that could not be read.
 */
size_t environment_verdict_unknown(const struct environment_verdict *v);

/* The number of items of a severity. */
size_t environment_verdict_count(const struct environment_verdict *v, enum severity s);

/* The status of the whole: a critical item counts as drift. */
enum status environment_verdict_worst(const struct environment_verdict *v);

/* Why an environment, or a part of one, was not judged; NULL: all was. */
const char *environment_verdict_message(const struct environment_verdict *v);

#endif
