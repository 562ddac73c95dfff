/* Tests of judging ARP settings, and of the command that repairs them. */
#include <string.h>

#include "roce/ready/addresses.h"
#include "tests/support/unit.h"

/* A host whose settings are all 0. */
static bool read_zero(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	(void)h;
	(void)path;
	(void)err;
	snprintf(buf, size, "0");
	return true;
}

/* A command that is cut within a setting would not run. */
static void sysctls_end_with_a_whole_one(void **s)
{
	struct host h = { .root = -1, .read_file = read_zero };
	struct arp_fixes fixes = { 0 };
	struct err err = { 0 };
	char name[32];

	(void)s;
	for (int i = 0; i < 9; i++) {
		snprintf(name, sizeof(name), "ens1%df0np%d", i, i);
		assert_true(arp_judge(&h, name, false, &fixes, &err));
	}
	assert_int_equal(fixes.count, 18);
	assert_true(fixes.is_cut);
	assert_int_equal(strlen(strrchr(fixes.sysctls, '=')), strlen("=1"));
	assert_non_null(strstr(fixes.reason, "ens10f0np0"));
}

static void an_interface_with_two_addresses_is_named_once(void **s)
{
	struct host h = { .root = -1, .read_file = read_zero };
	struct arp_fixes fixes = { 0 };
	struct err err = { 0 };

	(void)s;
	assert_true(arp_judge(&h, "ens1f0np0", true, &fixes, &err));
	assert_true(arp_judge(&h, "ens1f0np0", true, &fixes, &err));
	assert_string_equal(fixes.sysctls, " net.ipv4.conf.ens1f0np0.arp_ignore=1");
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, sysctls_end_with_a_whole_one);
	SUITE_ADD(&s, an_interface_with_two_addresses_is_named_once);
	return suite_run(&s, "addresses_arp");
}
