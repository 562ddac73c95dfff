/* The origin of a desired value: the place in the policy that decides it. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_ORIGIN_H
#define LOSSLESSCTL_POLICY_DOCUMENT_ORIGIN_H

#include "policy.h"

#define ORIGIN_TEXT_MAX 384 /* the longest file name, and the usual class names */

/*
 * Writes where the desired value of a setting comes from, for a rule of the policy on a port that
 * it matches: "roce.json:14" in a profile, "roce.json:20, rule 2", `roce.json:9, class "roce"`,
 * `roce.json:7, "when" 1`; of a value that another setting implies, the place of that setting.
 * "default" if no part of the policy gives it. Returns `buf`.
 */
const char *origin_text(const struct policy *p, const struct port_rule *r,
			const struct identity *id, unsigned setting, char buf[ORIGIN_TEXT_MAX]);

#endif
