/* Tests of finding devlink rate objects that divide bandwidth by traffic class. */
#include <errno.h>

#include "roce/devlink.h"
#include "tests/support/rdma_kernel.h"
#include "tests/support/unit.h"

#define PCI   "0000:c1:00.0"
#define OTHER "0000:c1:00.1"

static const struct row {
	const char *sentence;
	int code;
	struct rate_object rates[4];
	const char *found; /* NULL: none */
} rows[] = {
	{ "a function without rate objects has none", 0, { { 0 } }, NULL },
	{ "an object of a kernel before 6.17 has no shares",
	  0,
	  { { PCI, "group1", false, { 0 } } },
	  NULL },
	{ "shares of 0 are those that nobody set", 0, { { PCI, "group1", true, { 0, 0 } } }, NULL },
	{ "a group with shares", 0, { { PCI, "group1", true, { 0, 20 } } }, "pci/" PCI "/group1" },
	{ "a port with shares", 0, { { PCI, NULL, true, { 100, 0 } } }, "pci/" PCI "/7" },
	{ "the first of several is named",
	  0,
	  { { PCI, "a", true, { 0, 0 } },
	    { PCI, "b", true, { 1, 0 } },
	    { PCI, "c", true, { 1, 0 } } },
	  "pci/" PCI "/b" },
	{ "an object of another function is not its own",
	  0,
	  { { OTHER, "group1", true, { 1, 1 } } },
	  NULL },
	{ "a kernel without devlink has none",
	  ENOENT,
	  { { PCI, "group1", true, { 1, 1 } } },
	  NULL },
};

static void it_is_found_so(void **s)
{
	const struct row *row = *s;
	struct rdma_kernel k = rdma_kernel();
	char name[RATE_OBJECT_MAX];

	k.rates = row->rates;
	k.devlink_code = row->code;
	assert_int_equal(devlink_find_tc_bw(&k.host, PCI, name), row->found != NULL);
	assert_string_equal(name, row->found ? row->found : "");
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, it_is_found_so);
	return suite_run(&s, "devlink");
}
