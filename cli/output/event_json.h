/* Prints the events of the agent as JSON documents. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_EVENT_JSON_H
#define LOSSLESSCTL_CLI_OUTPUT_EVENT_JSON_H

#include "../../agent/host/log.h"

/*
 * Prints one event as a document on a line of its own, and flushes it. `arg` is the struct cli.
 * False if it could not be printed. A reporter of struct log.
 */
bool event_print(void *arg, const struct log_entry *e);

#endif
