/* The user who runs this program, as the journal names them. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_CALLER_H
#define LOSSLESSCTL_CLI_SANDBOX_CALLER_H

#include <stddef.h>

/*
 * The login name behind sudo, or of the login session, or of this process; "uid:1000" where
 * /etc/passwd has no name. Asks no name service: one that hangs would hold up a rollback.
 */
void caller_name(char *buf, size_t size);

#endif
