/* Reads one rule of a policy while the policy is loaded. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_PORT_RULE_H
#define LOSSLESSCTL_POLICY_DOCUMENT_PORT_RULE_H

#include "resolve.h"

/* State of loading a policy: the document, and the memory that is still unused. */
struct loading {
	const struct profile *profiles; /* complete */
	size_t profiles_count;
	json_t *profiles_json;
	struct conditional *conditionals;
	struct overlay *overlays;
};

/* The keys of a rule. */
extern const struct key_object rule_object;

/* Reads a rule and checks the settings that result, without and with each entry of "when". */
bool port_rule_from_json(struct port_rule *r, struct loading *l, json_t *rule,
			 const struct json_path *at, struct err *err) must_check;

/*
 * Reads a port of a show document as a rule: it matches the port by name, and its config becomes
 * the desired settings.
 */
bool port_rule_from_show(struct port_rule *r, struct loading *l, json_t *port,
			 const struct json_path *at, struct err *err) must_check;

#endif
