/* The events of the agent and its status.json, as JSON documents. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_AGENT_JSON_H
#define LOSSLESSCTL_CLI_OUTPUT_AGENT_JSON_H

#include "../../agent/daemon/daemon.h"
#include "../../agent/host/log.h"
#include "../cli.h"

/*
 * Prints one event as a document on a line of its own, and flushes it. `arg` is the struct cli.
 * False if it could not be printed. A reporter of struct log.
 */
bool event_print(void *arg, const struct log_entry *e);

/* Returns the text of status.json, which the caller frees; NULL without memory. */
char *status_to_text(const struct cli *c, const struct agent_status *s);

#endif
