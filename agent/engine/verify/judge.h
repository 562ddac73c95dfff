/*
 * Drift is judged here, for `verify` and for the agent: the settings that a policy wants of a
 * port beside those that were read of it. Pure.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_JUDGE_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_JUDGE_H

#include "../target/target.h"

/*
 * In rising order of alarm, except that drift and symptoms outrank what is unknown. Advice is about
 * the host; warnings are symptoms and findings of that severity.
 */
enum status {
	STATUS_OK,
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
	setting_set skipped;		  /* the port may lack them */
	setting_set advised;		  /* the host's: verified, and never written */
};

/* Judges an observed target. */
struct judgement judge_settings(struct features all, const struct target *t);

/* The status of one setting that was judged. */
enum status judge_status(const struct judgement *j, unsigned setting);

/* The status of findings about what a port has: an error is as bad as a setting that drifted. */
enum status judge_findings(lint_set findings, const struct severities *s);

/* The status of a symptom that was raised with this severity. */
enum status judge_symptom(enum symptom_severity a);

static inline enum status worse_status(enum status a, enum status b)
{
	return a > b ? a : b;
}

#endif
