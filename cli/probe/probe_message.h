/* Messages between the two ends of a probe. Each has the key "command", or is an answer. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_MESSAGE_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_MESSAGE_H

#include <jansson.h>

#include "../../agent/engine/probe/probe_port.h"
#include "../../agent/engine/probe/probe_verdict.h"
#include "../../policy/util/json_location.h"

#define PROBE_PROTOCOL 1 /* both ends must speak the same */

/* The caller owns the results of the functions that write. Errors of reading are ERR_POLICY. */
json_t *probe_counts_to_json(const struct probe_counts *c);
bool probe_counts_from_json(const json_t *j, struct probe_counts *ret, struct err *err) must_check;

/* A port. Everything that a peer says of one is checked. */
json_t *probe_port_to_json(const struct probe_port *p);
bool probe_port_from_json(json_t *j, const struct json_path *at, struct probe_port *ret,
			  struct err *err) must_check;

/*
 * The members of a run that the client chooses: path, class, TCP port, messages, size, and the
 * peer's address for the end that begins. perftest_check() judges them.
 */
json_t *probe_run_to_json(const struct perftest *p);
bool probe_run_from_json(json_t *j, struct perftest *ret, struct err *err) must_check;

#endif
