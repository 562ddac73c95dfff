/*
 * Rejects a signed policy that is older than one used before on this host
 * (policy/document/policy.h).
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_POLICY_GENERATION_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_POLICY_GENERATION_H

#include "../../../policy/document/policy.h"
#include "../../host/host.h"

/*
 * Records a signed policy's generation beside the journal, before any write and once nothing else
 * refuses the policy; accepts an unsigned policy. ERR_REFUSED: it has no generation, or is older
 * than a policy used before.
 */
bool policy_generation_accept(struct host *h, const struct policy *p, struct err *err) must_check;

/* The same question, which records nothing. */
bool policy_generation_check(struct host *h, const struct policy *p, struct err *err) must_check;

#endif
