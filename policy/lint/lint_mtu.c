#include <stdio.h>

#include "../util/fix_text.h"
#include "lint_list.h"

/* 4096 bytes and their headers: IP, UDP, BTH, RETH or AETH, ICRC. */
#define MTU_OF_RDMA_4096 4200

static bool mtu_fits_rdma(const struct config *c)
{
	return !c->pfc.priorities || c->mtu >= MTU_OF_RDMA_4096;
}

static bool upper_mtu_is_not_smaller(const struct config *c, const struct capabilities *f)
{
	return !f->upper_mtu || f->upper_mtu >= c->mtu;
}

static void describe_upper_mtu(const struct config *c, const struct capabilities *f,
			       char text[LINT_TEXT_MAX])
{
	char name[SHELL_NAME_MAX];

	snprintf(text, LINT_TEXT_MAX,
		 "%s above the port has an MTU of %u, and the port has %u: run `ip link set dev %s "
		 "mtu %u`",
		 f->upper, f->upper_mtu, c->mtu, shell_word(f->upper, name, sizeof(name)), c->mtu);
}

static bool upper_mtu_is_not_larger(const struct config *c, const struct capabilities *f)
{
	return f->largest_upper_mtu <= c->mtu;
}

static void describe_largest_upper(const struct config *c, const struct capabilities *f,
				   char text[LINT_TEXT_MAX])
{
	snprintf(text, LINT_TEXT_MAX,
		 "%s above the port has an MTU of %u, and the port has %u: its larger packets are "
		 "lost, or the kernel lowers it along with the port for good",
		 f->largest_upper, f->largest_upper_mtu, c->mtu);
}

/* clang-format off: one block per lint, aligned by hand */
const struct lint lints_mtu[] = {
	{ "mtu-too-small-for-rdma", SEVERITY_INFO,
	  SETTING(SETTING_MTU) | SETTING(SETTING_PFC_PRIORITIES),
	  "the MTU is too small for RDMA packets of 4096 bytes",
	  "set mtu to 4200 or more, or to 9000 if the fabric supports it",
	  "RDMA then uses packets of 2048 or 1024 bytes, and sends two to four times as many.",
	  .passes = mtu_fits_rdma },
	{ "upper-mtu-too-small", SEVERITY_WARNING, SETTING(SETTING_MTU),
	  "a bond or VLAN device above the port has a smaller MTU than the port",
	  "raise the MTU of the device above the port: of a bond first, then of its VLAN devices",
	  "RoCE uses the MTU of the interface whose GID it uses: RDMA packets through that device "
	  "stay small.",
	  .passes_on = upper_mtu_is_not_smaller, .describe = describe_upper_mtu },
	{ "upper-mtu-too-large", SEVERITY_CRITICAL, SETTING(SETTING_MTU),
	  "a device above the port has a larger MTU than the port",
	  "set mtu to that of the device above the port, or lower that device first (ip link "
	  "set), those above a bond before the bond",
	  "The kernel lowers VLAN and macvlan devices along with their port, and no rollback knows "
	  "of it. A bond keeps its MTU, and loses what is larger than its port's. Devices in other "
	  "network namespaces, as in containers, are lowered, too, and are not seen.",
	  .passes_on = upper_mtu_is_not_larger, .describe = describe_largest_upper },
	{ .name = NULL }
};
/* clang-format on */
