/*
 * JSON documents of the contract, and the parts that several verbs share. Callers own all results.
 */
#ifndef LOSSLESSCTL_CLI_OUTPUT_REPORT_JSON_H
#define LOSSLESSCTL_CLI_OUTPUT_REPORT_JSON_H

#include <jansson.h>

#include "../../agent/engine/target/inventory.h"
#include "../../agent/engine/target/target.h"
#include "../../agent/engine/verify/compare_ports.h"
#include "../../agent/host/host.h"
#include "../cli.h"

/* Returns a document that begins with its schema, "losslessctl/VERB/1". */
json_t *report_new(const char *verb);

/* Returns a document with its schema and the identity of the host (host_facts.h). */
json_t *report_of_host(const struct cli *c, const char *verb);

/* Returns {name, sha256} of a policy. */
json_t *report_policy(const struct policy *p);

/* Returns {carrier, speed_mbps, best_speed_mbps}; an unknown speed is null. */
json_t *report_link(const struct port *p);

/*
 * Returns [{feature, disrupts, status?, message?, irreversible?, changes: {SETTING: {from, to}}}]
 * for the steps of a plan. `r` holds the status of each step; NULL: not applied.
 */
json_t *report_steps(const struct target *t, const struct result *r);

/* Returns [{subject, lint?, message, fix}], or NULL if nothing was refused. */
json_t *report_refusals(const struct refusal *r, size_t count);

/* Adds "unmet_rules" and "unmet_message" to a report. */
void report_unmet(const struct unmet *u, json_t *doc);

/* Returns {schema, kind, where, message, …} of an error. */
json_t *report_error(const struct err *err);

/* Reports an error that ends a run, or the work on one file; returns its exit code. */
int report_failure(struct cli *c, const struct err *err);

/* Returns the contract's name of a disruption. */
const char *disruption_name(enum disruption d);

/*
 * Adds the host's identity, and the time when it was read; nothing if the host is not open. Of a
 * captured host, both are those of its document.
 */
void report_identify(const struct cli *c, json_t *doc);

/* Adds the state hash (verify/state_hash.h): null without ports, memory or `setups`. */
void identity_add_state(json_t *doc, const struct setup *setups, size_t count);

/*
 * The facts of the host of these ports, read or as its document has them. The caller owns `*ret`.
 * Fails if the kernel does not answer.
 */
bool host_facts_to_json(const struct cli *c, const struct inventory *inv, json_t **ret,
			struct err *err) must_check;

/*
 * Prints them: one line for kernel, driver, lockdown, namespaces of RDMA devices. Fails if the
 * kernel does not answer.
 */
bool print_host_facts(const struct cli *c, const struct inventory *inv, struct err *err) must_check;

/* One line for a port that is more than an adapter's: LAG, switchdev, BlueField. */
void print_port_role(const struct cli *c, const struct port *p, int width);

#endif
