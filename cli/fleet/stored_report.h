/* A document between its header, which is stored, and its rows. */
#ifndef LOSSLESSCTL_CLI_FLEET_STORED_REPORT_H
#define LOSSLESSCTL_CLI_FLEET_STORED_REPORT_H

#include <jansson.h>
#include <sqlite3.h>
#include <stdbool.h>

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
	bool newest; /* no later one of its host and aspect is stored */
};

#endif
