/* Judges drift, for `verify` and the agent: compares the desired with the actual settings. Pure. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_JUDGE_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_JUDGE_H

#include "../../../policy/util/status_word.h"
#include "../target/target.h"

/*
 * In order of severity, except that drift and symptoms outrank unknown. Skipped is a setting that
 * the port may lack; advice is about the host; warnings are symptoms and findings of that severity.
 */
enum status {
	STATUS_OK,
	STATUS_SKIPPED,
	STATUS_ADVICE,
	STATUS_WARNING,
	STATUS_UNSUPPORTED,
	STATUS_UNKNOWN,
	STATUS_SYMPTOM,
	STATUS_DRIFT,
	STATUS_COUNT
};

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

/* Returns the word for a setting or a symptom of this status. */
enum word status_word(enum status s);

/* Returns the word for a port or a run with this worst status: what warns is in sync. */
enum word verdict_word(enum status worst);

static inline enum status worse_status(enum status a, enum status b)
{
	return a > b ? a : b;
}

#endif
