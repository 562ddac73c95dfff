/* Tests of recognising kernels whose mlx5 driver is known to be slow, by their version. */
#include "agent/host/host_facts.h"
#include "tests/support/unit.h"

#define PLAIN  "#1 SMP PREEMPT_DYNAMIC Mon Oct  6 12:00:00 UTC 2025"
#define UBUNTU "#45-Ubuntu SMP PREEMPT_DYNAMIC Fri Aug 30 12:02:04 UTC 2024"

static const struct row {
	const char *sentence, *release, *version;
	bool slow;
} rows[] = {
	{ "the first of 6.12", "6.12.45", PLAIN, true },
	{ "the one before", "6.12.44", PLAIN, false },
	{ "with one of the two reverted it is slow", "6.12.50", PLAIN, true },
	{ "the last of 6.12", "6.12.52", PLAIN, true },
	{ "both are reverted", "6.12.53", PLAIN, false },
	{ "the first of 6.1", "6.1.150", PLAIN, true },
	{ "the one before it", "6.1.149", PLAIN, false },
	{ "the last of 6.1", "6.1.155", PLAIN, true },
	{ "both are reverted in 6.1", "6.1.156", PLAIN, false },
	{ "6.6 is not proven", "6.6.104", PLAIN, false },
	{ "6.16 is not proven", "6.16.5", PLAIN, false },
	{ "the number of another branch", "6.13.48", PLAIN, false },
	{ "Debian 13 has the number in its release", "6.12.48+deb13-amd64", "#1 SMP", true },
	{ "a fixed Debian 13", "6.12.57+deb13-amd64",
	  "#1 SMP PREEMPT_DYNAMIC Debian 6.12.57-1 (2025-11-05)", false },
	{ "Debian 12 has it in its version", "6.1.0-40-amd64",
	  "#1 SMP PREEMPT_DYNAMIC Debian 6.1.153-1 (2025-09-20)", true },
	{ "a fixed Debian 12", "6.1.0-41-amd64",
	  "#1 SMP PREEMPT_DYNAMIC Debian 6.1.158-1 (2025-11-09)", false },
	{ "a backport of Debian's", "6.12.48+deb13-amd64",
	  "#1 SMP PREEMPT_DYNAMIC Debian 6.12.48-1~bpo12+1 (2025-09-20)", true },
	{ "Debian's version goes first", "6.12.48+deb13-amd64",
	  "#1 SMP PREEMPT_DYNAMIC Debian 6.12.57-1 (2025-11-05)", false },
	{ "Debian's number alone is no kernel of Debian's", "6.12.48", "#1 SMP Debian 6.12.48",
	  false },
	{ "Ubuntu numbers its kernels itself", "6.12.0-45-generic", UBUNTU, false },
	{ "and so does Red Hat", "6.12.0-55.41.1.el10_0.x86_64", PLAIN, false },
	{ "others add to the number", "6.12.48-1-lts", PLAIN, false },
	{ "a release candidate has no third number", "6.12-rc4", PLAIN, false },
	{ "a name is no number", "linux", PLAIN, false },
	{ "nothing is known", "", "", false },
};

static void that_is_how_it_is_judged(void **state)
{
	const struct row *row = *state;

	assert_int_equal(kernel_slows_mlx5(row->release, row->version), row->slow);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, that_is_how_it_is_judged);
	return suite_run(&s, "kernel_fault");
}
