/* The user who runs this program, as the journal records it. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_CALLER_H
#define LOSSLESSCTL_CLI_SANDBOX_CALLER_H

#include <stddef.h>

/*
 * Writes the login name behind sudo, of the login session, or of this process; "uid:1000" if
 * /etc/passwd has no name. Asks no name service, because one that hangs would delay a rollback.
 */
void caller_name(char *buf, size_t size);

#endif
