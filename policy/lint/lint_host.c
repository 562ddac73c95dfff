#include <stdio.h>

#include "lint_list.h"

static bool kernel_is_not_slow(const struct config *c, const struct capabilities *f)
{
	(void)c;
	return !f->slow_kernel[0];
}

static void describe_kernel(const struct config *c, const struct capabilities *f,
			    char text[LINT_TEXT_MAX])
{
	(void)c;
	snprintf(text, LINT_TEXT_MAX,
		 "Linux %s has two changes of Xon and Xoff in mlx5 that slow most traffic to a "
		 "trickle",
		 f->slow_kernel);
}

static bool no_other_writes(const struct config *c, const struct capabilities *f)
{
	(void)c;
	return !f->other_writer[0];
}

static void describe_writer(const struct config *c, const struct capabilities *f,
			    char text[LINT_TEXT_MAX])
{
	(void)c;
	snprintf(text, LINT_TEXT_MAX, "%s", f->other_writer);
}

/* clang-format off: one block per lint, aligned by hand */
const struct lint lints_host[] = {
	{ "mlx5-xoff-regression", SEVERITY_WARNING, 0,
	  "the kernel's mlx5 driver slows most traffic to a trickle",
	  "upgrade the kernel to 6.1.156, 6.12.53 or newer, which have both changes reverted, then "
	  "power-cycle the adapter (host off, standby power as well): a reboot keeps the buffer "
	  "pools that the driver wrote",
	  "6.1.150 to 6.1.155 and 6.12.45 to 6.12.52 set Xon and Xoff at each change of MTU and "
	  "speed; the slow traffic was reported on ConnectX-7. 6.6 and 6.16 had both too, in "
	  "releases that are not proven. Only kernels that kernel.org or Debian numbers are "
	  "judged, and MLNX_OFED's driver is not affected.",
	  .passes_on = kernel_is_not_slow, .of_host = true, .describe = describe_kernel },
	{ "other-writer", SEVERITY_WARNING, 0,
	  "another program that runs on this host writes settings of the policy",
	  "stop that program, or remove these settings from the policy",
	  "The last writer wins: a setting that is in sync now may change at any time.",
	  .passes_on = no_other_writes, .of_host = true, .describe = describe_writer },
	{ .name = NULL }
};
/* clang-format on */
