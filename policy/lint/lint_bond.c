#include <stdio.h>

#include "lint_list.h"

static bool bond_has_lag(const struct config *c, const struct capabilities *f)
{
	(void)c;
	return !f->no_lag[0];
}

static void describe_lag(const struct config *c, const struct capabilities *f,
			 char text[LINT_TEXT_MAX])
{
	(void)c;
	snprintf(text, LINT_TEXT_MAX, "%s", f->no_lag);
}

/* clang-format off: one block per lint, aligned by hand */
const struct lint lints_bond[] = {
	{ "bond-without-roce-lag", SEVERITY_WARNING, 0, "the port's bond has no RoCE LAG",
	  "bond the ports of one adapter only, in mode active-backup, balance-xor or 802.3ad",
	  "RoCE LAG exists within one adapter only. Without it each RDMA device uses its own port: "
	  "its traffic is not shared out, and ends with the link of that port.",
	  .passes_on = bond_has_lag,
	  .also_reads = SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_ROCE_MODE) |
			SETTING(SETTING_ROCE_TOS) | SETTING(SETTING_ROCE_TRAFFIC_CLASS),
	  .describe = describe_lag },
	{ .name = NULL }
};
/* clang-format on */
