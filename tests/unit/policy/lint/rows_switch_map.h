/* Configs that break or pass the lints of policy/lint/lint_switch_map.c. */
#ifndef LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_SWITCH_MAP_H
#define LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_SWITCH_MAP_H

#include "policy/model/switch_map.h"
#include "tests/support/lint_rows.h"

#define MARKED \
	"{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 3}}, 'trust': 'dscp'," \
	" 'roce': {'tos': 106}"

#define STORM(ms) "{'pfc': {'priorities': [3], 'storm_timeout_ms': " ms "}}"

enum { CUMULUS, ONYX, SONIC, NXOS }; /* in switch_maps[] */

static const struct lint_port_row switch_map_ports[] = {
	{ { "DSCP 26 on a switch that keeps it lossless is well", MARKED "}", "" },
	  { .switch_map = &switch_maps[CUMULUS] } },
	{ { "DSCP 26 on a switch that drops it is wrong", MARKED "}", "fabric-roce-not-lossless" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "DSCP 3 on a switch that keeps it lossless is well",
	    "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'3': 3}}, 'roce': {'tos': 14}}", "" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "a traffic class that the switch drops is wrong",
	    "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 3}}, 'roce': {'traffic_class': "
	    "106}}",
	    "fabric-roce-not-lossless" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "no traffic class is nowhere dropped",
	    "{'pfc': {'priorities': [3]}, 'roce': {'traffic_class': 'unset'}}", "" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "what the host has lossy already is not said twice",
	    "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'26': 1}}, 'roce': {'tos': 106}}",
	    "roce-tos-not-lossless" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "lossy RoCE may be lossy there",
	    "{'pfc': {'priorities': []}, 'dscp': {'prio': {'26': 3}}, 'roce': {'tos': 106}}", "" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "an undocumented DSCP is not judged",
	    "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'30': 3}}, 'roce': {'tos': 122}}", "" },
	  { .switch_map = &switch_maps[ONYX] } },
	{ { "a priority that the switch does not pause is wrong", "{'pfc': {'priorities': [5]}}",
	    "fabric-pfc-mismatch" },
	  { .switch_map = &switch_maps[CUMULUS] } },
	{ { "one of the priorities that the switch pauses is well", "{'pfc': {'priorities': [4]}}",
	    "" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "a DSCP that the switch pauses as another priority is wrong",
	    "{'pfc': {'priorities': [3]}, 'dscp': {'prio': {'3': 3, '4': 3}}}",
	    "fabric-pfc-mismatch" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "a switch that goes by PCP takes the priority for the mark",
	    "{'pfc': {'priorities': [5]}}", "fabric-roce-not-lossless" },
	  { .switch_map = &switch_maps[NXOS] } },
	{ { "a lossless PCP is well", "{'pfc': {'priorities': [3]}}", "" },
	  { .switch_map = &switch_maps[NXOS] } },
	{ { "trust dscp before a switch that goes by PCP is wrong", "{'trust': 'dscp'}",
	    "fabric-trust-mismatch" },
	  { .switch_map = &switch_maps[NXOS] } },
	{ { "trust pcp before a switch that goes by PCP is well", "{'trust': 'pcp'}", "" },
	  { .switch_map = &switch_maps[NXOS] } },
	{ { "trust pcp before a switch that goes by DSCP is wrong", "{'trust': 'pcp'}",
	    "fabric-trust-mismatch" },
	  { .switch_map = &switch_maps[ONYX] } },
	{ { "CNPs in their own class of the switch are well", "{'cnp': {'dscp': 48}}", "" },
	  { .switch_map = &switch_maps[CUMULUS] } },
	{ { "CNPs in another class of the switch are wrong", "{'cnp': {'dscp': 4}}",
	    "fabric-cnp-wrong-tc" },
	  { .switch_map = &switch_maps[CUMULUS] } },
	{ { "CNPs in a lossless class of the switch are wrong", "{'cnp': {'dscp': 4}}",
	    "fabric-cnp-wrong-tc" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "CNPs in any lossy class are well where none is theirs", "{'cnp': {'dscp': 26}}", "" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "CNPs with a lossless PCP are wrong", "{'cnp': {'priority': 3}}",
	    "fabric-cnp-wrong-tc" },
	  { .switch_map = &switch_maps[NXOS] } },
	{ { "CNPs with a lossy PCP are well", "{'cnp': {'priority': 6}}", "" },
	  { .switch_map = &switch_maps[NXOS] } },
	{ { "a host that drops after the switch is advised", STORM("8000"),
	    "storm-timeout-outlasts-switch" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "a host that drops before the switch is well", STORM("'auto'"), "" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "one that drops at the same time is well", STORM("300"), "" },
	  { .switch_map = &switch_maps[CUMULUS] } },
	{ { "one that drops a millisecond later is advised", STORM("301"),
	    "storm-timeout-outlasts-switch" },
	  { .switch_map = &switch_maps[CUMULUS] } },
	{ { "a watchdog of unknown time is not judged", STORM("8000"), "" },
	  { .switch_map = &switch_maps[ONYX] } },
	{ { "without PFC there is no storm",
	    "{'pfc': {'priorities': [], 'storm_timeout_ms': 8000}}", "" },
	  { .switch_map = &switch_maps[SONIC] } },
	{ { "without a fabric there is no watchdog", STORM("8000"), "" }, { .switch_map = NULL } },
};

#endif
