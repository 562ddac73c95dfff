/* Tests of a port's VFs and SFs, on a host whose sysfs is a table. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/host/pci_functions.h"
#include "tests/support/unit.h"

#define PF	  "/sys/bus/pci/devices/0000:3b:00.0/"
#define FILES_MAX 6

static const struct port port = { .id = { .name = "ens1f0np0", .pci = "0000:3b:00.0" },
				  .ifindex = 2 };

/* The files of a host, up to one without a path. */
struct sysfs {
	const char *path, *text;
};

static const struct sysfs *files;
static int listing_fails; /* with this code */

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	(void)h;
	for (const struct sysfs *f = files; f->path; f++)
		if (strcmp(f->path, path) == 0) {
			snprintf(buf, size, "%s", f->text);
			return true;
		}
	return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
}

/* The files of a directory stand together in the table. */
static bool list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		     void *arg, struct err *err)
{
	size_t len = strlen(path);
	char last[ID_MAX] = "";

	(void)h;
	if (listing_fails)
		return err_set(err, host_err_kind(listing_fails), listing_fails, "no");
	for (const struct sysfs *f = files; f->path; f++) {
		char name[ID_MAX];

		if (strncmp(f->path, path, len) != 0 || f->path[len] != '/')
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(f->path + len + 1, "/"),
			 f->path + len + 1);
		if (strcmp(name, last) != 0)
			each(name, arg);
		snprintf(last, sizeof(last), "%s", name);
	}
	return last[0] || err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
}

static struct host host = { .read_file = read_file, .list_dir = list_dir };

static const struct belongs_row {
	const char *sentence;
	struct sysfs files[FILES_MAX];
	bool belongs;
} belongs_rows[] = {
	{ "a VF names its PF",
	  { { "/sys/class/net/eth7/device/physfn/uevent",
	      "DRIVER=mlx5_core\nPCI_SLOT_NAME=0000:3b:00.0\nMODALIAS=x" } },
	  true },
	{ "one of another PF does not belong to the port",
	  { { "/sys/class/net/eth7/device/physfn/uevent", "PCI_SLOT_NAME=0000:3b:00.1\n" } },
	  false },
	{ "the domain of an address counts",
	  { { "/sys/class/net/eth7/device/physfn/uevent", "PCI_SLOT_NAME=10000:3b:00.0\n" } },
	  false },
	{ "the device of an SF is below the PF",
	  { { "/sys/class/net/eth7/device/../uevent", "PCI_SLOT_NAME=0000:3b:00.0\n" } },
	  true },
	{ "a bridge above another function is not the port",
	  { { "/sys/class/net/eth7/device/../uevent", "PCI_SLOT_NAME=0000:3a:00.0\n" } },
	  false },
	{ "a device that is no function has neither", { { NULL, NULL } }, false },
};

static void functions_belong_to_their_port(void **s)
{
	const struct belongs_row *row = *s;
	struct link links[] = { { .ifindex = 2, .name = "ens1f0np0" },
				{ .ifindex = 7, .name = "eth7" },
				{ .ifindex = 8, .name = "eth7", .lower = 9 } };
	struct link_list list = { .links = links, .count = 3 };

	files = row->files;
	assert_int_equal(function_has(&host, &port, "net", "eth7"), row->belongs);
	links_under_functions(&host, &port, &list);
	assert_int_equal(links[0].lower, 0);
	assert_int_equal(links[1].lower, row->belongs ? 2 : 0);
	assert_int_equal(links[2].lower, 9);
}

#define VF(n, driver) \
	{ \
		PF "virtfn" n "/uevent", driver "PCI_SLOT_NAME=0000:3b:00." n "\n" \
	}

static const struct elsewhere_row {
	const char *sentence;
	struct sysfs files[FILES_MAX];
	unsigned count;
	const char *first, *driver;
} elsewhere_rows[] = {
	{ "a port without functions has none elsewhere",
	  { { PF "net/ens1f0np0", "" } },
	  0,
	  "",
	  "" },
	{ "a VF with an interface here is not elsewhere",
	  { VF("2", "DRIVER=mlx5_core\n"), { PF "virtfn2/net/eth7", "" } },
	  0,
	  "",
	  "" },
	{ "one without is in another network namespace",
	  { VF("2", "DRIVER=mlx5_core\n") },
	  1,
	  "0000:3b:00.2",
	  "mlx5_core" },
	{ "a virtual machine has one",
	  { VF("2", "DRIVER=vfio-pci\n"),
	    { PF "virtfn2/power/runtime_status", "active" },
	    VF("4", "DRIVER=vfio-pci\n") },
	  2,
	  "0000:3b:00.2",
	  "vfio-pci" },
	{ "a VF without a driver carries nothing", { VF("2", "") }, 0, "", "" },
	{ "nor one that no virtual machine has open",
	  { VF("2", "DRIVER=vfio-pci\n"), { PF "virtfn2/power/runtime_status", "suspended" } },
	  0,
	  "",
	  "" },
	{ "an SF has no PCI address",
	  { { PF "mlx5_core.sf.4/uevent", "DRIVER=mlx5_core.sf\nMODALIAS=x" },
	    { PF "mlx5_core.eth.0/uevent", "DRIVER=mlx5_core.eth\n" } },
	  1,
	  "mlx5_core.sf.4",
	  "mlx5_core.sf" },
};

static void functions_that_others_have_are_counted(void **s)
{
	const struct elsewhere_row *row = *s;
	struct functions_elsewhere f;
	struct err err = { 0 };

	files = row->files;
	assert_true(functions_elsewhere(&host, &port, &f, &err));
	assert_int_equal(f.count, row->count);
	assert_string_equal(f.first, row->first);
	assert_string_equal(f.driver, row->driver);
}

static void functions_that_cannot_be_listed_are_an_error(void **s)
{
	static const struct sysfs none = { NULL, NULL };
	const struct port virtual = { .id.name = "eth0" };
	struct functions_elsewhere f;
	struct err err = { 0 };

	(void)s;
	files = &none;
	assert_true(functions_elsewhere(&host, &port, &f, &err));
	listing_fails = EIO;
	assert_false(functions_elsewhere(&host, &port, &f, &err));
	assert_int_equal(err.code, EIO);
	assert_true(functions_elsewhere(&host, &virtual, &f, &err));
	assert_int_equal(f.count, 0);
	listing_fails = 0;
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, belongs_rows, functions_belong_to_their_port);
	SUITE_ADD_ROWS(&s, elsewhere_rows, functions_that_others_have_are_counted);
	SUITE_ADD(&s, functions_that_cannot_be_listed_are_an_error);
	return suite_run(&s, "agent/host/pci_functions");
}
