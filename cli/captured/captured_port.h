/* Reads a port of a document of show: the reverse of verbs/show_document.h. */
#ifndef LOSSLESSCTL_CLI_CAPTURED_CAPTURED_PORT_H
#define LOSSLESSCTL_CLI_CAPTURED_CAPTURED_PORT_H

#include "../../agent/engine/engine.h"
#include "../../policy/util/json_location.h"

#include <jansson.h>

/*
 * `all` are the features of this program: a feature or setting of the document that it lacks is
 * left out. ERR_POLICY: a value has another form, or cannot be a port's.
 */
bool captured_port_from_json(json_t *port, struct features all, const struct json_path *at,
			     struct captured_port *ret, struct err *err) must_check;

#endif
