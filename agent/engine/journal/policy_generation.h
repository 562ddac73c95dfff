/* A host takes no signed policy that is older than one it has taken (policy/document/policy.h). */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_POLICY_GENERATION_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_POLICY_GENERATION_H

#include "../../../policy/document/policy.h"
#include "../../host/host.h"

/*
 * Records a signed policy's generation before anything is written, in a file beside the journal; a
 * policy that is not signed passes. ERR_REFUSED: it is older than one taken before, or has none.
 */
bool policy_generation_take(struct host *h, const struct policy *p, struct err *err) must_check;

#endif
