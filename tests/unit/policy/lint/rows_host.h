/* Ports that break or pass the lints about the host. */
#ifndef LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_HOST_H
#define LOSSLESSCTL_TESTS_UNIT_POLICY_LINT_ROWS_HOST_H

#include "tests/support/lint_rows.h"

static const struct lint_port_row host_ports[] = {
	{ { "a kernel whose mlx5 driver is slow", "{'mtu': 9000}", "mlx5-xoff-regression" },
	  { .slow_kernel = "6.12.48+deb13-amd64" } },
	{ { "whatever the policy sets", "{'trust': 'pcp'}", "mlx5-xoff-regression" },
	  { .slow_kernel = "6.1.153" } },
	{ { "a program that writes the same settings", "{'mtu': 9000}", "other-writer" },
	  { .other_writer = "dmsd (pid 7) also writes mtu" } },
	{ { "another kernel, or driver", "{'mtu': 9000}", "" }, { .max_mtu = 9978 } },
};

#endif
