/* What port rules end in, spelled out: for people, and as JSON. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_POLICY_DUMP_H
#define LOSSLESSCTL_CLI_OUTPUT_POLICY_DUMP_H

#include "../../policy/document/policy.h"
#include "../cli.h"

/* The rule's settings without a port, then what each entry of its "when" changes. */
void expand_print(const struct cli *c, const struct policy *p, const struct port_rule *r);

/* {port_rule, match, profile, config, derived?, when?: [{CONDITION…, config}]}. */
json_t *expand_to_json(const struct policy *p, const struct port_rule *r);

/* What the rule's classes mean, completed as its settings are; nothing without classes. */
struct config expand_derived(const struct port_rule *r);

/* The same as rule_want_of() for a rule that was loaded, and so makes sense with each entry. */
struct config expand_desired(const struct port_rule *r, uint32_t entries);

#endif
