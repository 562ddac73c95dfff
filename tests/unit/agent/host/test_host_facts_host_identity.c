/* Tests of a host's identity in reports, derived from a machine id that it must not disclose. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/host/host_facts.h"
#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

static char root[] = "/tmp/losslessctl-test-XXXXXX";
static struct host_linux outside;
static struct host *const h = &outside.host;

static int make_root(void **s)
{
	struct err err = { 0 };

	(void)s;
	return !mkdtemp(root) || !host_linux_open(&outside, root, true, &err) ||
	       mkdirat(h->root, "etc", 0755);
}

static int remove_root(void **s)
{
	(void)s;
	unlinkat(h->root, "etc/machine-id", 0);
	unlinkat(h->root, "etc", AT_REMOVEDIR);
	host_linux_close(&outside);
	return rmdir(root);
}

static void identify(const char *machine_id, struct host_identity *ret)
{
	struct err err = { 0 };

	assert_true(host_save_file(h, "/etc/machine-id", machine_id, &err));
	host_identify(h, ret);
}

/* Python's hmac module gives the expected id, with the bits of a UUID of version 4. */
static void the_host_id_is_derived_from_the_machine_id(void **s)
{
	struct host_identity id;

	(void)s;
	identify("0123456789abcdef0123456789abcdef\n", &id);
	assert_string_equal(id.host_id, "aa7349c328024582b110ae066a2ad497");
}

static void only_a_whole_machine_id_makes_a_host_id(void **s)
{
	static const char *const bad[] = { "", "uninitialized\n",
					   "0123456789abcdef0123456789abcde\n",
					   "0123456789abcdef0123456789abcdef0\n",
					   "0123456789ABCDEF0123456789ABCDEF\n" };
	struct host_identity id;

	(void)s;
	for (size_t i = 0; i < COUNT(bad); i++) {
		identify(bad[i], &id);
		assert_string_equal(id.host_id, "");
	}
}

static void the_name_is_the_kernels_and_a_missing_boot_id_is_empty(void **s)
{
	struct host_identity id;
	char name[HOST_NAME_SIZE];

	(void)s;
	assert_int_equal(gethostname(name, sizeof(name)), 0);
	host_identify(h, &id);
	assert_string_equal(id.name, name);
	assert_string_equal(id.boot_id, "");
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, the_host_id_is_derived_from_the_machine_id);
	SUITE_ADD(&s, only_a_whole_machine_id_makes_a_host_id);
	SUITE_ADD(&s, the_name_is_the_kernels_and_a_missing_boot_id_is_empty);
	return _cmocka_run_group_tests("host_identity", s.tests, s.count, make_root, remove_root);
}
