/* What a policy comes to on a port: its rule, and what that wants. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_RESOLVE_H
#define LOSSLESSCTL_POLICY_DOCUMENT_RESOLVE_H

#include "policy.h"

/*
 * The rule that a port ends in, the last one that matches; *ret is NULL when
 * none does. Where it depends on what the port does not tell, it fails with
 * ERR_UNKNOWN, and *ret is the rule that asks: it is never a fall to another.
 */
bool policy_rule_for(const struct policy *p, const struct identity *id,
		     const struct port_rule **ret, struct err *err) must_check;

/*
 * What a rule wants of a port: its profile, over it the entries of "when" that
 * hold for the port, in order, and over that `set`. ERR_UNKNOWN where the port
 * does not tell what an entry asks for; ERR_POLICY where the entries that hold
 * contradict each other.
 */
bool rule_desired(const struct port_rule *r, const struct identity *id, struct config *ret,
		  struct err *err) must_check;

/* The same without a port, for these entries, a bit each. */
bool rule_desired_of(const struct port_rule *r, uint32_t entries, struct config *ret,
		     struct err *err) must_check;

#endif
