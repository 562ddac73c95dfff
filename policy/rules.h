/*
 * What makes a setup sound: rules over one port's whole config. They judge
 * what a port ends up with, not what was asked for: PFC beside global pause is
 * wrong only if both are there afterwards.
 */
#ifndef LOSSLESSCTL_POLICY_RULES_H
#define LOSSLESSCTL_POLICY_RULES_H

#include <stddef.h>

#include "config.h"

enum severity { SEVERITY_WARNING, SEVERITY_ERROR };

/* "warning", "error". */
const char *severity_name(enum severity s);

struct rule {
	const char *name;
	enum severity severity;
	bool (*holds)(const struct config *c);
	knobset judges;	  /* judged only when all of these are known */
	const char *says; /* what is wrong when it does not hold */
	const char *mend; /* what to do about it */
	const char *why;
};

extern const struct rule rules[];
extern const size_t rules_count;

/* Is everything known that the rule looks at, and does the rule not hold? */
bool rule_broken(const struct rule *r, const struct config *c);

#endif
