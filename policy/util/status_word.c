#include "status_word.h"

#include <string.h>

/* ---- severities ---- */

static const struct {
	const char *name;
	int syslog;
} severities[SEVERITIES] = {
	[SEVERITY_IGNORE] = { "ignore", 6 },
	[SEVERITY_INFO] = { "info", 6 },
	[SEVERITY_WARNING] = { "warning", 4 },
	[SEVERITY_CRITICAL] = { "critical", 2 },
};

const char *severity_name(enum severity s)
{
	return severities[s].name;
}

enum severity severity_from_name(const char *name)
{
	enum severity s = SEVERITY_IGNORE;

	while (s < SEVERITIES && strcmp(severities[s].name, name) != 0)
		s++;
	return s;
}

int severity_syslog(enum severity s)
{
	return severities[s].syslog;
}

/* ---- status words ---- */

#define GOOD	 SEVERITY_IGNORE, false
#define INFO	 SEVERITY_INFO, false
#define WARNING	 SEVERITY_WARNING, false
#define UNKNOWN	 SEVERITY_WARNING, true
#define CRITICAL SEVERITY_CRITICAL, false

const struct status_word status_words[WORDS] = {
	[WORD_IN_SYNC] = { "in_sync", "in sync", GOOD },
	[WORD_AGREES] = { "agrees", "agrees", GOOD },
	[WORD_READY] = { "ready", "ready", GOOD },
	[WORD_IN_CLASS] = { "in_class", "in class", GOOD },
	[WORD_SKIPPED] = { "skipped", "skipped", INFO },
	[WORD_ADVICE] = { "advice", "advice", INFO },
	[WORD_INFO] = { "info", "info", INFO },
	[WORD_NOT_APPLICABLE] = { "not_applicable", "not applicable", INFO },
	[WORD_DIFFERS_ALLOWED] = { "differs_allowed", "differs, as allowed", INFO },
	[WORD_WARNING] = { "warning", "warning", WARNING },
	[WORD_UNSUPPORTED] = { "unsupported", "unsupported", UNKNOWN },
	[WORD_UNKNOWN] = { "unknown", "unknown", UNKNOWN },
	[WORD_NEVER_VERIFIED] = { "never_verified", "never verified", UNKNOWN },
	[WORD_NOT_ATTEMPTED] = { "not_attempted", "not attempted", UNKNOWN },
	[WORD_MASKED_BY_TRAFFIC] = { "masked_by_traffic", "masked by traffic", UNKNOWN },
	[WORD_NOT_COUNTED] = { "not_counted", "not counted", UNKNOWN },
	[WORD_NO_CLASS] = { "no_class", "no class", UNKNOWN },
	[WORD_SYMPTOM] = { "symptom", "symptom", CRITICAL },
	[WORD_DRIFT] = { "drift", "drift", CRITICAL },
	[WORD_CONTESTED] = { "contested", "contested", CRITICAL },
	[WORD_DIFFERS] = { "differs", "differs", CRITICAL },
	[WORD_NOT_READY] = { "not_ready", "not ready", CRITICAL },
	[WORD_CRITICAL] = { "critical", "critical", CRITICAL },
	[WORD_WRONG_AT_SENDER] = { "wrong_at_sender", "wrong at sender", CRITICAL },
	[WORD_REWRITTEN] = { "rewritten", "rewritten", CRITICAL },
	[WORD_WRONG_MAP] = { "wrong_map", "wrong map", CRITICAL },
	[WORD_NOT_LOSSLESS] = { "not_lossless", "not lossless", CRITICAL },
	[WORD_CONTROL_LOSSLESS] = { "control_lossless", "control lossless", CRITICAL },
	[WORD_LOST] = { "lost", "lost", CRITICAL },
	[WORD_NO_CONNECTION] = { "no_connection", "no connection", CRITICAL },
};

const struct status_word *status_word_named(const char *name)
{
	for (enum word w = 0; w < WORDS; w++)
		if (strcmp(status_words[w].name, name) == 0)
			return &status_words[w];
	return &status_words[WORD_UNKNOWN];
}
