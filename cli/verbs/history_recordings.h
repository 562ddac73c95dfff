/* The agent's recordings of the minutes before incidents, for history and bundle. */
#ifndef LOSSLESSCTL_CLI_VERBS_HISTORY_RECORDINGS_H
#define LOSSLESSCTL_CLI_VERBS_HISTORY_RECORDINGS_H

#include <jansson.h>

#include "../cli.h"

/*
 * Adds the recordings of the named ports to a list, oldest first and without their samples. Warns
 * of those that are not read, unless the caller's rights or memory do not suffice for any.
 */
bool recordings_list(const struct cli *c, json_t *list, struct err *err) must_check;

/* Prints the list, if it has any. */
void print_recordings(const struct cli *c, const json_t *list);

/* Returns the documents of all recordings, or the error of each file that has none. The caller owns
 * it. */
bool recordings_document(struct cli *c, json_t **ret, struct err *err) must_check;

/* Prints recording c->opt.recording: a row for each sample, or its document. */
bool print_recording(struct cli *c, struct err *err) must_check;

#endif
