/* Tests of the lints of the PCP that a VLAN device sends. */
#include "tests/support/lint_rows.h"
#include "tests/support/unit.h"
#include "tests/unit/policy/lint/rows_vlan.h"

static const struct lint_text_row texts[] = {
	{ "the ToS, the device, the PCP and the kernel's priority are named",
	  TRUSTS_PCP("106", "'v100': {'3': 3}"),
	  LOSSY,
	  "rdma_cm sends ToS 106 through v100 with PCP 0, which is not lossless: the kernel gives "
	  "this ToS the priority 2",
	  { 0 } },
	{ "the class that mqprio gives is named",
	  TRUSTS_PCP("106", "'v100': {'2': 3}"),
	  "mqprio-not-lossless",
	  "rdma_cm sends ToS 106 through v100 with PCP 5, which is not lossless: mqprio gives its "
	  "priority 2 the class 5",
	  { .mqprio = { true, { 0, 1, 5, 3, 4, 2, 6, 7 } } } },
	{ "the VF, its VLAN and its PCP are named",
	  TRUSTS_PCP("106", "'v100': {'2': 3}"),
	  "vf-vlan-not-lossless",
	  "the port puts VF 2 into VLAN 3000 with qos 0: all its packets have that PCP, which is "
	  "not "
	  "lossless",
	  { .vf_vlans = { [0] = { 2, 3000 } } } },
	{ "a map that no ToS reaches is explained",
	  "{'pfc': {'priorities': [3]}, 'trust': 'pcp', 'vlan': {'egress': {'v': {'3': 3}}}}",
	  "vlan-egress-without-tos",
	  "rdma_cm sends no ToS through v with a lossless PCP: the kernel gives each ToS the "
	  "priority 0, 2, 4 or 6",
	  { 0 } },
	{ "a ToS of 0 is named",
	  TRUSTS_PCP("0", "'v100': {'2': 3}"),
	  "vlan-egress-without-tos",
	  "roce.tos is 0, and rdma_cm sends that through v100 with PCP 0, which is not lossless",
	  { 0 } },
	{ "a ToS of sockets is named",
	  TRUSTS_PCP("106", "'v100': {'2': 3, '6': 6}"),
	  SHARED,
	  "TCP through v100 with ToS 8, 72 or 104 has PCP 3: it is in the lossless class",
	  { 0 } },
	{ "both marks are named",
	  TRUSTS_DSCP("106", "'v': {'3': 3}"),
	  "vlan-egress-other-than-dscp",
	  "rdma_cm sends ToS 106 through v with PCP 0, by which Microsoft's NX-OS policy for Azure "
	  "Local sorts, and its DSCP 26 has priority 3",
	  { .switch_map = &switch_maps[3] } },
	{ "a switch that trusts DSCP ignores the PCP",
	  TRUSTS_DSCP("106", "'v': {'3': 3}"),
	  "vlan-egress-other-than-dscp",
	  NULL,
	  { .switch_map = &switch_maps[0] } },
};

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, vlan_rows, lint_breaks_exactly);
	for (size_t i = 0; i < COUNT(vlan_ports); i++)
		suite_add(&s, vlan_ports[i].row.sentence, lint_port_breaks_exactly, &vlan_ports[i]);
	SUITE_ADD_ROWS(&s, texts, lint_says);
	return suite_run(&s, "lint_vlan");
}
