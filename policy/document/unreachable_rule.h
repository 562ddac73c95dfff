/* Rules that never apply, because a later one covers them. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_UNREACHABLE_RULE_H
#define LOSSLESSCTL_POLICY_DOCUMENT_UNREACHABLE_RULE_H

#include "resolve.h"

/*
 * For each of `count` rules: the first later rule that the patterns prove to match every port that
 * it matches, or NULL. *ret has `count` entries; the caller frees it. Fails with ENOMEM.
 */
bool unreachable_rules_find(const struct port_rule *rules, size_t count,
			    const struct port_rule ***ret, struct err *err) must_check;

#endif
