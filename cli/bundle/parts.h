/* The parts of a bundle that no other verb reports. */
#ifndef LOSSLESSCTL_CLI_BUNDLE_PARTS_H
#define LOSSLESSCTL_CLI_BUNDLE_PARTS_H

#include <jansson.h>

#include "../../agent/engine/target/inventory.h"
#include "../cli.h"

/* The kernel's files that were read. Plain data; the caller releases `files`. */
struct recording {
	json_t *files; /* path to text */
	size_t bytes, omitted;
};

/* Records the files of the kernel that the host reads from here on, until host_unrecord(). */
void host_record(struct host *h, struct recording *r);
void host_unrecord(struct host *h);

/* Returns all counters of these ports now, and with `seconds` once more after that time. */
json_t *samples_to_json(struct cli *c, const struct inventory *inv, unsigned seconds);

/* Returns the status that a running agent wrote, losslessctl/status/1. The caller owns *ret. */
bool status_document(struct host *h, json_t **ret, struct err *err) must_check;

#endif
