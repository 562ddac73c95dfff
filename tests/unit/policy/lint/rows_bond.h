/* Ports that break or pass the lints of policy/lint/lint_bond.c. */
#ifndef LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_BOND_H
#define LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_BOND_H

#include "tests/support/lint_rows.h"

static const struct lint_port_row bond_ports[] = {
	{ { "a bond without a LAG does not protect RDMA", "{'pfc': {'priorities': [3]}}",
	    "bond-without-roce-lag" },
	  { .no_lag = "bond0 has no RoCE LAG" } },
};

#endif
