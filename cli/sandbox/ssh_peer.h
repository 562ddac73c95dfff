/* Who gives us orders, and from where. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_SSH_PEER_H
#define LOSSLESSCTL_CLI_SANDBOX_SSH_PEER_H

#include "../../agent/host/host.h"

/*
 * Fills h->session_peer with the address at the other end of the SSH session
 * that this process runs in; left empty when there is none. sudo removes
 * SSH_CONNECTION, so the parents' environments are looked at too.
 */
void session_find(struct host *h);

#endif
