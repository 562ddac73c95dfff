/* Configs that break or pass the lints of policy/lint/lint_marking.c. */
#ifndef LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_MARKING_H
#define LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_MARKING_H

#include "tests/support/lint_rows.h"

static const struct lint_row marking_rows[] = {
	{ "a ToS whose DSCP maps to a lossless priority is well",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 3}}, 'roce': {'tos': 106}}", "" },
	{ "a ToS whose DSCP maps to a lossy priority is wrong",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 4}}, 'roce': {'tos': 106}}",
	  "roce-tos-not-lossless" },
	{ "a ToS whose DSCP is kept out of judgement is not judged",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'48': 6}, 'rest': 'keep'}, 'roce': "
	  "{'tos': 106}}",
	  "" },
	{ "a ToS is not wrong where nothing is lossless",
	  "{'pfc': {'priorities': []}, 'dscp': {'prio': {'26': 4}}, 'roce': {'tos': 106}}", "" },
	{ "a ToS of 0 is well", "{'roce': {'tos': 0}}", "" },
	{ "a ToS with ECT(0) is well", "{'roce': {'tos': 106}}", "" },
	{ "a ToS with ECT(1) is well", "{'roce': {'tos': 105}}", "" },
	{ "a ToS that is not ECN capable is wrong", "{'roce': {'tos': 104}}",
	  "roce-tos-not-ecn-capable" },
	{ "a ToS with congestion experienced is wrong", "{'roce': {'tos': 107}}",
	  "roce-tos-not-ecn-capable" },
	{ "RoCE v2 on a port that trusts DSCP is well", "{'trust': 'dscp', 'roce': {'mode': 'v2'}}",
	  "" },
	{ "RoCE v1 on a port that trusts DSCP is wrong",
	  "{'trust': 'dscp', 'roce': {'mode': 'v1'}}", "trust-dscp-with-roce-v1" },
	{ "RoCE v1 on a port that trusts PCP is well", "{'trust': 'pcp', 'roce': {'mode': 'v1'}}",
	  "" },
	{ "a traffic class that reaches a lossless priority is well",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 3}}, 'roce': {'traffic_class': "
	  "106}}",
	  "" },
	{ "a traffic class that reaches a lossy priority is wrong",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 4}}, 'roce': {'traffic_class': "
	  "106}}",
	  "roce-traffic-class-not-lossless" },
	{ "no traffic class reaches nothing",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 4}},"
	  " 'roce': {'tos': 0, 'traffic_class': 'unset'}}",
	  "roce-tos-not-lossless" },
	{ "a forced traffic class hides another lossless priority",
	  "{'pfc': {'priorities': [3, 4]}, 'dscp': {'prio': {'26': 3, '34': 4}},"
	  " 'roce': {'traffic_class': 106}}",
	  "roce-traffic-class-hides-lossless" },
	{ "a forced traffic class of a lossy priority is one finding",
	  "{'pfc': {'priorities': [3, 4]}, 'dscp': {'prio': {'26': 3, '34': 4}, 'rest': 0},"
	  " 'roce': {'traffic_class': 162}}",
	  "roce-traffic-class-not-lossless" },
	{ "a forced traffic class hides no lossless priority that has no DSCP",
	  "{'pfc': {'priorities': [3, 4]}, 'dscp': {'prio': {'26': 3}, 'rest': 0},"
	  " 'roce': {'traffic_class': 106}}",
	  "lossless-without-dscp" },
	{ "several lossless priorities are well where programs choose",
	  "{'pfc': {'priorities': [3, 4]}, 'dscp': {'prio': {'26': 3, '34': 4}},"
	  " 'roce': {'traffic_class': 'unset'}}",
	  "" },
	{ "a traffic class that is not ECN capable is wrong", "{'roce': {'traffic_class': 104}}",
	  "roce-traffic-class-not-ecn-capable" },
	{ "a traffic class of the same DSCP is well",
	  "{'roce': {'tos': 105, 'traffic_class': 106}}", "" },
	{ "a traffic class of another DSCP is wrong",
	  "{'roce': {'tos': 106, 'traffic_class': 110}}", "roce-tos-traffic-class-mismatch" },
	{ "a lossless priority that a DSCP reaches is well",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 3}, 'rest': 0}}", "" },
	{ "a lossless priority that no DSCP reaches is wrong",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 4}, 'rest': 0}}",
	  "lossless-without-dscp" },
	{ "a lossless priority 0 is reached like any other",
	  "{'pfc': {'priorities': [0]}, 'dscp': {'prio': {'26': 0}, 'rest': 'none'}}", "" },
	{ "a DSCP that is kept may reach it",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 4}, 'rest': 'keep'}}", "" },
	{ "with trust pcp no DSCP need reach it",
	  "{'pfc': {'priorities': [3]}, 'trust': 'pcp', 'vlan': {'egress': {'v': {'2': 3}}}}",
	  "vlan-egress-lossless-sockets" },
	{ "an APP entry that puts RoCE v2 on a lossless priority is well",
	  "{'pfc': {'priorities': [3]}, 'app': {'entries': [{'selector': 'udp', 'protocol': 4791,"
	  " 'priority': 3}]}}",
	  "" },
	{ "an APP entry that puts RoCE v2 on a lossy priority is wrong",
	  "{'pfc': {'priorities': [3]}, 'app': {'entries': [{'selector': 'udp', 'protocol': 4791,"
	  " 'priority': 4}]}}",
	  "app-roce-not-lossless" },
	{ "an APP entry that puts RoCE v1 on a lossy priority is wrong",
	  "{'pfc': {'priorities': [3]}, 'app': {'entries': [{'selector': 'ethertype',"
	  " 'protocol': 35093, 'priority': 0}]}}",
	  "app-roce-not-lossless" },
	{ "an APP entry of another UDP port may be lossy",
	  "{'pfc': {'priorities': [3]}, 'app': {'entries': [{'selector': 'udp', 'protocol': 53,"
	  " 'priority': 4}]}}",
	  "" },
	{ "an APP entry of another ethertype may be lossy",
	  "{'pfc': {'priorities': [3]}, 'app': {'entries': [{'selector': 'ethertype',"
	  " 'protocol': 35078, 'priority': 4}]}}",
	  "" },
	{ "an APP entry puts RoCE anywhere where nothing is lossless",
	  "{'pfc': {'priorities': []}, 'app': {'entries': [{'selector': 'udp', 'protocol': 4791,"
	  " 'priority': 4}]}}",
	  "" },
	{ "an APP entry of something else may be lossy",
	  "{'pfc': {'priorities': [3]}, 'app': {'entries': [{'selector': 'tcp', 'protocol': 4791,"
	  " 'priority': 4}]}}",
	  "" },
};

#endif
