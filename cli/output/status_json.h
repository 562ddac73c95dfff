/* The agent's status.json. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_STATUS_JSON_H
#define LOSSLESSCTL_CLI_OUTPUT_STATUS_JSON_H

#include "../../agent/daemon/daemon.h"
#include "../cli.h"

/* Returns the text of the document, which the caller frees; NULL without memory. */
char *status_to_text(const struct cli *c, const struct agent_status *s);

#endif
