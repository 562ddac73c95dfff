/* Which rules can never win: a later one takes all their ports. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_UNREACHABLE_H
#define LOSSLESSCTL_POLICY_DOCUMENT_UNREACHABLE_H

#include "policy.h"

/*
 * For each rule of the policy: the first later rule that takes every port it
 * could match, as far as the patterns alone tell, or NULL. The caller frees
 * *ret, which has p->count entries.
 */
bool shadows_find(const struct policy *p, const struct port_rule ***ret,
		  struct err *err) must_check;

#endif
