/* Judges drift, for `verify` and the agent: compares the desired with the actual settings. Pure. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_JUDGE_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_JUDGE_H

#include "../target/target.h"
#include "status.h"

/* Settings by their status. Disjoint, but for `advised`, a part of in_sync and differing. */
struct judgement {
	setting_set in_sync, differing;
	setting_set unsupported, unknown; /* these two have no actual value */
	setting_set skipped;		  /* absent, as the policy allows */
	setting_set advised;		  /* settings of the host: verified, never written */
};

/* Judges an observed target. */
struct judgement judge_settings(struct features all, const struct target *t);

/* Returns the status of a judged setting. */
enum status judge_status(const struct judgement *j, unsigned setting);

/* Returns the status of findings on actual settings: a critical one counts as drift. */
enum status judge_findings(lint_set findings, const struct severities *s);

/* Returns the status of a symptom of this severity. */
enum status judge_symptom(enum severity a);

#endif
