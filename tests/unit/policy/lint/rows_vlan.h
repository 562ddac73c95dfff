/* Configs that break or pass the lints of policy/lint/lint_vlan.c. */
#ifndef LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_VLAN_H
#define LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_VLAN_H

#include "tests/support/lint_rows.h"

static const struct lint_row vlan_rows[] = {
	{ "trust pcp without a map is advised against",
	  "{'pfc': {'priorities': [3]}, 'trust': 'pcp'}", "trust-pcp-without-vlan-egress" },
	{ "a map of zeros is no map",
	  "{'pfc': {'priorities': [3]}, 'trust': 'pcp', 'vlan': {'egress': {'v': {'3': 0}}}}",
	  "trust-pcp-without-vlan-egress" },
	{ "a lossless priority that leaves as a lossy PCP is wrong",
	  "{'pfc': {'priorities': [3]}, 'trust': 'pcp', 'vlan': {'egress': {'v': {'3': 4}}}}",
	  "vlan-egress-not-lossless" },
	{ "one VLAN device of two without a map is well",
	  "{'pfc': {'priorities': [3]}, 'trust': 'pcp', 'vlan': {'egress': {'v': {'3': 3}, 'w': "
	  "{'3': 0}}}}",
	  "" },
	{ "with trust dscp a priority that DSCPs reach may have a PCP",
	  "{'trust': 'dscp', 'vlan': {'egress': {'v': {'3': 3}}}}", "" },
	{ "a priority without a PCP needs no DSCP",
	  "{'dscp': {'prio': {'26': 3}, 'rest': 0}, 'vlan': {'egress': {'v': {'3': 3}}}}", "" },
	{ "with trust dscp a priority that only a PCP reaches is wrong",
	  "{'dscp': {'prio': {'26': 3}, 'rest': 0}, 'vlan': {'egress': {'v': {'4': 4}}}}",
	  "vlan-egress-without-dscp" },
};

#endif
