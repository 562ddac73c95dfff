/* JSON documents of the contract, and the parts that several verbs share. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_REPORT_JSON_H
#define LOSSLESSCTL_CLI_OUTPUT_REPORT_JSON_H

#include "../../agent/engine/target/target.h"
#include "../../agent/engine/target/unmet.h"
#include "../cli.h"

/* A document that begins with its schema, "losslessctl/VERB/1". */
json_t *report_new(const char *verb);

/* The same of a verb that looks at a host, which the document then names (host_identity.h). */
json_t *report_of_host(const struct cli *c, const char *verb);

/* {name, sha256} of a policy. */
json_t *report_policy(const struct policy *p);

/* {driver, pci, firmware, …} of a port. */
json_t *report_device(const struct port *p);

/* {carrier, speed_mbps, best_speed_mbps}; a speed that is unknown is null. */
json_t *report_link(const struct port *p);

/*
 * [{feature, disrupts, status?, message?, irreversible?, changes: {SETTING: {from, to}}}] of a
 * plan's steps; `r` says how far each of them came, or is NULL.
 */
json_t *report_steps(const struct plan *p, const struct result *r);

/* [{setting, why}], or NULL when nothing was refused. */
json_t *report_refusals(const struct target *t);

/* Adds "unmet_rules" and "unmet_message" to a report. */
void report_unmet(const struct unmet *u, json_t *doc);

/* {schema, kind, where, message, …} of a failure. */
json_t *report_error(const struct err *err);

/* The word for how far a step disrupts. */
const char *disruption_name(enum disruption d);

#endif
