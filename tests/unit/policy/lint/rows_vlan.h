/* Configs that break or pass the lints of policy/lint/lint_vlan.c. */
#ifndef LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_VLAN_H
#define LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_VLAN_H

#include "policy/model/switch_map.h"
#include "tests/support/lint_rows.h"

#define TRUSTS_PCP(tos, map) \
	"{'pfc': {'priorities': [3]}, 'trust': 'pcp', 'roce': {'tos': " tos "}," \
	" 'vlan': {'egress': {" map "}}}"
#define TRUSTS_DSCP(tos, map) \
	"{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 3}, 'rest': 0}, 'roce': " \
	"{'tos': " tos "}, 'vlan': {'egress': {" map "}}}"
#define LOSSY  "vlan-egress-not-lossless"
#define SHARED "vlan-egress-lossless-sockets"

static const struct lint_row vlan_rows[] = {
	{ "trust pcp without a map is advised against",
	  "{'pfc': {'priorities': [3]}, 'trust': 'pcp'}", "trust-pcp-without-vlan-egress" },
	{ "a map of zeros is no map",
	  "{'pfc': {'priorities': [3]}, 'trust': 'pcp', 'vlan': {'egress': {'v': {'3': 0}}}}",
	  "trust-pcp-without-vlan-egress" },
	{ "ToS 106 has the priority 2, which this map omits",
	  TRUSTS_PCP("106", "'v': {'3': 3, '6': 6}"), LOSSY },
	{ "ToS 0 has the priority 0, and is lossless by this map",
	  TRUSTS_PCP("0", "'v': {'0': 3, '1': 0, '2': 0, '3': 0}"), SHARED },
	{ "ToS 106 is lossless by this map, which sockets of ToS 72 share",
	  TRUSTS_PCP("106", "'v': {'2': 3, '6': 6}"), SHARED },
	{ "ToS 0 is not lossless by the map of ToS 106, unless programs set theirs",
	  TRUSTS_PCP("0", "'v': {'2': 3}"), "vlan-egress-without-tos " SHARED },
	{ "a map that no ToS reaches loses ToS 0", TRUSTS_PCP("0", "'v': {'3': 3}"),
	  "vlan-egress-without-tos" },
	{ "ToS 0 may leave by a VLAN device without a lossless PCP",
	  TRUSTS_PCP("0", "'v': {'0': 3}, 'w': {'6': 6}"), SHARED },
	{ "nor is ToS 98, of the class selector 3", TRUSTS_PCP("98", "'v': {'2': 3}"),
	  LOSSY " " SHARED },
	{ "ToS 186 has the priority 4", TRUSTS_PCP("186", "'v': {'4': 3}"), SHARED },
	{ "a lossy PCP of its priority is wrong", TRUSTS_PCP("106", "'v': {'2': 4}"), LOSSY },
	{ "where the ToS is unknown, one that is lossless is enough",
	  "{'pfc': {'priorities': [3]}, 'trust': 'pcp', 'vlan': {'egress': {'v': {'6': 3}}}}",
	  SHARED },
	{ "where the ToS is unknown, none of them has an odd priority",
	  "{'pfc': {'priorities': [3]}, 'trust': 'pcp', 'vlan': {'egress': {'v': {'3': 3}}}}",
	  "vlan-egress-without-tos" },
	{ "a lossless priority 0 needs no map",
	  "{'pfc': {'priorities': [0]}, 'trust': 'pcp', "
	  "'roce': {'tos': 106}, 'vlan': {'egress': {'v': "
	  "{'6': 6}}}}",
	  SHARED },
	{ "without a lossless priority nothing is lost",
	  "{'pfc': {'priorities': []}, 'trust': 'pcp', 'vlan': {'egress': {'v': {'3': 3}}}}", "" },
	{ "one VLAN device of two without a map is well",
	  TRUSTS_PCP("106", "'v': {'2': 3}, 'w': {'3': 0}"), SHARED },
	{ "a VLAN device without a lossless PCP is not RoCE's",
	  TRUSTS_PCP("106", "'v': {'2': 3}, 'w': {'6': 6}"), SHARED },
	{ "one of two that loses the class is wrong",
	  TRUSTS_PCP("106", "'v': {'2': 3}, 'w': {'3': 3}"), LOSSY " " SHARED },
	{ "with trust dscp a priority that DSCPs reach may have a PCP",
	  "{'trust': 'dscp', 'vlan': {'egress': {'v': {'3': 3}}}}", "" },
	{ "a PCP that DSCPs reach is well",
	  "{'dscp': {'prio': {'26': 3}, 'rest': 0}, 'vlan': {'egress': {'v': {'2': 3}}}}", "" },
	{ "with trust dscp a PCP that no DSCP reaches is ignored",
	  "{'dscp': {'prio': {'26': 3}, 'rest': 0}, 'vlan': {'egress': {'v': {'4': 4}}}}",
	  "vlan-egress-without-dscp" },
	{ "with trust dscp the PCP of the DSCP's priority is well",
	  TRUSTS_DSCP("106", "'v': {'2': 3}"), "" },
	{ "with trust dscp another PCP is one for switches alone",
	  TRUSTS_DSCP("106", "'v': {'3': 3}"), "" },
	{ "with trust dscp a VLAN device without a map is well", TRUSTS_DSCP("106", "'v': {}"),
	  "" },
	{ "with trust dscp a lossy ToS may have any PCP",
	  "{'dscp': {'prio': {'26': 3}, 'rest': 0}, 'roce': {'tos': 194},"
	  " 'vlan': {'egress': {'v': {'3': 3}}}}",
	  "" },
};

static const struct lint_port_row vlan_ports[] = {
	{ { "a switch that trusts PCP sorts by another PCP", TRUSTS_DSCP("106", "'v': {'3': 3}"),
	    "vlan-egress-other-than-dscp fabric-trust-mismatch" },
	  { .switch_map = &switch_maps[3] } },
	{ { "mqprio takes the map's place: ToS 106 has the class of priority 2",
	    TRUSTS_PCP("106", "'v': {'2': 3}"), "mqprio-not-lossless " SHARED },
	  { .mqprio = { true, { 0, 1, 5, 3, 4, 2, 6, 7 } } } },
	{ { "a lossless class of mqprio is well, whatever the map",
	    TRUSTS_PCP("106", "'v': {'3': 3}"), "" },
	  { .mqprio = { true, { 0, 1, 3, 2, 4, 5, 6, 7 } } } },
	{ { "mqprio needs no map", TRUSTS_PCP("106", "'v': {}"), "" },
	  { .mqprio = { true, { 0, 1, 3, 2, 4, 5, 6, 7 } } } },
	{ { "mqprio on a port without VLAN devices tags nothing", TRUSTS_PCP("106", ""), "" },
	  { .mqprio = { true, { 0, 1, 5, 3, 4, 2, 6, 7 } } } },
	{ { "a VF with a lossy PCP is noted", TRUSTS_PCP("106", "'v': {'2': 3}"),
	    "vf-vlan-not-lossless " SHARED },
	  { .vf_vlans = { [0] = { 2, 3000 }, [3] = { 0, 100 } } } },
	{ { "a VF with a lossless PCP is well", TRUSTS_PCP("106", "'v': {'2': 3}"), SHARED },
	  { .vf_vlans = { [3] = { 0, 100 } } } },
	{ { "with trust dscp a VF may have any PCP", TRUSTS_DSCP("106", "'v': {'2': 3}"), "" },
	  { .vf_vlans = { [0] = { 2, 3000 } } } },
	{ { "without a lossless priority a VF may have any PCP",
	    "{'pfc': {'priorities': []}, 'trust': 'pcp'}", "" },
	  { .vf_vlans = { [0] = { 2, 3000 } } } },
	{ { "with mqprio programs may set their ToS", TRUSTS_PCP("0", "'v': {'3': 3}"), "" },
	  { .mqprio = { true, { 0, 1, 5, 3, 4, 2, 6, 7 } } } },
	{ { "with mqprio the map does not decide what a switch sorts by",
	    TRUSTS_DSCP("106", "'v': {'3': 3}"), "fabric-trust-mismatch" },
	  { .switch_map = &switch_maps[3], .mqprio = { true, { 0, 1, 3, 2, 4, 5, 6, 7 } } } },
};

#endif
