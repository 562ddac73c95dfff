/* The SSH session behind this process: a guard keeps the port that it comes through. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_SSH_SESSION_H
#define LOSSLESSCTL_CLI_SANDBOX_SSH_SESSION_H

#include "../../agent/host/host.h"

/*
 * Sets h->session to both ends of the SSH session that runs this process, or leaves it empty.
 * Searches the ancestors' environments too, because sudo removes SSH_CONNECTION.
 */
void session_find(struct host *h);

#endif
