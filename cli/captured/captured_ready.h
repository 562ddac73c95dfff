/* Reads the checks of `ready` as a bundle has them. */
#ifndef LOSSLESSCTL_CLI_CAPTURED_CAPTURED_READY_H
#define LOSSLESSCTL_CLI_CAPTURED_CAPTURED_READY_H

#include "../../agent/engine/ready/ready_probe.h"
#include "captured_host.h"

/*
 * Reads a check as the host did, without the verdict: any policy can judge it. Unknown is what the
 * host did not know, and what the document does not have.
 */
void captured_ready_read(const struct captured *c, enum ready_id id, const struct port *port,
			 struct ready_reading *ret);

#endif
