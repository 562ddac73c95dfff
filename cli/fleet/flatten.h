/* Writes what a document tells into the tables, one function for each kind of document. */
#ifndef LOSSLESSCTL_CLI_FLEET_FLATTEN_H
#define LOSSLESSCTL_CLI_FLEET_FLATTEN_H

#include "../../policy/util/json_location.h"
#include "store.h"

/* A document whose header is stored. Borrows from it. */
struct report {
	const char *kind, *host, *host_id, *boot_id, *version, *observed_at, *verdict, *state_hash;
	json_t *policy; /* NULL: it names none */
	const char *policy_name, *policy_sha256;
	json_int_t policy_generation; /* 0: it has none */
	json_t *document;
	json_t *ports; /* NULL: the document has no such list */
	json_int_t port_count, drifted_port_count, unknown_port_count;
	sqlite3_int64 id;
	bool newest; /* of its host and aspect */
};

typedef bool flatten(struct store *s, const struct report *r, struct err *err) must_check;

flatten flatten_verify, flatten_status, flatten_show, flatten_peer, flatten_ready, flatten_drift,
	flatten_probe, flatten_probe_matrix;

#endif
