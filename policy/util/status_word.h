/*
 * The words by which reports name the status of a setting, a port, a peer, a check, a probe or a
 * run: what each weighs, and what follows from it.
 */
#ifndef LOSSLESSCTL_POLICY_UTIL_STATUS_WORD_H
#define LOSSLESSCTL_POLICY_UTIL_STATUS_WORD_H

#include <stdbool.h>

/*
 * Critical: RoCE is not lossless here, or will not be. Warning: it is lossless only without load,
 * or nobody knows. Info: it works, but differs from recommended practice. Ignore: it is not
 * checked; only a policy can set this.
 */
enum severity { SEVERITY_IGNORE, SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_CRITICAL, SEVERITIES };

/* "ignore", "info", "warning" or "critical". */
const char *severity_name(enum severity s);

/* The severity of this name, or SEVERITIES. */
enum severity severity_from_name(const char *name);

/* The priority in syslog(3): 6, 4 or 2. */
int severity_syslog(enum severity s);

enum word {
	WORD_IN_SYNC,
	WORD_AGREES,
	WORD_READY,
	WORD_IN_CLASS,
	WORD_SKIPPED,
	WORD_ADVICE,
	WORD_INFO,
	WORD_NOT_APPLICABLE,
	WORD_DIFFERS_ALLOWED,
	WORD_WARNING,
	WORD_UNSUPPORTED,
	WORD_UNKNOWN,
	WORD_NEVER_VERIFIED,
	WORD_NOT_ATTEMPTED,
	WORD_MASKED_BY_TRAFFIC,
	WORD_NOT_COUNTED,
	WORD_NO_CLASS,
	WORD_SYMPTOM,
	WORD_DRIFT,
	WORD_CONTESTED,
	WORD_DIFFERS,
	WORD_NOT_READY,
	WORD_CRITICAL,
	WORD_WRONG_AT_SENDER,
	WORD_REWRITTEN,
	WORD_WRONG_MAP,
	WORD_NOT_LOSSLESS,
	WORD_CONTROL_LOSSLESS,
	WORD_LOST,
	WORD_NO_CONNECTION,
	WORDS
};

struct status_word {
	const char *name;	/* in JSON */
	const char *text;	/* for people */
	enum severity severity; /* IGNORE: it is as it should be */
	bool is_unknown;	/* nobody knows how it is */
};

extern const struct status_word status_words[WORDS];

/* The row of a name. A name of a later version is unknown, not bad. */
const struct status_word *status_word_named(const char *name);

#endif
