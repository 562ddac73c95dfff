/*
 * The host that `--state FILE` names: a document of show, or a bundle with one. It takes the place
 * of the host for all verbs that only read; nothing of this machine is read.
 */
#ifndef LOSSLESSCTL_CLI_CAPTURED_CAPTURED_HOST_H
#define LOSSLESSCTL_CLI_CAPTURED_CAPTURED_HOST_H

#include "../cli.h"

/* Owned by struct cli; captured_host_free() frees. */
struct captured_host {
	json_t *document; /* losslessctl/show/1 */
	json_t *bundle;	  /* losslessctl/bundle/1 around it; NULL: there is none */
	struct captured_port *ports;
	struct ignored_port *others;
	struct other_writer writers[OTHER_WRITERS_MAX]; /* borrow from `document` */
	struct captured view; /* borrows `ports`, `others` and `writers` */
};

/* Reads one document; captured_host_clear() frees what *ret then owns, also after a failure. */
bool captured_host_read(int fd, struct captured_host *ret, struct err *err) must_check;
void captured_host_clear(struct captured_host *h);

/* Frees all of it; NULL is permitted. */
void captured_host_free(struct captured_host *h);

/* Returns the port of the document with this name, borrowed; NULL: there is none. */
json_t *captured_host_port(const struct captured_host *h, const char *name);

/*
 * Finds a part of a bundle, borrowed: "peer". ERR_UNKNOWN: the document has none, or the host could
 * not read it.
 */
bool captured_host_part(const struct captured_host *h, const char *key, json_t **ret,
			struct err *err) must_check;

/* Adds the host's identity, and the time when the document was made. */
void captured_host_identify(const struct captured_host *h, json_t *doc);

#endif
