/*
 * The floor of the benchmark: read the data of `losslessctl show` from the kernel, each once, by
 * plain system calls. The program judges, keeps and prints nothing.
 *
 *   floor [PORT]...    the named ports, or those of all PCI functions
 */
#include <linux/dcbnl.h>
#include <linux/devlink.h>
#include <linux/genetlink.h>
#include <linux/if.h>
#include <linux/rtnetlink.h>
#include <rdma/rdma_netlink.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "ask.h"
#include "floor_files.h"

#define PORTS_MAX 128
#define RDMA(op)  RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_##op)

struct port {
	char name[IFNAMSIZ], pci[16];
	int index;
};
struct device {
	char name[32];
	uint32_t index;
	int netdev; /* 0 until read */
};

static struct port ports[PORTS_MAX];
static struct device devices[PORTS_MAX];
static size_t ports_count, devices_count;
static uint16_t devlink_family;

static void take_link(const struct nlmsghdr *h)
{
	const struct ifinfomsg *info = NLMSG_DATA(h);
	struct port *p = &ports[ports_count];

	copy_attribute(h, sizeof(*info), IFLA_IFNAME, p->name, sizeof(p->name));
	copy_attribute(h, sizeof(*info), IFLA_PARENT_DEV_NAME, p->pci, sizeof(p->pci));
	p->index = info->ifi_index;
	if (*p->pci && ports_count < PORTS_MAX - 1)
		ports_count++;
}

static void take_device(const struct nlmsghdr *h)
{
	struct device *d = &devices[devices_count];

	copy_attribute(h, 0, RDMA_NLDEV_ATTR_DEV_INDEX, &d->index, sizeof(d->index));
	copy_attribute(h, 0, RDMA_NLDEV_ATTR_DEV_NAME, d->name, sizeof(d->name));
	if (devices_count < PORTS_MAX - 1)
		devices_count++;
}

static struct device *asked; /* the device whose port's netdev is read */

static void take_netdev(const struct nlmsghdr *h)
{
	copy_attribute(h, 0, RDMA_NLDEV_ATTR_NDEV_INDEX, &asked->netdev, sizeof(asked->netdev));
}

static void take_family(const struct nlmsghdr *h)
{
	copy_attribute(h, sizeof(struct genlmsghdr), CTRL_ATTR_FAMILY_ID, &devlink_family,
		       sizeof(devlink_family));
}

static void read_links_and_devices(int route, int rdma)
{
	struct {
		struct ifinfomsg info;
		struct nlattr a;
		uint32_t mask;
	} r = { .a = ATTR(IFLA_EXT_MASK, 4), .mask = RTEXT_FILTER_SKIP_STATS };

	ask(route, RTM_GETLINK, NLM_F_DUMP, &r, sizeof(r), take_link);
	ask(rdma, RDMA(GET), NLM_F_DUMP, NULL, 0, take_device);
	ask(rdma, RDMA(SYS_GET), 0, NULL, 0, NULL);
}

static void find_devlink(int generic)
{
	struct {
		struct genlmsghdr g;
		struct nlattr a;
		char name[8];
	} r = { { CTRL_CMD_GETFAMILY, 1, 0 }, ATTR(CTRL_ATTR_FAMILY_NAME, 8), "devlink" };

	ask(generic, GENL_ID_CTRL, 0, &r, sizeof(r), take_family);
}

/* Find the device with this netdev: ask one device after another for its port. */
static const char *rdma_of(int rdma, int netdev)
{
	for (asked = devices; asked < devices + devices_count; asked++) {
		struct {
			struct nlattr a;
			uint32_t index;
			struct nlattr b;
			uint32_t port;
		} r = { ATTR(RDMA_NLDEV_ATTR_DEV_INDEX, 4), asked->index,
			ATTR(RDMA_NLDEV_ATTR_PORT_INDEX, 4), 1 };

		if (!asked->netdev)
			ask(rdma, RDMA(PORT_GET), 0, &r, sizeof(r), take_netdev);
		if (asked->netdev == netdev)
			return asked->name;
	}
	return NULL;
}

static void read_dcb(int route, const struct port *p)
{
	struct {
		struct dcbmsg d;
		struct nlattr a;
		char name[IFNAMSIZ];
	} r = { { AF_UNSPEC, DCB_CMD_GDCBX, 0 }, ATTR(DCB_ATTR_IFNAME, IFNAMSIZ), "" };

	memcpy(r.name, p->name, sizeof(r.name));
	ask(route, RTM_GETDCB, 0, &r, sizeof(r), NULL);
	r.d.cmd = DCB_CMD_IEEE_GET;
	ask(route, RTM_GETDCB, 0, &r, sizeof(r), NULL);
}

static void read_devlink(int generic, const struct port *p)
{
	struct {
		struct genlmsghdr g;
		struct nlattr a;
		char bus[4];
		struct nlattr b;
		char device[16];
		struct nlattr c;
		char parameter[12];
	} r = { { DEVLINK_CMD_PARAM_GET, 1, 0 },
		ATTR(DEVLINK_ATTR_BUS_NAME, 4),
		"pci",
		ATTR(DEVLINK_ATTR_DEV_NAME, 13),
		"",
		ATTR(DEVLINK_ATTR_PARAM_NAME, 12),
		"enable_roce" };

	memcpy(r.device, p->pci, sizeof(r.device));
	ask(generic, devlink_family, 0, &r, sizeof(r), NULL);
}

static bool is_named(const struct port *p, int argc, char **argv)
{
	bool found = argc == 1;

	for (int i = 1; i < argc; i++)
		found = found || strcmp(argv[i], p->name) == 0;
	return found;
}

int main(int argc, char **argv)
{
	int route = open_netlink(NETLINK_ROUTE), rdma = open_netlink(NETLINK_RDMA);
	int generic = open_netlink(NETLINK_GENERIC), plain = socket(AF_UNIX, SOCK_DGRAM, 0);

	read_host();
	read_links_and_devices(route, rdma);
	find_devlink(generic);
	for (const struct port *p = ports; p < ports + ports_count; p++) {
		if (!is_named(p, argc, argv))
			continue;
		read_dcb(route, p);
		read_devlink(generic, p);
		read_ethtool(plain, p->name);
		read_port_files(p->name, p->pci, rdma_of(rdma, p->index));
	}
	return 0;
}
