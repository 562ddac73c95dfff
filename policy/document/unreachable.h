/* Finds rules that can never apply, because a later rule matches all their ports. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_UNREACHABLE_H
#define LOSSLESSCTL_POLICY_DOCUMENT_UNREACHABLE_H

#include "policy.h"

/*
 * For each rule: the first later rule that the patterns prove to match every port that it matches,
 * or NULL. *ret has p->count entries; the caller frees it. Fails with ENOMEM.
 */
bool shadows_find(const struct policy *p, const struct port_rule ***ret,
		  struct err *err) must_check;

#endif
