/*
 * The host that `--state FILE` names: a document of show, or a bundle with one. It takes the place
 * of the host for all verbs that only read; nothing of this machine is read.
 */
#ifndef LOSSLESSCTL_CLI_CAPTURED_CAPTURED_HOST_H
#define LOSSLESSCTL_CLI_CAPTURED_CAPTURED_HOST_H

#include <jansson.h>

#include "../../agent/engine/engine.h"
#include "../../agent/engine/other_writers.h"
#include "../../policy/util/json_location.h"
#include "../../roce/gid.h"
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

/* ---- ports ---- */

/* A port of a document of show: the members that one table writes and reads, and the reading. */

/*
 * `all` are the features of this program: a feature or setting of the document that it lacks is
 * left out. ERR_POLICY: a value has another form, or cannot be a port's.
 */
bool captured_port_from_json(json_t *port, struct features all, const struct json_path *at,
			     struct captured_port *ret, struct err *err) must_check;

/* The program that runs DCBX, without its process ID. False: the document does not know it. */
bool captured_owner(const json_t *port, struct owner *ret);

/* The GIDs in use; entries that cannot be any are left out. */
void captured_gids(const json_t *port, struct gid_list *ret);

/*
 * The members of "device" and "capabilities" as a document has them. Null here, and in its place,
 * is what other structs have: "fec" and "driver_maker". The caller owns the object.
 */
json_t *captured_device_to_json(const struct port *p);
json_t *captured_limits_to_json(const struct capabilities *c);

/* ---- differences ---- */

/* Compares two captured hosts. Names and addresses of their own are no difference. */

/* Plain data, but for the values, which are borrowed while the visitor runs. */
struct host_difference {
	const char *port;    /* the port of both hosts; NULL: of the host */
	const char *subject; /* a setting's path, or a key of the document */
	const json_t *values[2];
	const char *texts[2];
	bool is_known; /* false: one of the hosts could not read its value */
};

/* Calls `each` for every difference: settings of a port, its other facts, then those of the host.
 */
void host_diff_each(const struct captured_host *a, const struct captured_host *b,
		    void (*each)(const struct host_difference *d, void *arg), void *arg);

/* The ports that `a` has and `b` has not; the caller owns the list of names. */
json_t *host_diff_only(const struct captured_host *a, const struct captured_host *b);

#endif
