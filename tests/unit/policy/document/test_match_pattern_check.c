/* Tests of checking patterns: those that no port can match are refused, others are accepted. */
#include <string.h>

#include "policy/document/match.h"
#include "tests/support/unit.h"

static const struct check_row {
	const char *key, *pattern, *found; /* NULL: accepted */
} rows[] = {
	{ "name", "ens1f0np0", NULL },
	{ "name", "ens[12]f0np0", NULL },
	{ "name", "ens[!12]*", NULL },
	{ "name", "[]a]", NULL },
	{ "name", "bond0.100", NULL },
	{ "name", "ens-1_a", NULL },
	{ "name", "a[+]*", NULL },
	{ "name", "ens1[.]*", NULL },
	{ "name", "enp123s0f0np0vf", NULL },
	{ "name", "enp123s0f0np0vf*", NULL },
	{ "name", "rail-0-of-the-compute-fabric", NULL }, /* an alternative name */
	{ "name", "a,b", "a comma" },
	{ "name", "ens[12f0np0", "[ without ]" },
	{ "name", "ens[]", "[ without ]" },
	{ "name", "/ens.*/", "a regular expression" },
	{ "name", "^ens1$", "a regular expression" },
	{ "name", "ens1|ens2", "a regular expression" },
	{ "name", "ens{1,2}", "braces" },
	{ "name", "ens/1", "a slash, colon or blank" },
	{ "name", "ens 1", "a slash, colon or blank" },
	{ "pci", "0000:3b:00.*", NULL },
	{ "pci", "0000:3b:00.0,0000:3b:00.1", "a comma" },
	{ "pci", "0000:3b:00", "a PCI address without a function" },
	{ "pci", "3b:00", "a PCI address without a function" },
	{ "driver", "mlx5", "\"mlx5\"" },
	{ "driver", "mlx5_*", NULL },
	{ "driver", "mlx5_core|ice", "a regular expression" },
	{ "rdma", "mlx5_[01]", NULL },
	{ "mac", "02:00:00:00:00:01", NULL },
	{ "mac", "02:00:*", NULL },
	{ "mac", "*:0[1-3]", NULL },
	{ "mac", "02-00-00-00-00-01", "dashes" },
	{ "mac", "0200.0000.0001", "no MAC address" },
	{ "mac", "02:00:00", "no MAC address" },
	{ "mac", "0g:*", "no MAC address" },
	{ "firmware", "28.*", NULL },
	{ "firmware", "28.39.1002", NULL },
	{ "firmware", ">=28.39", NULL },
	{ "firmware", "4.30 0x8001af28 1.3429.0", NULL },
	{ "firmware", "28.39+", "a version with +" },
	{ "firmware", "28.x", "x for a number" },
	{ "firmware", "=28.39", "an operator other than" },
	{ "firmware", "28.[34", "[ without ]" },
};

static void is_refused_or_not(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct check_row *row = &rows[i];
		struct err err = { 0 };
		bool ok = pattern_can_match(row->key, row->pattern, NULL, &err);

		if (ok != !row->found || (row->found && !strstr(err.text, row->found)))
			fail_msg("%s %s says: %s", row->key, row->pattern, err.text);
		assert_true(ok || (err.kind == ERR_POLICY && err.fix[0]));
	}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, is_refused_or_not);
	return suite_run(&s, "pattern_check");
}
