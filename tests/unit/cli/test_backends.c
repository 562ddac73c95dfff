/* Tests of describing a port by its driver. */
#include <errno.h>
#include <linux/ethtool.h>

#include "cli/backends.h"
#include "tests/support/unit.h"

static const struct row {
	const char *sentence, *name, *driver, *bus;
	bool is_port;
	const char *pci;
} rows[] = {
	{ "a function of PCI has its address", "ens1f0np0", "mlx5_core", "0000:3b:00.0", true,
	  "0000:3b:00.0" },
	{ "a subfunction has none", "ens1f0npf0sf88", "mlx5_core", "mlx5_core.sf.4", true, "" },
	{ "software is no port", "veth0", "veth", "", false, "" },
	{ "nor is the switch's side of a function", "ens1f0npf0vf1", "mlx5_core", "", false, "" },
	{ "nor another driver's auxiliary device", "ens1f0npf0sf88", "other", "other.sf.4", false,
	  "" },
};

static const struct row *device;

static bool ethtool(struct host *h, const char *port, void *command, struct err *err)
{
	struct ethtool_drvinfo *info = command;

	(void)h;
	(void)port;
	(void)err;
	snprintf(info->driver, sizeof(info->driver), "%s", device->driver);
	snprintf(info->bus_info, sizeof(info->bus_info), "%s", device->bus);
	return true;
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	(void)h;
	if (strcmp(path, "/sys/class/net/ens1f0npf0sf88/device/sfnum") != 0)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no such file");
	snprintf(buf, size, "88");
	return true;
}

static bool talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		 struct err *err)
{
	(void)h;
	(void)bus;
	(void)request;
	(void)each;
	(void)arg;
	return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "no speeds");
}

static void a_device_is_described(void **s)
{
	struct host host = { .ethtool = ethtool, .read_file = read_file, .talk = talk };
	struct port p = { .speed_mbps = 0 };

	device = *s;
	snprintf(p.id.name, sizeof(p.id.name), "%s", device->name);
	assert_int_equal(all_backends.ports.describe(&host, &p), device->is_port);
	assert_string_equal(p.id.pci, device->pci);
	assert_string_equal(p.id.driver, device->is_port ? device->driver : "");
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, a_device_is_described);
	return suite_run(&s, "backends");
}
