/* Configs that break or pass the lints of policy/lint/lint_mtu.c. */
#ifndef LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_MTU_H
#define LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_MTU_H

#include "tests/support/lint_rows.h"

static const struct lint_row mtu_rows[] = {
	{ "an MTU of 4200 fits RDMA packets of 4096", "{'mtu': 4200, 'pfc': {'priorities': [3]}}",
	  "" },
	{ "an MTU of 4199 does not fit them", "{'mtu': 4199, 'pfc': {'priorities': [3]}}",
	  "mtu-too-small-for-rdma" },
	{ "without lossless RDMA the MTU is not judged", "{'mtu': 1500, 'pfc': {'priorities': []}}",
	  "" },
};

static const struct lint_port_row mtu_ports[] = {
	{ { "a bond with the port's MTU is well", "{'mtu': 9000}", "" },
	  { .upper = "bond0", .upper_mtu = 9000 } },
	{ { "a VLAN device with a smaller MTU is warned of", "{'mtu': 9000}",
	    "upper-mtu-too-small" },
	  { .upper = "vlan5", .upper_mtu = 1500 } },
	{ { "a device with a larger MTU is an error", "{'mtu': 1500}", "upper-mtu-too-large" },
	  { .upper = "vlan5",
	    .upper_mtu = 1500,
	    .largest_upper = "macvlan1",
	    .largest_upper_mtu = 9000 } },
	{ { "a device with the port's MTU is not too large", "{'mtu': 9000}", "" },
	  { .largest_upper = "macvlan1", .largest_upper_mtu = 9000 } },
};

#endif
