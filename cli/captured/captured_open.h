/* Opens the host of --state, in place of this one. */
#ifndef LOSSLESSCTL_CLI_CAPTURED_CAPTURED_OPEN_H
#define LOSSLESSCTL_CLI_CAPTURED_CAPTURED_OPEN_H

#include "../cli.h"

/*
 * Reads the document, and lets c->engine judge its host. ERR_POLICY: it is no such document, or is
 * not possible; ERR_NO_FILE, ERR_DENIED.
 */
bool captured_host_open(struct cli *c, struct err *err) must_check;

#endif
