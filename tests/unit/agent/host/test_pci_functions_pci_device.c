/* Tests of the kinds of adapters by their PCI ids. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/host/pci_functions.h"
#include "tests/support/unit.h"

static const struct kind_row {
	const char *sentence, *vendor, *device;
	bool is_known;
	struct pci_device kind; /* except for its id */
} rows[] = {
	{ "0x1013 is ConnectX-4", "0x15b3", "0x1013", true, { .is_connectx4 = true } },
	{ "0x1014 is its VF", "0x15b3", "0x1014", true, { .is_vf = true, .is_connectx4 = true } },
	{ "0x1015 is ConnectX-4 Lx", "0x15b3", "0x1015", true, { .is_connectx4 = true } },
	{ "0x1016 is its VF", "0x15b3", "0x1016", true, { .is_vf = true, .is_connectx4 = true } },
	{ "0x1018 is a VF of ConnectX-5", "0x15b3", "0x1018", true, { .is_vf = true } },
	{ "0xa2d6 is BlueField-2", "0x15b3", "0xa2d6", true, { .is_bluefield = true } },
	{ "0x1017, ConnectX-5, has no row", "0x15b3", "0x1017", false, { 0 } },
	{ "0x1019, ConnectX-5 Ex, has none", "0x15b3", "0x1019", false, { 0 } },
	{ "ids of other vendors say nothing", "0x8086", "0x1013", false, { 0 } },
};

static const struct kind_row *adapter;

static bool read_id(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	(void)h;
	(void)err;
	snprintf(buf, size, "%s", strstr(path, "/vendor") ? adapter->vendor : adapter->device);
	return true;
}

static void kind_is_that_of_the_id(void **s)
{
	const struct kind_row *row = *s;
	struct host h = { .read_file = read_id };
	const struct pci_device *d;

	adapter = row;
	d = pci_device_of(&h, "/sys/class/net/eth0/device");
	assert_int_equal(d != NULL, row->is_known);
	if (!d)
		return;
	assert_int_equal(d->is_vf, row->kind.is_vf);
	assert_int_equal(d->is_bluefield, row->kind.is_bluefield);
	assert_int_equal(d->is_connectx4, row->kind.is_connectx4);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, kind_is_that_of_the_id);
	return suite_run(&s, "agent/host/pci_device");
}
