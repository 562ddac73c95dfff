/* A port of a document of show: the members that one table writes and reads, and the reading. */
#ifndef LOSSLESSCTL_CLI_CAPTURED_CAPTURED_PORT_H
#define LOSSLESSCTL_CLI_CAPTURED_CAPTURED_PORT_H

#include "../../agent/engine/dcbx_owner.h"
#include "../../agent/engine/engine.h"
#include <jansson.h>
#include "../../policy/util/json_location.h"
#include "../../roce/gid.h"

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

#endif
