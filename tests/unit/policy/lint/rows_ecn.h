/* Configs that break or pass the lints of policy/lint/lint_ecn.c. */
#ifndef LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_ECN_H
#define LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_ECN_H

#include "policy/model/congestion_control.h"
#include "tests/support/lint_rows.h"

static const struct lint_row ecn_rows[] = {
	{ "PFC with ECN is well",
	  "{'pfc': {'priorities': [3]}, 'ecn': {'np': true, 'rp_priorities': [3]}}", "" },
	{ "PFC with DCQCN off is advised against, and no more",
	  "{'pfc': {'priorities': [3]}, 'ecn': {'np': false, 'rp_priorities': []}}",
	  "pfc-without-ecn" },
	{ "ECN without PFC is advised against, and no more",
	  "{'pfc': {'priorities': []}, 'ecn': {'np': true, 'rp_priorities': [3]}}",
	  "ecn-without-pfc" },
	{ "neither PFC nor ECN is well",
	  "{'pfc': {'priorities': []}, 'ecn': {'np': false, 'rp_priorities': []}}", "" },
	{ "ECN that leaves out a lossless priority is wrong",
	  "{'pfc': {'priorities': [3,4]}, 'ecn': {'rp_priorities': [3]}}",
	  "lossless-without-ecn-rp" },
	{ "ECN may have more priorities than PFC",
	  "{'pfc': {'priorities': [3]}, 'ecn': {'rp_priorities': [0,3]}}", "" },
	{ "CNPs without a reaction point are wrong", "{'ecn': {'np': true, 'rp_priorities': []}}",
	  "ecn-np-rp-mismatch" },
	{ "CNPs without a notification point are wrong",
	  "{'ecn': {'np': false, 'rp_priorities': [3]}}", "ecn-np-rp-mismatch" },
	{ "CNPs on a lossy priority are well",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'48': 6}}, 'cnp': {'dscp': 48, "
	  "'priority': 6}}",
	  "" },
	{ "CNPs with a lossless priority are wrong",
	  "{'pfc': {'priorities': [3]}, 'cnp': {'priority': 3}}", "cnp-on-lossless-priority" },
	{ "CNPs with a DSCP of a lossless priority are wrong",
	  "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'48': 3}}, 'cnp': {'dscp': 48}}",
	  "cnp-on-lossless-priority" },
	{ "CNPs with a DSCP of which the priority is unknown are not judged",
	  "{'pfc': {'priorities': [0]}, 'cnp': {'dscp': 48}}", "" },
	{ "CNPs with a DSCP of another priority are wrong",
	  "{'dscp': {'prio': {'48': 5}}, 'cnp': {'dscp': 48, 'priority': 6}}",
	  "cnp-dscp-priority-mismatch" },
	{ "CNPs with a DSCP that has no entry are wrong",
	  "{'dscp': {'prio': {'26': 3}, 'rest': 'none'}, 'cnp': {'dscp': 48, 'priority': 6}}",
	  "cnp-dscp-priority-mismatch" },
	{ "CNPs with a DSCP that is kept are not judged",
	  "{'dscp': {'prio': {'26': 3}, 'rest': 'keep'}, 'cnp': {'dscp': 48, 'priority': 6}}", "" },
	{ "with trust pcp CNPs need no DSCP",
	  "{'trust': 'pcp', 'cnp': {'dscp': 48, 'priority': 6}}", "" },
	{ "CNPs with a priority in mode 0 take it", "{'cnp': {'priority': 6, 'priority_mode': 0}}",
	  "" },
	{ "CNPs with priority 0 in mode 1 lose none",
	  "{'cnp': {'priority': 0, 'priority_mode': 1}}", "" },
	{ "CNPs with a priority in mode 1 do not take it",
	  "{'cnp': {'priority': 6, 'priority_mode': 1}}", "cnp-priority-unused" },
	{ "CNPs every 300 us come in time", "{'cnp': {'min_interval_us': 300}}", "" },
	{ "CNPs every 301 us come too late", "{'cnp': {'min_interval_us': 301}}",
	  "cnp-interval-too-long" },
	{ "for a sender that waits longer they come in time",
	  "{'cnp': {'min_interval_us': 301}, 'dcqcn': {'rpg_time_reset_us': 400}}", "" },
	{ "for a sender that waits less they come too late",
	  "{'cnp': {'min_interval_us': 4}, 'dcqcn': {'rpg_time_reset_us': 3}}",
	  "cnp-interval-too-long" },
	{ "DCQCN at its documented bounds is well",
	  "{'dcqcn': {'rpg_threshold': 31, 'rpg_ai_rate_mbps': 1, 'rpg_byte_reset': 0}}", "" },
	{ "DCQCN above a documented bound is wrong", "{'dcqcn': {'rpg_threshold': 32}}",
	  "dcqcn-outside-documented-range" },
	{ "DCQCN below a documented bound is wrong", "{'dcqcn': {'rpg_ai_rate_mbps': 0}}",
	  "dcqcn-outside-documented-range" },
	{ "a CNP interval beyond its width is wrong",
	  "{'cnp': {'min_interval_us': 131072}, 'dcqcn': {'rpg_time_reset_us': 131072}}",
	  "dcqcn-outside-documented-range" },
	{ "TCP with ECN is well", "{'host': {'tcp_ecn': 2}}", "" },
	{ "TCP without ECN is advised against", "{'host': {'tcp_ecn': 0}}",
	  "host-tcp-ecn-disabled" },
};

#define DCQCN "{'dcqcn': {'rpg_gd': 11}}"

/* Another congestion control is intended only if the policy names it. */
static const struct lint_port_row ecn_ports[] = {
	{ { "a program that replaces DCQCN is named", DCQCN, "dcqcn-replaced" },
	  { .congestion_program = "doca_spcx_cc" } },
	{ { "a policy that says DCQCN is named as well", DCQCN, "dcqcn-replaced" },
	  { .congestion_program = "doca_pcc", .congestion_control = &congestion_controls[0] } },
	{ { "a policy that names another is well", DCQCN, "" },
	  { .congestion_program = "doca_pcc", .congestion_control = &congestion_controls[1] } },
	{ { "without a program DCQCN is well", DCQCN, "" }, { .congestion_program = "" } },
};

#endif
