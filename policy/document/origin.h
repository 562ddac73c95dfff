/* The origin of a desired value: the place in the policy that decides it. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_ORIGIN_H
#define LOSSLESSCTL_POLICY_DOCUMENT_ORIGIN_H

#include "policy.h"

#define ORIGIN_TEXT_MAX 384 /* the longest file name, and the usual class names */

/*
 * Writes where a desired value of a rule comes from: "roce.json:14" in a profile, "roce.json:20,
 * rule 2", `roce.json:9, class "roce"`, `roce.json:7, "when" 1`; of a value that another setting
 * implies, the place of that setting. "default" if no part of the policy gives it. Returns `buf`.
 */
const char *origin_text(const struct policy *p, const struct port_rule *r, const struct because *b,
			char buf[ORIGIN_TEXT_MAX]);

/*
 * The line that gives a rule the first of these settings that the policy sets, with its profile's
 * entry `when` of "when", counted from 1; 0 is none. The settings of that entry come first. The
 * rule's own line if the policy sets none.
 */
unsigned origin_line(const struct policy *p, const struct port_rule *r, size_t when,
		     setting_set of);

#endif
