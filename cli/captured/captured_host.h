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
	struct captured_port *ports;
	struct captured view; /* borrows `ports` */
};

/* Reads one document; captured_host_clear() frees what *ret then owns, also after a failure. */
bool captured_host_read(int fd, struct captured_host *ret, struct err *err) must_check;
void captured_host_clear(struct captured_host *h);

/*
 * Reads the document, and lets c->engine judge its host. ERR_POLICY: it is no such document, or is
 * not possible; ERR_NO_FILE, ERR_DENIED.
 */
bool captured_host_open(struct cli *c, struct err *err) must_check;

/* Frees all of it; NULL is permitted. */
void captured_host_free(struct captured_host *h);

/* Adds the host's identity, and the time when the document was made. */
void captured_host_identify(const struct captured_host *h, json_t *doc);

#endif
