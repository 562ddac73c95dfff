/* Writes a document into the tables, one function for each kind of document. */
#ifndef LOSSLESSCTL_CLI_FLEET_FLATTEN_FLATTEN_H
#define LOSSLESSCTL_CLI_FLEET_FLATTEN_FLATTEN_H

#include <jansson.h>

#include "../../../policy/util/json_location.h"
#include "../database.h"

typedef bool flatten(struct store *s, const struct report *r, struct err *err) must_check;

flatten flatten_verify, flatten_status, flatten_show, flatten_peer, flatten_ready, flatten_drift,
	flatten_probe, flatten_probe_matrix;

/* ---- values ---- */

/* The values behind a state_hash: hosts with one hash are configured alike, so one is enough. */

/* From verify --all; another verify lists only what is not in sync, and stores nothing. */
bool state_values_of_verify(struct store *s, const struct report *r, struct err *err) must_check;

/* From show. */
bool state_values_of_show(struct store *s, const struct report *r, struct err *err) must_check;

#endif
