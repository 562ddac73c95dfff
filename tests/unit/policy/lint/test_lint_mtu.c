/* Tests of the lints of the MTU. */
#include "tests/support/lint_rows.h"
#include "tests/support/unit.h"
#include "tests/unit/policy/lint/rows_mtu.h"

/* Messages for particular configs. */
static const struct lint_text_row texts[] = {
	{ "the device with the smaller MTU is named with its remedy",
	  "{'mtu': 9000}",
	  "upper-mtu-too-small",
	  "vlan5 above the port has an MTU of 1500, and the port has 9000: run `ip link set dev "
	  "vlan5 "
	  "mtu 9000`",
	  { .upper = "vlan5", .upper_mtu = 1500 } },
	{ "the device with the larger MTU is named",
	  "{'mtu': 1500}",
	  "upper-mtu-too-large",
	  "bond0 above the port has an MTU of 9000, and the port has 1500: its larger packets are "
	  "lost, or the kernel lowers it along with the port for good",
	  { .largest_upper = "bond0", .largest_upper_mtu = 9000 } },
};

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, mtu_rows, lint_breaks_exactly);
	for (size_t i = 0; i < COUNT(mtu_ports); i++)
		suite_add(&s, mtu_ports[i].row.sentence, lint_port_breaks_exactly, &mtu_ports[i]);
	SUITE_ADD_ROWS(&s, texts, lint_says);
	return suite_run(&s, "lint_mtu");
}
