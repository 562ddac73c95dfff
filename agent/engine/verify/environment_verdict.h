/* The verdict on the environments of jobs: what `verify` adds to the ports. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_ENVIRONMENT_VERDICT_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_ENVIRONMENT_VERDICT_H

#include "../../../policy/lint/finding.h"
#include "../job.h"
#include "judge.h"

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
