/* Reading one rule of a policy, while the policy is loaded. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_PORT_RULE_H
#define LOSSLESSCTL_POLICY_DOCUMENT_PORT_RULE_H

#include "policy.h"

/* A policy that is being loaded: the document, and what of its memory is still to be filled. */
struct loading {
	const struct policy *policy; /* its profiles are there */
	json_t *profiles;
	struct conditional *conditionals;
	struct layer *layers;
};

/* Reads a rule, and checks what it comes to, without and with each entry of its "when". */
bool port_rule_take(struct port_rule *r, struct loading *l, json_t *rule, const struct at *at,
		    struct err *err) must_check;

/* A port of a show document as a rule: the port by name, its config as what is wanted. */
bool port_rule_take_shown(struct port_rule *r, struct loading *l, json_t *port, const struct at *at,
			  struct err *err) must_check;

#endif
