/* The status of a setting, a finding, a symptom, a port or a run, as `verify` judges it. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_STATUS_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_STATUS_H

#include "../../../policy/util/status_word.h"

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

/* Returns the word for a setting or a symptom of this status. */
enum word status_word(enum status s);

/* Returns the word for a port or a run with this worst status: what warns is in sync. */
enum word verdict_word(enum status worst);

static inline enum status worse_status(enum status a, enum status b)
{
	return a > b ? a : b;
}

#endif
