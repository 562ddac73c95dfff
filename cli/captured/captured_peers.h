/* The switch's ports as a bundle has them: the peers that its host heard, and how they compared. */
#ifndef LOSSLESSCTL_CLI_CAPTURED_CAPTURED_PEERS_H
#define LOSSLESSCTL_CLI_CAPTURED_CAPTURED_PEERS_H

#include "../../dcb/peer.h"
#include "captured_host.h"

/*
 * As compared_peers_find(), of targets that have been observed. What the document does not have is
 * unknown. ERR_POLICY: a value has another form, or cannot be a peer's.
 */
bool captured_peers_find(const struct captured_host *h, const struct targets *all, bool only_asked,
			 struct compared_peer **ret, struct err *err) must_check;

/* As compared_peers_read(), for the engine. */
bool captured_peers_read(const struct captured *c, const struct targets *all, struct peer **ret,
			 struct err *err) must_check;

#endif
