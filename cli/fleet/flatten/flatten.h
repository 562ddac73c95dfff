/* Writes a document into the tables, one function for each kind of document. */
#ifndef LOSSLESSCTL_CLI_FLEET_FLATTEN_FLATTEN_H
#define LOSSLESSCTL_CLI_FLEET_FLATTEN_FLATTEN_H

#include "../store.h"

typedef bool flatten(struct store *s, const struct report *r, struct err *err) must_check;

flatten flatten_verify, flatten_status, flatten_show, flatten_peer, flatten_ready, flatten_drift,
	flatten_probe, flatten_probe_matrix;

#endif
